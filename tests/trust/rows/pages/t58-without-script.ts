import type { Browser } from 'playwright-core'
import { arrive, PHONE, visit, WIDE, withBrowser } from '#tests/trust/browser/browsing.ts'
import { makeJourneys } from '#tests/trust/browser/engine-journeys.ts'
import { startEngines } from '#tests/trust/browser/engines.ts'
import type { Engine } from '#tests/trust/browser/tab.ts'
import { unexpected } from '#tests/e2e/steps/browser-errors.ts'
import { inParallel } from '#tests/trust/load.ts'
import { findPublicPages, UNKNOWN_PAGE } from '#tests/trust/browser/public-pages.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { request } from '#tests/trust/http.ts'

const AT_ONCE = 2
const NEEDS_SCRIPT = /^(This form needs|.+ needs?) JavaScript\b/

/** A failing call belongs to a page with an invalid token; an unknown page is reported as a 404. */
const BELONGS = [/status of (400|403|404|410) .*(an-invented-|\/api\/|no-such-page)/]

/** The visible parts of a page. */
interface Sight {
  heading: string
  headings: string[]
  /** Visible links in the navigation. */
  navigation: number
  forms: number
  explains: boolean
  brokenPictures: string[]
  pdfs: string[]
}

/** The console has a frame of its own, and the membership card fills the screen. */
const WITHOUT_NAVIGATION = ['/console', '/auth/account/card']

export const row: TrustRow = {
  id: 'T58',
  promise: 'Works without JavaScript and on 3 engines',
  gate: false,
  target:
    'every route readable without JavaScript: the same headings, full navigation at both widths, documents, forms that explain what they need; with JavaScript 0 console errors, in Chromium, Firefox, WebKit; in each, the menu opens, and one can log in and join up to the payment',
  async run({ world: start }) {
    const world = await start({ pages: true })
    const { few, note } = await findPublicPages(world)
    const addresses = [...few.map(({ address }) => address), UNKNOWN_PAGE]
    const faults = new Faults()
    let documents = 0
    let explained = 0
    return withBrowser(async (chromium) => {
      const live = await seeAll({ browser: chromium, world, addresses, faults })
      const plain = await seePlainly(chromium, { world, addresses, viewport: WIDE })
      const phone = await seePlainly(chromium, { world, addresses, viewport: PHONE })
      const most = Math.max(...plain.map(({ navigation }) => navigation))
      for (const [at, address] of addresses.entries()) {
        const sight = plain[at] as Sight
        faults.expect(sight.heading !== '', 'no h1', address)
        // A heading that the browser renders later is excluded; that only happens with a form or an invalid token.
        const lost = (live[at] as Sight).headings.filter((heading) => !sight.headings.includes(heading))
        if (!sight.explains)
          faults.expect(lost.length === 0, 'not there without script', `${address}: ${lost.join(' | ')}`)
        const onPhone = phone[at]?.navigation ?? 0
        if (!WITHOUT_NAVIGATION.includes(address)) {
          faults.expect(
            sight.navigation === most && most > 0,
            'navigation',
            `${address}: ${sight.navigation} of ${most}`,
          )
          faults.expect(onPhone >= most, 'navigation of a phone', `${address}: ${onPhone} of ${most}`)
        }
        faults.expect(sight.forms === 0 || sight.explains, 'form without a word', address)
        faults.expect(sight.brokenPictures.length === 0, 'picture', `${address}: ${sight.brokenPictures.join(' ')}`)
        explained += sight.explains ? 1 : 0
        for (const pdf of sight.pdfs) {
          const { status, headers } = await request(world.site.origin, { path: new URL(pdf).pathname })
          faults.expect(status === 200 && headers['content-type'] === 'application/pdf', 'document', `${pdf} ${status}`)
          documents++
        }
      }
      faults.expect(documents > 0, 'no document is linked')
      const engines = await startEngines(chromium, world)
      try {
        const said: string[] = []
        for (const engine of engines.all) {
          if (engine.name !== 'Chromium') await seeHeadings(engine, addresses, faults)
          const journeys = await makeJourneys(engine, world, faults)
          const errors = faults.countOf(`trouble in ${engine.name}`)
          said.push(`${engine.name} ${engine.version}: ${journeys}, console errors: ${errors}`)
        }
        return {
          passed: faults.count === 0,
          reached: `${addresses.length} addresses readable without JavaScript (${most} places in the navigation, ${explained} say what they need, ${documents} documents); with it, ${said.join('; ')}; faults: ${faults}`,
          notes: [note, engines.notRun].filter(Boolean).join('. '),
        }
      } finally {
        await engines.close()
      }
    })
  },
}

