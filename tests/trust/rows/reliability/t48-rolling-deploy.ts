import type { Browser } from 'playwright-core'
import { buildSite } from '#tools/build.ts'
import { arrive, visit, withBrowser } from '#tests/trust/browser/browsing.ts'
import { request } from '#tests/trust/http.ts'
import { inParallel, percentile, tally, until } from '#tests/trust/load.ts'
import { makeOlderBuild } from '#tests/trust/faults/renamed-build.ts'
import { Visitor } from '#tests/trust/people.ts'
import { sendMessage } from '#tests/trust/browser/public-forms.ts'
import { startRollingProxy, type RollingProxy } from '#tests/trust/faults/rolling-proxy.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const REQUESTS = 50_000
const CONNECTIONS = 64
/** One of every hundred requests is a message from /contact, which must be stored once. */
const MESSAGE_EVERY = 100
const SUBJECT = 'Sent while the site was renewed'
const ADDRESSES = [
  '/',
  '/events',
  '/about',
  '/news',
  '/become-a-member',
  '/api/membership-levels',
  '/api/newsletter/campaigns',
]
const STALE = [/Error loading route module/, /Failed to fetch dynamically/, /404/]

export const row: TrustRow = {
  id: 'T48',
  promise: 'Two instances, rolling deploy',
  gate: false,
  undisturbed: true,
  target:
    'restarted one by one under load: 0 failed requests of 50,000; an open page whose scripts no longer exist: one reload, on the requested page',
  async run({ world: start, count }) {
    const faults = new Faults()
    const world = await start({ instances: 2, pages: true, environment: { STOP_GRACE_SECONDS: '2' } })
    const rolled = await restartUnderLoad(world, count(REQUESTS, 4_000), faults)
    const page = await withBrowser(async (browser) => ({
      passed: true,
      reached: await keepOldPageOpen(world, browser, faults),
    }))
    return {
      passed: faults.count === 0 && page.passed,
      reached: `${rolled}; ${page.reached}; faults: ${faults}`,
      notes:
        'Through a proxy of the row that requests /readyz five times a second, sends requests that an instance refused to the other one, and repeats reads that failed; the older build is the same one under other names' +
        (page.notes ? `. ${page.notes}` : ''),
    }
  },
}

async function restartUnderLoad(world: World, requests: number, faults: Faults): Promise<string> {
  const proxy = await startRollingProxy(world.sites.map(({ origin }) => origin))
  let isOver = false
  let restarts = 0
  async function restartForEver(): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const site = world.siteOf(turn)
      await site.program.stop()
      await site.start()
      faults.expect(
        await until(async () => proxy.isReady(site.origin), { withinMs: 10_000 }).then(Boolean),
        'an instance did not come back',
      )
      restarts++
    }
  }
  const renewing = restartForEver()
  // Reported when awaited.
  renewing.catch(() => (isOver = true))
  const startedAt = performance.now()
  const loaded = await load(world, proxy, { requests, mayEnd: () => isOver || restarts >= world.sites.length, faults })
  const seconds = (performance.now() - startedAt) / 1_000
  isOver = true
  await renewing
  const { db } = world.database
  const stored = await db.selectFrom('contactMessage').select('id').where('subject', '=', SUBJECT).execute()
  faults.expect(stored.length === loaded.messages, 'messages stored', `${stored.length} of ${loaded.messages}`)
  const retried = [...proxy.retries].map(([reason, times]) => `${reason} ${times}`).join(', ') || 'none'
  await proxy.close()
  return (
    `${loaded.times.length} requests in ${seconds.toFixed(0)} s over ${restarts} restarts: ${loaded.failed} failed (${loaded.statuses}), ` +
    `p99 ${percentile(loaded.times, 0.99).toFixed(0)} ms, slowest ${Math.max(...loaded.times).toFixed(0)} ms, ` +
    `${loaded.messages} messages each stored once; sent on by the proxy: ${retried}`
  )
}

/** This many requests, and more until every instance was restarted. */
async function load(
  world: World,
  proxy: RollingProxy,
  { requests, mayEnd, faults }: { requests: number; mayEnd: () => boolean; faults: Faults },
) {
  const times: number[] = []
  const statuses: (number | string)[] = []
  let messages = 0
  const throughProxy = { origin: proxy.origin } as World['site']
  let begun = 0
  async function askOnce(index: number): Promise<void> {
    const isMessage = index % MESSAGE_EVERY === 0
    const path = ADDRESSES[index % ADDRESSES.length] ?? '/'
    const asked = isMessage
      ? sendMessage(new Visitor(world, { site: throughProxy }), { subject: SUBJECT })
      : request(proxy.origin, { path })
    const response = await asked.catch((error: Error) => ({ status: error.message, ms: 0, text: error.message }))
    times.push(response.ms)
    statuses.push(response.status)
    if (isMessage && response.status === 200) messages++
    faults.expect(response.status === 200, `${isMessage ? 'message' : path} answered ${response.status}`, response.text)
  }
  await inParallel(Array.from({ length: CONNECTIONS }), CONNECTIONS, async () => {
    while (begun < requests || !mayEnd()) await askOnce(begun++)
  })
  return { times, messages, statuses: tally(statuses), failed: statuses.filter((status) => status !== 200).length }
}

/** A page of the older build is open while the site switches to the newer one; then the visitor clicks a link. */
async function keepOldPageOpen(world: World, browser: Browser, faults: Faults): Promise<string> {
  const { directory } = await buildSite({ log: () => {} })
  const older = makeOlderBuild(directory)
  const { site } = world
  try {
    await site.program.stop()
    await site.start({ BUILD_DIR: older.directory })
    const guest = await arrive(browser, world)
    const { page } = guest
    const opened: string[] = []
    await visit(page, '/events')
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame())
        opened.push(new URL(request.url()).pathname)
    })
    await site.program.stop()
    await site.start()
    await page.getByRole('link', { name: 'Contact Us' }).first().click()
    await page.waitForURL(/\/contact$/)
    await page.waitForFunction(() => window.siteAliveAt)
    faults.expect(opened.join(' ') === '/contact', 'documents opened', opened.join(' '))
    // Of the present build, again in the browser.
    await page.getByRole('link', { name: /^News/ }).first().click()
    await page.waitForURL(/\/news/)
    faults.expect(opened.length === 1, 'opened again', opened.join(' '))
    const troubles = guest.takeTroubles(STALE)
    faults.expect(troubles.length === 0, 'console', troubles.join('; '))
    await guest.leave()
    return `the old page opened ${opened.length} document, ${opened.join(' ')}, where its reader wanted to go`
  } finally {
    older.remove()
  }
}
