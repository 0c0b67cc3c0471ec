import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PARTS, type Part } from '#contract/parts.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { createPages } from '#server/pages/pages.ts'
import { storeRecord } from '#tests/support/content/stored-records.ts'
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
    environment: { RATE_LIMITS: 'off', PROFILE: 'engineers' },
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