interface Seeing {
  browser: Browser
  world: World
  addresses: readonly string[]
  faults: Faults
}

/** With JavaScript: what is visible, and console errors. */
async function seeAll({ browser, world, addresses, faults }: Seeing): Promise<Sight[]> {
  return inParallel(addresses, AT_ONCE, async (address) => {
    const guest = await arrive(browser, world)
    await visit(guest.page, address)
    const sight = await guest.page.evaluate(look)
    for (const trouble of guest.takeTroubles(BELONGS)) faults.add('trouble in Chromium', `${address}: ${trouble}`)
    await guest.leave()
    return { ...sight, explains: false }
  })
}

async function seePlainly(
  browser: Browser,
  { world, addresses, viewport }: { world: World; addresses: readonly string[]; viewport: typeof WIDE },
): Promise<Sight[]> {
  const { page, leave } = await arrivePlainly(browser, world, viewport)
  const sights: Sight[] = []
  for (const address of addresses) {
    await page.goto(address)
    // Menu groups open without JavaScript; the group of the current page is open already.
    const closed = page.locator('header details:not([open]) > summary').filter({ visible: true })
    while ((await closed.count()) > 0) await closed.first().click()
    const explanations = await page.getByText(NEEDS_SCRIPT).filter({ visible: true }).count()
    sights.push({ ...(await page.evaluate(look)), explains: explanations > 0 })
  }
  await leave()
  return sights
}

async function arrivePlainly(browser: Browser, world: World, viewport: typeof WIDE) {
  const guest = await arrive(browser, world, { javaScriptEnabled: false, viewport, reducedMotion: 'reduce' })
  return { page: guest.page, leave: () => guest.leave() }
}

/** Runs in the page. */
function look(): Sight {
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  const seen = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(isSeen)
  const wordsOf = (element: Element | undefined) => element?.textContent.replace(/\s+/g, ' ').trim() ?? ''
  const pictures = seen('img') as HTMLImageElement[]
  return {
    heading: wordsOf(seen('h1')[0]),
    headings: seen('main :is(h1, h2, h3, h4)').map(wordsOf),
    navigation: new Set(seen('header nav a').map((link) => (link as HTMLAnchorElement).pathname)).size,
    forms: seen('main form').length,
    explains: false,
    brokenPictures: pictures.filter((img) => img.complete && img.naturalWidth === 0).map(({ src }) => src),
    pdfs: (seen('a[href$=".pdf"]') as HTMLAnchorElement[]).map(({ href }) => href),
  }
}

/** With JavaScript, in another engine: each page has its heading, and no console errors. */
async function seeHeadings(engine: Engine, addresses: readonly string[], faults: Faults): Promise<void> {
  for (const address of addresses) {
    const tab = await engine.open()
    await tab.open(address)
    const { heading } = await tab.run(look)
    faults.expect(heading !== '', `no h1 in ${engine.name}`, address)
    for (const trouble of unexpected(await tab.takeTroubles(), BELONGS))
      faults.add(`trouble in ${engine.name}`, `${address}: ${trouble}`)
    await tab.leave()
  }
}
