import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '#tests/support/browser/browser.ts'
import { request } from '#tests/trust/http.ts'
import { inParallel } from '#tests/trust/load.ts'
import { TREE } from '#tests/trust/faults/processes.ts'
import { checkSponsorsDuringOutage, submitFormsDuringOutage } from '#tests/trust/faults/providers-down.ts'
import { findPublicPages } from '#tests/trust/browser/public-pages.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { LISTED_FOLDERS as FOLDERS, storageAt, storePicture } from '#tests/trust/faults/storage.ts'

/** The services that the site calls. */
const SERVICES = ['s3', 'stripe', 'bot', 'mail'] as const
const FAULTS = ['refuse', 'blackhole', 'slow', 'garbage', 'error', 'reset'] as const
/** Longer than any timeout of the site. */
const SLOW_MS = 20_000
const Response_WITHIN_MS = 3_000
const PAGES_AT_ONCE = 6
const OLDER_THAN_ANY_LISTING_MS = 600_000
const PATIENCE_MS = 20_000

/** A page with pictures from the storage, and the content that must work without them. */
const PAGES = [
  { path: '/', heading: /./, ways: ['Become a Member', 'Learn More'] },
  { path: '/clinic', heading: /^Free clinic/, ways: ['Get directions'] },
  { path: '/students-residents', heading: /Residents Forum$/, ways: ['Join the forum'] },
]

export const row: TrustRow = {
  id: 'T46',
  promise: 'Object storage, sponsor list, bot check, card provider, mail server each down',
  gate: false,
  undisturbed: true,
  waits: true,
  target:
    'refusing, hanging, slow, invalid responses, failing: every page usable and served < 3 s, also by a site started during the outage; placeholders for failed pictures; forms show the specified messages and keep input; 0 unhandled rejections',
  async run({ world: start, quick }) {
    const world = await start({ pages: true, environment: storageAt })
    const faults = new Faults()
    await fill(world)
    const browser = await launchBrowser()
    const slowest: number[] = []
    let forms = { uses: 0, slowest: 0 }
    let walls = 0
    const addresses = (await findPublicPages(world)).few.map(({ address }) => address)
    try {
      await seePictures(world, browser, faults)
      for (const fault of quick ? FAULTS.slice(0, 2) : FAULTS) {
        for (const service of SERVICES) await world.control({ [service]: 'ok' })
        await world.control({ advanceMs: OLDER_THAN_ANY_LISTING_MS })
        for (const { bucket, folder } of FOLDERS) {
          const { body } = await request(world.site.origin, { path: `/api/s3/${bucket}/folder/${folder}` })
          faults.expect(body?.data?.images?.length === 1, 'a healthy bucket is not listed', `${bucket}/${folder}`)
        }
        // A site that had loaded the pictures, then one started during the outage.
        for (const isCold of [false, true]) {
          for (const service of SERVICES) {
            await world.control({ [service]: fault, ...(fault === 'slow' && { slowMs: SLOW_MS }) })
          }
          await world.control({ advanceMs: OLDER_THAN_ANY_LISTING_MS })
          if (isCold) {
            await world.site.program.stop()
            await world.site.start()
          }
          slowest.push(await askEverything(world, addresses, `${fault}${isCold ? ', cold' : ''}`, faults))
          await look(world, browser, `${fault}${isCold ? ', cold' : ''}`, faults)
        }
      }
      for (const service of SERVICES) await world.control({ [service]: 'ok' })
      walls = await checkSponsorsDuringOutage(world, browser, faults)
      if (!quick) forms = await submitFormsDuringOutage(world, browser, faults)
    } finally {
      await browser.close()
    }
    const { program } = world.site
    faults.expect(!program.hasEnded, 'the site ended', program.errors)
    faults.expect(!/unhandled/i.test(program.errors + program.output), 'an unhandled rejection', program.errors)
    return {
      passed: faults.count === 0,
      reached:
        `all away at once in ${slowest.length} states x ${addresses.length} pages and ${FOLDERS.length} listings, slowest answer ${Math.round(Math.max(...slowest))} ms; ` +
        `${walls} walls of sponsors without their list; ${forms.uses} forms sent in trouble, slowest to speak ${(forms.slowest / 1_000).toFixed(1)} s; faults: ${faults}`,
      notes: 'Campaigns lie in the database of the site: T43 takes that away',
    }
  },
}

