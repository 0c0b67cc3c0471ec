import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod/mini'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CredentialDeskLists } from '#contract/console/credentials.ts'
import { PARTS, type Part } from '#contract/parts.ts'
import { EMAILS } from '#server/composition/effects.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { readRecords } from '#server/features/content-store/content.queries.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { settingKind, settingsOf } from '#server/features/content-store/kinds/settings.kinds.ts'
import { createPages } from '#server/pages/pages.ts'
import { launchBrowser } from '#tests/support/browser/browser.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { storeRecord } from '#tests/support/content/stored-records.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { readPdf } from '#tests/support/files/pdf-text.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { pageData } from '#web/app/page-data.ts'
import { buildSite } from '#tools/build.ts'

/** What a site of engineers must never say, in text or in what only programs read. */
const OTHERS = /Georgia(?!,)|Norcross|physician|clinic\b|\bIndian\b|\b1987\b|\b587\b|\b815\b|\bNPI\b|medical|doctor/i
/** Names of files and classes that visitors do not read, such as the class of a box. */
const UNREAD =
  /(class|href|src|srcset|imagesrcset|id|for|name|data-[a-z]+)="[^"]*"|<script[^>]*>[\s\S]*?<\/script>|<style[^>]*>[\s\S]*?<\/style>/g
const FEEDS = ['/sitemap.xml', '/robots.txt', '/site.webmanifest', '/events.ics', '/news.rss', '/newsletter.rss']

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
let folder = ''
let site: TestApp

beforeAll(async () => {
  // The production build of react, as on a site: the two differ in what they render.
  process.env['NODE_ENV'] = 'production'
  folder = mkdtempSync(join(tmpdir(), 'association-profile-'))
  const { directory } = await buildSite({ log: () => {} })
  site = await createTestApp({
    environment: { RATE_LIMITS: 'off', PROFILE: 'engineers', MAIL_FROM: 'Engineers <office@example.org>' },
    polling: true,
    database: openDatabase(`sqlite:${folder}/site.db`, quiet),
    makePages: (given) =>
      createPages({ ...given, buildDirectory: directory, siteUrl: 'http://localhost:3000', clock: { now: Date.now } }),
  })
})
afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function load(path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(site.url + path)
  return { status: answer.status, text: await answer.text() }
}

