import type { Browser } from 'playwright-core'
import { buildSite } from '#tools/build.ts'
import { arrive, visit, withBrowser } from '#tests/trust/browser/browsing.ts'
import { makeOlderBuild } from '#tests/trust/faults/renamed-build.ts'
import { restartUnderLoad } from '#tests/trust/faults/rolling-load.ts'
import { startRollingProxy } from '#tests/trust/faults/rolling-proxy.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const REQUESTS = 50_000
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
    const proxy = await startRollingProxy(world.sites.map(({ origin }) => origin))
    const balancer = {
      origin: proxy.origin,
      isReady: async (origin: string) => proxy.isReady(origin),
      sentOn: async () => [...proxy.retries].map(([reason, times]) => `${reason} ${times}`).join(', ') || 'none',
    }
    const rolled = await restartUnderLoad(world, balancer, { requests: count(REQUESTS, 4_000), faults })
    await proxy.close()
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
