import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { parse, stringify } from 'yaml'
import { raiseContentVersion } from '#server/features/association/content.repository.ts'
import { saveCampaign } from '#server/features/newsletter/campaign.repository.ts'
import { wordsOfHtml } from '#server/features/newsletter/campaign-words.ts'
import { makeCampaign } from '#tests/support/newsletter.ts'
import { withBrowser } from '../browsing.ts'
import { ask } from '../http.ts'
import { inParallel } from '../load.ts'
import type { Letter } from '../mailbox.ts'
import { newPerson, Visitor } from '../people.ts'
import { orderSponsorship, sendMessage } from '../public-forms.ts'
import { TREE } from '../processes.ts'
import { Faults, type TrustRow } from '../row.ts'
import type { World } from '../site.ts'
import { storageAt, storePicture } from '../storage.ts'
import { storeAddresses } from '../stored-addresses.ts'
import { requireHarmlessLinks, watchExecutions, XSS_VECTORS } from '../xss.ts'

const AT_ONCE = 4
const TABS = 4
/** Time for a picture that does not exist to fail, and for what its failure would set off. */
const AFTERMATH_MS = 100

/**
 * Where strangers' words are kept. A new place is one entry here: `plant` keeps every vector and says how many were taken; `pages` are where they come out, besides
 * the letters and the officers' commands, all of which are looked at.
 */
interface Surface {
  name: string
  plant(world: World, vectors: readonly string[]): Promise<number>
  pages: string[]
  /** `npm run admin -- …` */
  commands?: string[][]
  /** Addresses of documents that are also shown without the policy they come with. */
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

/** Words of the address, which nobody keeps: each vector in one of them. */
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
    '200 vectors in names, company, messages, sponsor name and website, content, newsletters, picture file names and addresses, javascript: and data: in every stored link: 0 executions (dialog, network canary, stopped by the policy) in page, officers’ output, letter and receipt',
  async run({ world: start, count }) {
    const vectors = XSS_VECTORS.filter((_, at) => at % count(1, 20) === 0)
    const world = await start({ pages: true, environment: storageAt })
    const faults = new Faults()
    const planted: string[] = []
    for (const { name, plant } of SURFACES) planted.push(`${name} ${await plant(world, vectors)}`)
    faults.expect(await world.isQuiet(), 'letters still wait')
    const letters = await world.mailbox.all()
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
      await inParallel(letters, TABS, (letter) => readLetter(context, letter, faults))
      const documents = (
        await Promise.all(SURFACES.map(async (surface) => (await surface.documents?.(world)) ?? []))
      ).flat()
      await inParallel(documents, TABS, (address) => lookWithoutPolicy(context, world, address, faults))
      return {
        passed: faults.count === 0,
        reached:
          `${vectors.length} vectors, taken by ${planted.join(', ')}; ${stored.length} pages, ${asked.length} addresses, ${letters.length} letters and receipts, ${documents.length} newsletters without their policy, ` +
          `${commands.length} commands looked at; executions: ${faults}`,
      }
    })
  },
}

async function plantEach(vectors: readonly string[], plant: (vector: string) => Promise<number>): Promise<number> {
  const statuses = await inParallel(vectors, AT_ONCE, plant)
  return statuses.filter((status) => status === 200 || status === 201).length
}

/** One campaign of Markdown and one of HTML for each vector, with the vector as title, subject and snippet too. */
async function storeCampaigns({ database: { db } }: World, vectors: readonly string[]): Promise<number> {
  const sentAt = Date.now()
  for (const [turn, vector] of vectors.entries()) {
    const words = { name: vector, subject: vector, snippet: vector, sentAt: sentAt - turn }
    await saveCampaign(db, makeCampaign({ ...words, id: `xss-words-${turn}`, body: `${vector}\n\n> ${vector}` }))
    await saveCampaign(
      db,
      makeCampaign({ ...words, id: `xss-design-${turn}`, ...wordsOfHtml(`<p>${vector}</p>${vector}`) }),
    )
  }
  await raiseContentVersion(db)
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

/** Keys whose values are words; all others have a form of their own. */
const WORDS =
  /^(?:name|title|description|location|time|excerpt|content|body|author|blurb|role|bio|members|question|answer|school|year)$/
/** One of a few values that the site knows. */
const CODE = /^[a-z]+(?:-[a-z]+)*$/
const FILES = /^(?:sponsors|events|news|leaders|committees|past-presidents|forum-team|faq)\.yaml$/

/** As an officer would: what is there is written out, its words are replaced, and it is taken over again. Answers how many words there were. */
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

/** Events and news have addresses of their own, and feeds. */
async function addressesOfContent({ database: { db } }: World): Promise<string[]> {
  const events = await db.selectFrom('event').select('id').execute()
  const news = await db.selectFrom('news_item').select('id').execute()
  return [...events.map(({ id }) => `/events/${id}`), ...news.map(({ id }) => `/news/${id}`)]
}

function pickAddress(at: number): (words: string) => string {
  return ADDRESSES[at % ADDRESSES.length] ?? ((words) => `/contact?subject=${words}`)
}

/** A watch that sees nothing proves nothing. */
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

/** What was stored must be harmless by itself: the policy is a second wall. */
async function lookWithoutPolicy(
  context: BrowserContext,
  world: World,
  address: string,
  faults: Faults,
): Promise<void> {
  const { status, text } = await ask(world.site.origin, { path: address })
  faults.expect(status === 200, `answered ${status}`, address)
  const page = await context.newPage()
  await page.setContent(text)
  await page.waitForTimeout(AFTERMATH_MS)
  await requireHarmlessLinks(page, address, faults)
  await page.close()
}

/** As a mail program without any protection of its own would show it. */
async function readLetter(context: BrowserContext, { subject, html }: Letter, faults: Faults): Promise<void> {
  const page = await context.newPage()
  await page.setContent(html)
  await page.waitForTimeout(AFTERMATH_MS)
  const where = `letter "${subject.slice(0, 60)}"`
  await requireHarmlessLinks(page, where, faults)
  const strange = await page
    .locator('script, iframe, object, form, input, svg, img, [onerror], [onload], [onfocus]')
    .count()
  faults.expect(strange === 0, 'a letter with more than text and links', where)
  await page.close()
}

/** Text for a terminal: nothing that moves its cursor or names its window. */
function requirePlain(output: string, where: string, faults: Faults): void {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  const found = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.exec(output)
  faults.expect(found === null, 'a control character', `${where} ${JSON.stringify(found?.[0])}`)
  faults.expect(output.includes('script'), 'nothing to look at', where)
}
