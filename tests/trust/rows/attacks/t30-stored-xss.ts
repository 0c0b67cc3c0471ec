import { listRecords } from '#server/features/content-store/content.queries.ts'
import { eventKind, newsKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { parse, stringify } from 'yaml'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { saveCampaign } from '#server/features/newsletter/campaign.commands.ts'
import { contentFromHtml } from '#server/features/newsletter/composing/campaign-text.service.ts'
import { createCampaign } from '#tests/support/newsletter.ts'
import { withBrowser } from '#tests/trust/browser/browsing.ts'
import { request } from '#tests/trust/http.ts'
import { inParallel } from '#tests/trust/load.ts'
import type { ReceivedEmail } from '#tests/trust/mailbox.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { orderSponsorship, sendMessage } from '#tests/trust/browser/public-forms.ts'
import { TREE } from '#tests/trust/faults/processes.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { storageAt, storePicture } from '#tests/trust/faults/storage.ts'
import { storeAddresses } from '#tests/trust/stored-addresses.ts'
import { requireHarmlessLinks, watchExecutions, XSS_VECTORS } from '#tests/trust/attacks/xss.ts'

const AT_ONCE = 4
const TABS = 4
/** Time for a missing picture to fail, and for its error handlers to run. */
const AFTERMATH_MS = 100

/**
 * Where untrusted text is stored. A new one is one entry here: `plant` stores every vector and returns how many were accepted; `pages` are where they
 * appear, besides emails and officers' commands, all of which are checked.
 */
interface Surface {
  name: string
  plant(world: World, vectors: readonly string[]): Promise<number>
  pages: string[]
  /** `npm run admin -- …` */
  commands?: string[][]
  /** Documents that are also shown without their content security policy. */
  documents?(world: World): Promise<string[]>
}

const SURFACES: Surface[] = [
  {
    name: 'contact',
    plant: (world, vectors) =>
      plantEach(vectors, async (vector) => {
        const words = { name: vector.slice(0, 100), subject: vector, message: `${vector}\n${vector}` }
        return (await sendMessage(new Visitor(world), { ...words, email: newPerson().email })).status
      }),
    pages: [],
    commands: [['messages', 'list']],
  },
  {
    name: 'sponsorships',
    plant: (world, vectors) => plantEach(vectors, (vector) => becomeSponsor(world, vector)),
    pages: [],
    commands: [
      ['sponsors', 'list'],
      ['sponsors', 'promises'],
    ],
  },
  {
    name: 'names of people who register',
    plant: (world, vectors) =>
      plantEach(vectors, async (vector) => {
        const person = newPerson({ firstName: vector.slice(0, 50), lastName: vector.slice(-50) })
        return (await new Visitor(world).register(person)).status
      }),
    pages: [],
  },
  {
    name: 'pictures of the storage',
    async plant(world, vectors) {
      const drawing = readFileSync(join(TREE, 'public', 'art', 'clinic.svg'))
      const places = [
        { bucket: 'home', folder: 'hero' },
        { bucket: 'home', folder: 'gallery' },
        { bucket: 'clinic', folder: 'hero' },
        { bucket: 'exec', folder: 'team' },
      ] as const
      let turn = 0
      return plantEach(vectors, (vector) =>
        storePicture(world, { ...(places[turn++ % places.length] ?? places[0]), name: `${vector}.svg`, drawing }),
      )
    },
    pages: ['/', '/clinic', '/students-residents', '/api/s3/home/folder/gallery', '/api/s3/exec/folder/team'],
  },
  {
    name: 'content (sponsors, events, news, people, questions)',
    plant: importContent,
    pages: [
      '/',
      '/sponsor-us',
      '/events',
      '/news',
      '/faqs',
      '/executive-committee',
      '/board-directors',
      '/board-trustees',
      '/committees',
      '/past-presidents',
      '/students-residents',
      '/api/sponsors',
      '/sitemap.xml',
    ],
  },
  {
    name: 'addresses stored before they were checked',
    plant: storeAddresses,
    pages: ['/', '/contact', '/clinic', '/about', '/events', '/news', '/sponsor-us', '/newsletter', '/api/sponsors'],
  },
  {
    name: 'newsletters',
    plant: storeCampaigns,
    pages: ['/newsletter', '/newsletter.rss', '/api/newsletter/campaigns?limit=50'],
    commands: [['newsletter', 'list']],
    documents: async ({ database: { db } }) =>
      (await db.selectFrom('campaign').select('id').where('id', 'like', 'xss-%').execute()).map(
        ({ id }) => `/newsletter/view/${id}`,
      ),
  },
]

/** Text from the URL, which is not stored: one vector each. */
const ADDRESSES: ((words: string) => string)[] = [
  (words) => `/contact?subject=${words}`,
  (words) => `/news?category=${words}`,
  (words) => `/email-verification?email=${words}&token=${words}`,
  (words) => `/reset-password?token=${words}&userId=${words}`,
  (words) => `/sponsor/success?session_id=${words}&nonce=${words}`,
  (words) => `/stripe/success?session_id=${words}&nonce=${words}`,
  (words) => `/newsletter/confirm?token=${words}`,
  (words) => `/auth/login?next=${words}`,
]

export const row: TrustRow = {
  id: 'T30',
  promise: 'Stored XSS',
  gate: true,
  target:
    '200 vectors in names, company, messages, sponsor name and website, content, newsletters, picture file names and URLs, javascript: and data: in every stored link: 0 executions (dialog, network canary, blocked by the policy) in pages, officers’ output, emails and receipts',
  async run({ world: start, count }) {
    const vectors = XSS_VECTORS.filter((_, at) => at % count(1, 20) === 0)
    const world = await start({ pages: true, environment: storageAt })
    const faults = new Faults()
    const planted: string[] = []
    for (const { name, plant } of SURFACES) planted.push(`${name} ${await plant(world, vectors)}`)
    faults.expect(await world.isQuiet(), 'emails still wait')
    const emails = await world.mailbox.all()
    const commands = SURFACES.flatMap((surface) => surface.commands ?? [])
    for (const words of commands) requirePlain(await world.site.admin(...words), words.join(' '), faults)
    return withBrowser(async (browser) => {
      const context = await browser.newContext({ baseURL: world.siteUrl })
      await watchExecutions(context, faults)
      await proveWatching(browser, world)
      const stored = [...new Set(SURFACES.flatMap(({ pages }) => pages)), ...(await addressesOfContent(world))]
      const asked = vectors.map((vector, at) => pickAddress(at)(encodeURIComponent(vector)))
      const opened = [...stored, ...asked]
      await inParallel(opened, TABS, (address) => look(context, address, faults))
      await inParallel(emails, TABS, (email) => readEmail(context, email, faults))
      const documents = (
        await Promise.all(SURFACES.map(async (surface) => (await surface.documents?.(world)) ?? []))
      ).flat()
      await inParallel(documents, TABS, (address) => lookWithoutPolicy(context, world, address, faults))
      return {
        passed: faults.count === 0,
        reached:
          `${vectors.length} vectors, taken by ${planted.join(', ')}; ${stored.length} pages, ${asked.length} addresses, ${emails.length} emails and receipts, ${documents.length} newsletters without their policy, ` +
          `${commands.length} commands looked at; executions: ${faults}`,
      }
    })
  },
}

async function plantEach(vectors: readonly string[], plant: (vector: string) => Promise<number>): Promise<number> {
  const statuses = await inParallel(vectors, AT_ONCE, plant)
  return statuses.filter((status) => status === 200 || status === 201).length
}

/** One Markdown and one HTML campaign for each vector, with the vector as title, subject and snippet too. */
async function storeCampaigns({ database: { db } }: World, vectors: readonly string[]): Promise<number> {
  const sentAt = Date.now()
  for (const [turn, vector] of vectors.entries()) {
    const words = { name: vector, subject: vector, snippet: vector, sentAt: sentAt - turn }
    await saveCampaign(db, createCampaign({ ...words, id: `xss-words-${turn}`, body: `${vector}\n\n> ${vector}` }))
    await saveCampaign(
      db,
      createCampaign({ ...words, id: `xss-design-${turn}`, ...contentFromHtml(`<p>${vector}</p>${vector}`) }),
    )
  }
  await incrementContentVersion(db)
  return 2 * vectors.length
}

async function becomeSponsor(world: World, vector: string): Promise<number> {
  const visitor = new Visitor(world)
  const words = {
    name: vector.slice(0, 100),
    company: vector.slice(0, 150),
    phone: vector.slice(0, 40),
    message: vector,
  }
  const { status, body } = await orderSponsorship(visitor, { ...words, email: newPerson().email })
  if (status !== 200) return status
  const back = await world.provider.pay(body.sessionUrl as string)
  return (await visitor.verifySession(back?.search ?? '')).status
}

/** Keys with free text; all others have a fixed format. */
const WORDS =
  /^(?:name|title|description|location|time|excerpt|content|body|author|blurb|role|bio|members|question|answer|school|year)$/
/** One of a few known values. */
const CODE = /^[a-z]+(?:-[a-z]+)*$/
const FILES = /^(?:sponsors|events|news|leaders|committees|past-presidents|forum-team|faq)\.yaml$/

/** As an officer would: exports the content, replaces its text, and imports it. Returns the number of texts. */
async function importContent(world: World, vectors: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'association-xss-'))
  const [all, own] = [join(folder, 'all'), join(folder, 'own')]
  let turn = 0
  const next = () => vectors[turn++ % vectors.length] ?? ''
  try {
    await world.site.admin('content', 'export', all)
    mkdirSync(own)
    for (const file of readdirSync(all).filter((name) => FILES.test(name))) {
      const value: unknown = parse(readFileSync(join(all, file), 'utf8'))
      writeFileSync(join(own, file), stringify(spoiled(value, next)))
    }
    await world.site.admin('content', 'import', own)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return turn
}

