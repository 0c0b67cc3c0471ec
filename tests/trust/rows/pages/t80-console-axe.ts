import type { Browser, BrowserContextOptions } from 'playwright-core'
import { officerLimits, ROLES } from '#contract/access.ts'
import { AxeLooks } from '#tests/trust/browser/axe-looks.ts'
import { arrive, visit, withBrowser } from '#tests/trust/browser/browsing.ts'
import { walkConsole } from '#tests/trust/browser/scenes.ts'
import { createOfficer, type TrustOfficer } from '#tests/trust/officers.ts'
import { expectStatus, Visitor } from '#tests/trust/people.ts'
import type { TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { consoleRoutes, matchConsoleRoute, routeUrl } from '#web/console/console-routes.ts'

export const row: TrustRow = {
  id: 'T80',
  promise: 'axe, in the console',
  gate: false,
  target:
    'every console page and state x light, dark, forced colors x 100, 200, 400 %: 0 violations, 0 undecided incomplete results, no horizontal scrolling',
  async run({ world: start }) {
    const world = await start({ pages: true, environment: { SAMPLES: 'many' } })
    const officer = await createOfficer(world, ROLES)
    const storageState = await stateOf(world, officer)
    const renew = keepFresh(officer)
    const axe = new AxeLooks()
    return withBrowser(async (browser) => {
      const { addresses, missing } = await findConsolePages({ browser, world, storageState })
      const scenes = await walkConsole({ browser, world, addresses, storageState }, async (scene) => {
        await renew()
        await axe.judge(scene)
      })
      return {
        passed: axe.faults.count === 0,
        reached: `${scenes} scenes of ${addresses.length} of ${consoleRoutes.length} pages, ${axe.looks} looks; ${axe.judged} findings axe leaves open judged by the painted pixels; faults: ${axe.faults}`,
        notes: missing.length > 0 ? `No link leads there in the samples: ${missing.join(', ')}` : '',
      }
    })
  },
}

type StorageState = NonNullable<BrowserContextOptions['storageState']>

/** Gives the second factor again before it is too old for sensitive pages: on a slow machine the walk takes longer. */
function keepFresh({ visitor, codeAt }: TrustOfficer): () => Promise<void> {
  let provedAt = Date.now()
  return async () => {
    const now = Date.now()
    if (now - provedAt < officerLimits.freshForMs / 2) return
    provedAt = now
    expectStatus(await visitor.post('/api/console/second-factor/prove', { code: codeAt(now) }), 200, 'second factor')
  }
}

/** The browser storage of an officer with a fresh second factor. */
async function stateOf(world: World, officer: TrustOfficer): Promise<StorageState> {
  const login = expectStatus(await new Visitor(world).logIn(officer.email, officer.password), 200, 'login')
  const localStorage = [
    { name: 'token', value: officer.visitor.token ?? '' },
    { name: 'user', value: JSON.stringify((login.body as { user: unknown }).user) },
  ]
  return { cookies: [], origins: [{ origin: world.siteUrl, localStorage }] }
}

interface Finding {
  browser: Browser
  world: World
  storageState: StorageState
}

/** One address of every console page: those without parameters, and for the others the first link that leads there. */
async function findConsolePages({ browser, world, storageState }: Finding) {
  const found = new Map(
    consoleRoutes.filter(({ path }) => !path.includes(':')).map((route) => [route, routeUrl(route)]),
  )
  const guest = await arrive(browser, world, { storageState, reducedMotion: 'reduce' })
  try {
    // A map yields what is added during the iteration too: pages that are reached through others.
    for (const address of found.values()) {
      await visit(guest.page, address)
      const links = await guest.page
        .locator('main a[href^="/console/"]')
        .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
      for (const link of links) {
        const route = matchConsoleRoute(link)?.route
        if (route && !found.has(route)) found.set(route, link)
      }
    }
  } finally {
    await guest.leave()
  }
  const missing = consoleRoutes.filter((route) => !found.has(route)).map(({ path }) => path)
  return { addresses: [...found.values()], missing }
}