async function fill(world: World): Promise<void> {
  const drawing = readFileSync(join(TREE, 'public', 'art', 'clinic.svg'))
  for (const { bucket, folder } of FOLDERS) {
    const name = bucket === 'exec' ? 'president.svg' : 'the-open-door.svg'
    await storePicture(world, { bucket, folder, name, drawing })
  }
}

/** Returns the slowest time, in milliseconds. */
async function askEverything(
  world: World,
  addresses: readonly string[],
  state: string,
  faults: Faults,
): Promise<number> {
  const listings = await Promise.all(
    FOLDERS.map(async ({ bucket, folder }) => {
      const { status, body, ms } = await request(world.site.origin, { path: `/api/s3/${bucket}/folder/${folder}` })
      const isEmpty = status === 200 && body?.success === false && body.data?.images?.length === 0
      faults.expect(isEmpty, 'a listing is not an empty list', `${state} ${bucket}/${folder} ${status}`)
      return ms
    }),
  )
  const pages = await inParallel(addresses, PAGES_AT_ONCE, async (path) => {
    const { status, text, ms } = await request(world.site.origin, { path })
    faults.expect(status === 200 && text.includes('</html>'), 'a page is not whole', `${state} ${path} ${status}`)
    return ms
  })
  for (const ms of [...listings, ...pages]) faults.expect(ms < Response_WITHIN_MS, 'a slow answer', `${state} ${ms}`)
  return Math.max(...listings, ...pages)
}

/** As visitors see it. */
async function look(world: World, browser: Browser, state: string, faults: Faults): Promise<void> {
  await inParallel(PAGES, PAGES.length, async ({ path, heading, ways }) => {
    const page = await browser.newPage({ baseURL: world.siteUrl })
    page.setDefaultTimeout(PATIENCE_MS)
    page.on('pageerror', (error) => faults.add('an error in the page', `${state} ${path} ${error.message}`))
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    for (const name of ways) {
      const link = page.getByRole('link', { name }).first()
      faults.expect(await link.isVisible(), 'a way on is missing', `${state} ${path} ${name}`)
    }
    const isHonest = await page
      .waitForFunction(noPictureHasFailed, undefined, { timeout: PATIENCE_MS })
      .then(() => true)
      .catch(() => false)
    faults.expect(isHonest, 'a failed picture without a placeholder', `${state} ${path}`)
    await page.close()
  })
}

/** With the storage available, its pictures must be visible under the content security policy; otherwise this row proves nothing. */
async function seePictures(world: World, browser: Browser, faults: Faults): Promise<void> {
  for (const path of ['/clinic', '/students-residents']) {
    const page = await browser.newPage({ baseURL: world.siteUrl })
    page.on('pageerror', (error) => faults.add('an error in the page', `${path} ${error.message}`))
    await page.goto(path)
    const isSeen = await page
      .waitForFunction(hasPictureFrom, `${world.standinsUrl}/s3/`, { timeout: PATIENCE_MS })
      .then(() => true)
      .catch(() => false)
    faults.expect(isSeen, 'a picture of a healthy storage is not seen', path)
    await page.close()
  }
}

/** Runs in the page. A picture loads when it comes near. */
function hasPictureFrom(origin: string): boolean {
  const picture = [...document.images].find(({ src }) => src.startsWith(origin))
  picture?.scrollIntoView()
  return picture !== undefined && picture.complete && picture.naturalWidth > 0
}

/** Runs in the page: everything broken was replaced by its placeholder. */
function noPictureHasFailed(): boolean {
  return [...document.images].every((image) => !image.complete || image.naturalWidth > 0)
}