function spoiled(value: unknown, next: () => string, key = ''): unknown {
  if (typeof value === 'string') {
    if (key === 'website') return `https://sponsor.example/${encodeURIComponent(next())}`
    return WORDS.test(key) && !CODE.test(value) ? next() : value
  }
  if (Array.isArray(value)) return value.map((item) => spoiled(item, next, key))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, spoiled(item, next, name)]))
}

/** Events and news have their own pages, and feeds. */
async function addressesOfContent({ database: { db } }: World): Promise<string[]> {
  const [events, news] = [await listRecords(db, eventKind), await listRecords(db, newsKind)]
  return [...events.map(({ id }) => `/events/${id}`), ...news.map(({ id }) => `/news/${id}`)]
}

function pickAddress(at: number): (words: string) => string {
  return ADDRESSES[at % ADDRESSES.length] ?? ((words) => `/contact?subject=${words}`)
}

/** A detector that finds nothing must be tested itself. */
async function proveWatching(browser: Browser, { siteUrl }: World): Promise<void> {
  const seen = new Faults()
  const bait = await browser.newContext()
  await watchExecutions(bait, seen)
  const page = await bait.newPage()
  await page.setContent(`${XSS_VECTORS[0]}<img src="https://canary.example/x.png">`)
  await page.goto(siteUrl)
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'alert(9)'
    document.body.append(script)
  })
  await page.waitForTimeout(AFTERMATH_MS)
  await bait.close()
  for (const kind of ['a dialog', 'a call to the canary', 'a script the policy had to stop']) {
    if (seen.countOf(kind) === 0) throw new Error(`The watch does not see ${kind}: ${seen}`)
  }
}