/** The text of a page, with its title, description and structured data. */
function readable(page: string): string {
  const data = [...page.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(([, json]) => json)
  return [page.replaceAll(UNREAD, ''), ...data].join('\n')
}

const fixedPages = pageData.flatMap(({ path, hasSubpaths }) => (path.includes(':') || hasSubpaths ? [] : [path]))

test('a site of engineers says nothing of physicians, on any page or feed', { tags: ['core'] }, async () => {
  expect((await load('/')).text).toContain('Our Engineers&#x27; Association')
  const found: string[] = []
  for (const path of [...fixedPages, '/no-such-page', ...FEEDS]) {
    const { text } = await load(path)
    for (const line of readable(text).split(/(?<=>)|\n/)) if (OTHERS.test(line)) found.push(`${path}: ${line.trim()}`)
  }
  expect(found).toEqual([])
})

/** The lines of a text that only physicians or the sample association may have. */
const othersIn = (where: string, text: string): string[] =>
  text.split('\n').flatMap((line) => (OTHERS.test(line) ? [`${where}: ${line.trim()}`] : []))

test('no email of a site of engineers says anything of physicians', { tags: ['core'] }, async () => {
  const { association } = settingsOf(await readRecords(site.database.db)).settings
  const emails = EMAILS.flatMap((email) => Object.entries(email.samples('Ana', association)))
  expect(emails.length).toBeGreaterThan(EMAILS.length)
  const found = emails.flatMap(([label, { subject, text, html }]) =>
    othersIn(label, [subject, text, html.replaceAll(UNREAD, '')].join('\n')),
  )
  expect(found).toEqual([])
})

const KINDS = '/api/account/credentials'
const { join: joinAs } = membershipLife(() => site)

test('an engineer’s account, emails, receipt and calendar, and the officers’ review, say nothing of physicians', async () => {
  const engineer = await joinAs({ levelKey: 'member' })
  const student = await joinAs({ levelKey: 'student_member' })
  const { browser: officer, email: officerEmail } = await newOfficer(site, ['president'], 'student_member')
  await recordSecondFactor(site, officer)
  const license = { values: { number: 'PE-4711', state: 'OH' } }
  const study = { values: { school: 'Clemson', graduation: '2028-05-31' } }
  const given = await engineer.browser.call('PUT', `${KINDS}/professional-engineer`, license)
  expect(given.status).toBe(200)
  expect((await student.browser.call('PUT', `${KINDS}/engineering-student`, study)).status).toBe(200)

  const screens = await openScreens()
  const found: string[] = []
  async function look(browser: TestBrowser, path: string, sign: string): Promise<void> {
    found.push(...othersIn(path, await screens.read(browser, path, sign)))
  }
  await look(engineer.browser, '/auth/account/profile', 'Waiting for review')
  await look(officer, '/auth/account/profile', 'Expected graduation')
  await look(officer, '/auth/account', 'Verify your credentials')
  await look(officer, '/console/credentials', 'PE-4711')
  await look(officer, '/console/credentials', 'Engineering student, Clemson')
  const members = (await officer.get('/api/console/members')).body.members as { id: string; email: string }[]
  const member = members.find(({ email }) => email === engineer.email)
  await look(officer, `/console/members/${member?.id}`, 'PE-4711')
  await look(officer, '/console/members', engineer.email)
  await look(officer, '/console/content/credential-kinds', 'Professional engineer')
  await screens.close()

  const { waiting } = (await officer.get('/api/console/credentials')).body as CredentialDeskLists
  for (const { id } of waiting) await officer.post(`/api/console/credentials/${id}/ask`, { question: 'Since when?' })
  for (const [index, { id }] of waiting.entries()) {
    const decision = index === 0 ? 'approved' : 'declined'
    await officer.post(`/api/console/credentials/${id}`, {
      decision,
      evidence: 'The board says so',
      evidenceKind: 'list',
    })
  }
  await site.drain()
  const mails = [engineer.email, student.email, officerEmail].flatMap((email) => site.standins.mails(email))
  expect(mails.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['Your credentials are verified', 'We could not verify your credentials']),
  )
  for (const { subject, text, from } of mails)
    found.push(...othersIn(`email ${subject}`, `${from}\n${subject}\n${text}`))

  const { payments } = (await engineer.browser.get('/api/billing/payments')).body as {
    payments: { receiptNumber: string }[]
  }
  const receipt = await fetch(`${site.url}/api/billing/receipts/${payments[0]?.receiptNumber}`, {
    headers: { authorization: `Bearer ${engineer.browser.token}` },
  })
  const { text: printed } = await readPdf(new Uint8Array(await receipt.arrayBuffer()))
  expect(printed).toContain('Engineers')
  found.push(...othersIn('receipt', printed))

  const event = {
    id: 'site-visit',
    title: 'Site visit',
    description: 'The new bridge.',
    date: 'May 2, 2099',
    location: 'Pier 3',
  }
  await storeRecord(site.database.db, eventKind, z.parse(eventKind.schema, event), event.id)
  await incrementContentVersion(site.database.db)
  await expect.poll(async () => (await load('/events.ics')).text, { timeout: 5_000 }).toContain('Site visit')
  for (const path of ['/events.ics', '/events/site-visit.ics', '/events/site-visit', '/news.rss'])
    found.push(...othersIn(path, readable((await load(path)).text)))

  const data = await engineer.browser.get('/api/account/data')
  found.push(...othersIn('data', JSON.stringify(data.body, null, 1)))
  expect(found).toEqual([])
})

