import type { Browser, Request } from 'playwright-core'
import { pageData } from '#web/app/page-data.ts'
import { arrive, PHONE, waitUntilIdle, visit, WIDE, withBrowser } from '#tests/trust/browser/browsing.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const PAGES = ['/clinic', '/contact']
/** The distance at which Chromium starts lazy loading on a slow connection. */
const NEAR_PX = 2_500
const NOTE = /\b(do not|don't|never|not to)\b[^.]*\b(medical|health) (information|details|records|history)/i
const CANARY = 'canary-of-a-medical-secret'

export const row: TrustRow = {
  id: 'T66',
  promise: 'Health privacy',
  gate: false,
  target:
    'on /clinic and /contact, network log from the first byte to the end of the page and through its form: only our own origin, the bot check after hydration and the map when near; neither learns the page; nothing is stored; the note not to send medical information is shown',
  async run({ world: start }) {
    const world = await start({ pages: true })
    const faults = new Faults()
    const there = PAGES.filter((page) => pageData.some(({ path }) => path === page))
    for (const page of PAGES) faults.expect(there.includes(page), 'page not built yet', page)
    return withBrowser(async (browser) => {
      let requests = 0
      for (const address of there) {
        for (const viewport of [WIDE, PHONE]) {
          requests += await watchVisit(browser, { world, address, viewport, faults })
        }
      }
      return {
        passed: faults.count === 0,
        reached: `${there.join(', ') || 'neither page'}: ${requests} requests on two widths, read to the end and through the form; faults: ${faults}`,
        notes: `Bot check and map are the stand-ins. What waits for its place may be fetched ${NEAR_PX} px before it`,
      }
    })
  },
}

interface Watched {
  world: World
  address: string
  viewport: typeof WIDE
  faults: Faults
}

async function watchVisit(browser: Browser, { world, address, viewport, faults }: Watched): Promise<number> {
  const guest = await arrive(browser, world, { viewport })
  const { page, context } = guest
  const where = `${address}, ${viewport.width} px`
  const log: Request[] = []
  context.on('request', (request) => log.push(request))

  await visit(page, address)
  const distance = await page.locator('footer iframe').evaluate((map) => map.getBoundingClientRect().top - innerHeight)
  const isNear = distance <= NEAR_PX
  const early = log.filter((request) => isMap(request, world))
  faults.expect(isNear || early.length === 0, 'map before it is near', `${where}: ${Math.round(distance)} px away`)
  const tooEarly = await page.evaluate(findTooEarly, world.standinsUrl)
  faults.expect(tooEarly.length === 0, 'asked before the page is alive', `${where}: ${tooEarly.join(', ')}`)
  const words = await page.locator('main').innerText()
  faults.expect(NOTE.test(words), 'no note about medical information', where)
  await page.locator('footer').scrollIntoViewIfNeeded()
  await waitUntilIdle(page)
  await sendForm(page)

  for (const request of log) {
    const url = new URL(request.url())
    if (!url.protocol.startsWith('http') || url.origin === world.siteUrl) continue
    const isKnown = isMap(request, world) || isBotCheck(request, world)
    faults.expect(isKnown, 'stranger', `${where}: ${url.href}`)
    const { referer = '' } = await request.allHeaders()
    const told = `${url.href} ${request.postData() ?? ''} ${referer}`
    faults.expect(!told.includes(address) && !told.includes(CANARY), 'stranger learns the page', `${where}: ${told}`)
  }
  const hints = await page.locator('link[rel~=preconnect], link[rel~=dns-prefetch], link[rel~=prefetch]').count()
  faults.expect(hints === 0, 'other origins are contacted in advance', where)
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  faults.expect(!kept.includes(CANARY), 'message kept in the browser', `${where}: ${kept}`)
  const cookies = await context.cookies()
  faults.expect(cookies.length === 0, 'cookie', `${where}: ${cookies.map(({ name }) => name).join(', ')}`)
  await guest.leave()
  return log.length
}

/** Submits the contact form, if there is one, as a person who shares too much. */
async function sendForm(page: Awaited<ReturnType<typeof arrive>>['page']): Promise<void> {
  const form = page.locator('main form')
  if ((await form.count()) === 0) return
  for (const field of await form.locator('input:visible, textarea:visible').all()) {
    const isEmail = (await field.getAttribute('type')) === 'email'
    await field.fill(isEmail ? 'asha@example.org' : `About ${CANARY}, in confidence`)
  }
  await form.locator('[type=submit]').click()
  await waitUntilIdle(page)
}

/** Runs in the page. Third-party scripts requested before hydration (docs/product-rules.md#third-parties). */
function findTooEarly(origin: string): string[] {
  return (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ name, initiatorType }) => name.startsWith(origin) && initiatorType === 'script')
    .filter(({ startTime }) => startTime < (window.siteAliveAt ?? Infinity))
    .map(({ name }) => name)
}

function isMap(request: Request, { standinsUrl }: World): boolean {
  return request.url() === `${standinsUrl}/map`
}

function isBotCheck(request: Request, { standinsUrl }: World): boolean {
  return request.url().startsWith(`${standinsUrl}/recaptcha/`)
}