async function look(context: BrowserContext, address: string, faults: Faults): Promise<void> {
  const page = await context.newPage()
  const response = await page.goto(address)
  faults.expect((response?.status() ?? 0) < 500, `answered ${response?.status()}`, address)
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => {})
  await page.waitForTimeout(AFTERMATH_MS)
  await requireHarmlessLinks(page, address, faults)
  await page.close()
}

/** Stored text must be harmless on its own: the content security policy is a second line of defense. */
async function lookWithoutPolicy(
  context: BrowserContext,
  world: World,
  address: string,
  faults: Faults,
): Promise<void> {
  const { status, text } = await request(world.site.origin, { path: address })
  faults.expect(status === 200, `answered ${status}`, address)
  const page = await context.newPage()
  await page.setContent(text)
  await page.waitForTimeout(AFTERMATH_MS)
  await requireHarmlessLinks(page, address, faults)
  await page.close()
}

/** As shown by a mail program without any protection. */
async function readEmail(context: BrowserContext, { subject, html }: ReceivedEmail, faults: Faults): Promise<void> {
  const page = await context.newPage()
  await page.setContent(html)
  await page.waitForTimeout(AFTERMATH_MS)
  const where = `email "${subject.slice(0, 60)}"`
  await requireHarmlessLinks(page, where, faults)
  const strange = await page
    .locator('script, iframe, object, form, input, svg, img, [onerror], [onload], [onfocus]')
    .count()
  faults.expect(strange === 0, 'an email with more than text and links', where)
  await page.close()
}

/** Terminal output: nothing that moves the cursor or sets the window title. */
function requirePlain(output: string, where: string, faults: Faults): void {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  const found = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.exec(output)
  faults.expect(found === null, 'a control character', `${where} ${JSON.stringify(found?.[0])}`)
  faults.expect(output.includes('script'), 'nothing to look at', where)
}