/** A real browser, in which an account's session is opened as it is in `browser`. */
async function openScreens() {
  const chromium = await launchBrowser()
  return {
    close: () => chromium.close(),

    /** Everything that a person reads or hears on a page, once `sign` is there. */
    async read({ token }: TestBrowser, path: string, sign: string): Promise<string> {
      const context = await chromium.newContext({ baseURL: site.url, reducedMotion: 'reduce' })
      await context.addInitScript((value) => localStorage.setItem('token', value), token ?? '')
      const page = await context.newPage()
      await page.goto(path)
      await page.getByText(sign).first().waitFor({ state: 'attached', timeout: 20_000 })
      const text = await page.evaluate(() => {
        const named = document.querySelectorAll('[aria-label],[placeholder],[title],[alt],option')
        const names = ['aria-label', 'placeholder', 'title', 'alt']
        const heard = [...named].flatMap((one) => [one.textContent, ...names.map((name) => one.getAttribute(name))])
        return [document.title, document.body.innerText, ...heard].filter(Boolean).join('\n')
      })
      await context.close()
      return text
    },
  }
}

test('a site whose texts are not all written says so, and is not for search engines', { tags: ['core'] }, async () => {
  const { text } = await load('/')
  expect(text).toContain('This site is being set up.')
  expect(text).toContain('<meta name="robots" content="noindex"/>')
  const { db } = site.database
  const written = await db
    .selectFrom('contentRecord')
    .select(['kind', 'id', 'value'])
    .where('value', 'like', '%[…]%')
    .execute()
  await db
    .updateTable('contentRecord')
    .set({ value: sql`replace(value, '[…]', 'Written.')` })
    .execute()
  expect(written.length).toBeGreaterThan(4)
  await incrementContentVersion(db)
  // The legal pages are still drafts.
  await expect.poll(async () => (await load('/')).text, { timeout: 5_000 }).toContain('Written.')
  expect((await load('/')).text).toContain('being set up')
  await db
    .updateTable('contentRecord')
    .set({ value: sql`replace(value, '"draft"', '"1"')` })
    .execute()
  await incrementContentVersion(db)
  await expect.poll(async () => (await load('/')).text, { timeout: 5_000 }).not.toMatch(/being set up|noindex/)
})

const WHERE: Record<Part, string> = {
  events: '/events',
  newsletter: '/newsletter',
  sponsors: '/sponsor-us',
  clinic: '/clinic',
  forum: '/students-residents',
  scholarships: '/scholarships-awards',
}

test(
  'a part that is off has no page, no link and no entry in the sitemap, until it is on again',
  { tags: ['core'] },
  async () => {
    async function turn(isOn: boolean): Promise<void> {
      const value = Object.fromEntries(PARTS.map((part) => [part, isOn]))
      await storeRecord(site.database.db, settingKind('parts'), value)
      await incrementContentVersion(site.database.db)
      await expect.poll(async () => (await load('/events')).status, { timeout: 5_000 }).toBe(isOn ? 200 : 404)
    }
    async function show() {
      const pages = await Promise.all(PARTS.map(async (part) => (await load(WHERE[part])).status))
      const texts = await Promise.all(['/', '/about', '/faqs', '/contact', '/sitemap.xml'].map(load))
      const linked = PARTS.filter((part) =>
        texts.some(({ text }) => text.includes(`href="${WHERE[part]}"`) || text.includes(`3000${WHERE[part]}<`)),
      )
      return { pages: new Set(pages), linked, calendar: (await load('/events.ics')).status }
    }

    await turn(false)
    expect(await show()).toEqual({ pages: new Set([404]), linked: [], calendar: 404 })
    // What ends something that began while it was on.
    expect((await load('/newsletter/unsubscribe')).status).toBe(200)
    const refused = await fetch(`${site.url}/api/newsletter/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.org' }),
    })
    expect(refused.status).toBe(404)
    await turn(true)
    expect(await show()).toEqual({ pages: new Set([200]), linked: [...PARTS], calendar: 200 })
  },
)
