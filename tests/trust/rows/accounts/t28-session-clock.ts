import type { Browser, Page } from 'playwright-core'
import { SAMPLE_PASSWORD } from '#tests/e2e/steps/people.ts'
import { arrive, withBrowser, type Guest } from '#tests/trust/browser/browsing.ts'
import { FIREFOX, launchFirefox } from '#tests/trust/browser/firefox.ts'
import { missingSentence } from '#tests/trust/faults/counterparts.ts'
import { inParallel, until } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const AT_ONCE = 2
const CHECK_MS = 60_000
const MINUTE_MS = 60_000
const REFRESH = '**/api/auth/refresh'
const USER = '{"username":"meera.r"}'

const WEBKIT_NOT_RUN =
  'WebKit: not run; its driver has no clock of a page and answers no requests, which many of the cases need'

/** The server refuses the tokens made here; Firefox asks for an icon beside `/robots.txt`. */
const EXPECTED = [/\/api\/auth\/refresh/, /status of 401 .*\/api\/account\//, /\(img-src\) at \S+\/favicon\.ico/]

type Stored = Record<string, string>

interface Case {
  name: string
  stored?: Stored
  /** Blocks storage before the first page. */
  refuses?: 'localStorage' | 'sessionStorage' | 'setItem' | 'all'
  /** Starts before the page is opened when it opens the page itself. @throws when the state is wrong */
  run(guest: Guest): Promise<void>
}

const base64 = (text: string) => Buffer.from(text).toString('base64url')
const tokenWith = (payload: string) => `e30.${base64(payload)}.sig`
/** `ms` until it expires, as the browser reads it; the server would reject it. */
const tokenFor = (ms: number) => tokenWith(JSON.stringify({ exp: (Date.now() + ms) / 1_000 }))

/** Malformed tokens: not a string, a missing part, invalid base64 or JSON; and valid ones without claims. */
const UNREADABLE: [string, string][] = [
  ['empty', ''],
  ['a blank', ' '],
  ['no dot', 'nonsense'],
  ['one part', 'e30.'],
  ['only dots', '..'],
  ['a middle that is empty', 'e30..sig'],
  ['base64 that is none', 'e30.%%%.sig'],
  ['base64 of bytes that are no text', 'e30._w.sig'],
  ['JSON that breaks off', tokenWith('{"exp":')],
  ['no JSON', tokenWith('not json')],
  ['null', tokenWith('null')],
  ['a number', tokenWith('7')],
  ['a list', tokenWith('[]')],
  ['no exp', tokenWith('{}')],
  ['exp null', tokenWith('{"exp":null}')],
  ['exp in words', tokenWith('{"exp":"soon"}')],
  ['exp as text', tokenWith('{"exp":"9999999999"}')],
  ['exp beyond numbers', tokenWith('{"exp":1e999}')],
  ['exp long past', tokenWith('{"exp":1}')],
  ['exp below zero', tokenWith('{"exp":-9999999999}')],
  ['100 kB', `e30.${'x'.repeat(100_000)}.sig`],
]

const UNREADABLE_USERS: [string, string | null][] = [
  ['absent', null],
  ['that breaks off', '{"username":'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"meera.r"'],
  ['whose name is a number', '{"username":5}'],
]

const CASES: Case[] = [
  ...UNREADABLE.map(([name, token]): Case => ({
    name: `token: ${name}`,
    stored: { token, user: USER },
    async run({ page }) {
      await page.goto('/')
      await requireSignedOut(page)
    },
  })),
  ...UNREADABLE_USERS.map(([name, user]): Case => ({
    name: `user: ${name}`,
    stored: { token: tokenFor(60 * MINUTE_MS), ...(user !== null && { user }) },
    async run({ page }) {
      await page.goto('/')
      await menu(page).waitFor()
    },
  })),
  clockCase('a token that ends before the check is cleared by it', 30_000, async ({ page, pass }) => {
    await menu(page).waitFor()
    await pass(CHECK_MS)
    await requireSignedOut(page)
  }),
  clockCase('a token that ends after the check is cleared by the next', 90_000, async ({ page, pass }) => {
    await menu(page).waitFor()
    await pass(CHECK_MS)
    await menu(page).waitFor()
    await pass(CHECK_MS)
    await requireSignedOut(page)
  }),
  clockCase('with more than 5 minutes left nothing is exchanged', 8 * MINUTE_MS, async ({ page, pass, asked }) => {
    await menu(page).waitFor()
    await pass(CHECK_MS)
    require(asked() === 0, `asked ${asked()} times`)
  }),
  clockCase('with less than 5 minutes left it is exchanged at the check', 6 * MINUTE_MS, async (clock) => {
    await menu(clock.page).waitFor()
    require(clock.asked() === 0, 'asked at the start')
    await clock.pass(2 * CHECK_MS)
    await requireSoon(() => clock.asked() === 1, 'not asked')
  }),
  clockCase('with less than 5 minutes left it is exchanged at the start', 4 * MINUTE_MS, async ({ page, asked }) => {
    await menu(page).waitFor()
    await requireSoon(() => asked() === 1, 'not asked')
  }),
  clockCase('refused, it is not asked for again, and the session goes on to its end', 4 * MINUTE_MS, async (clock) => {
    await requireSoon(() => clock.asked() === 1, 'not asked')
    await clock.pass(CHECK_MS)
    await clock.pass(CHECK_MS)
    await menu(clock.page).waitFor()
    require(clock.asked() === 1, `asked ${clock.asked()} times`)
    await clock.pass(3 * CHECK_MS)
    await requireSignedOut(clock.page)
  }),
  clockCase(
    'without an answer it is asked for again',
    4 * MINUTE_MS,
    async ({ pass, asked }) => {
      await requireSoon(() => asked() === 1, 'not asked')
      await pass(CHECK_MS)
      await requireSoon(() => asked() === 2, 'not asked again')
    },
    'none',
  ),
  clockCase(
    'exchanged, the new token is kept',
    4 * MINUTE_MS,
    async ({ page, asked }) => {
      await requireSoon(() => asked() === 1, 'not asked')
      await page.waitForFunction(() => localStorage.getItem('token')?.endsWith('.fresh'))
      await menu(page).waitFor()
    },
    'fresh',
  ),
  tabCase('the token is removed: logged out here too', async (here, there) => {
    await there.evaluate(() => localStorage.removeItem('token'))
    await requireSignedOut(here, ['token'])
  }),
  tabCase('everything is cleared: logged out here too', async (here, there) => {
    await there.evaluate(() => localStorage.clear())
    await requireSignedOut(here)
  }),
  tabCase('the user is another: shown here', async (here, there) => {
    await there.evaluate(() => localStorage.setItem('user', '{"username":"other.one"}'))
    await here.getByRole('button', { name: 'Account menu for other.one' }).waitFor()
  }),
  tabCase('the user cannot be read: nothing changes here', async (here, there) => {
    await there.evaluate(() => localStorage.setItem('user', '{"username":'))
    await there.evaluate(() => localStorage.setItem('mark', '1'))
    await here.waitForFunction(() => localStorage.getItem('mark') === '1')
    await here.getByRole('button', { name: 'Account menu for meera.r' }).waitFor()
  }),
  tabCase('the user is removed: still signed in by the token', async (here, there) => {
    await there.evaluate(() => localStorage.removeItem('user'))
    await here.getByRole('button', { name: 'Account menu', exact: true }).waitFor()
  }),
  ...(['localStorage', 'sessionStorage', 'setItem', 'all'] as const).map((refuses): Case => ({
    name: `storage refused: ${refuses}`,
    refuses,
    async run({ page }) {
      await page.goto('/auth/login')
      // In Firefox `fill` sets the value by script, which React does not take for input.
      await page.getByLabel('Email or username').pressSequentially('annual@example.org')
      await page.getByLabel('Password', { exact: true }).pressSequentially(SAMPLE_PASSWORD)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.waitForURL(({ pathname }) => pathname === '/')
      await menu(page).waitFor()
    },
  })),
]

export const row: TrustRow = {
  id: 'T28',
  promise: 'Session clock',
  gate: false,
  target:
    '60 s check, 5 minutes "soon", other tab, malformed tokens, storage blocked or full: no crash, correct state, 40 cases on 3 engines',
  async run({ world: start, count }) {
    const world = await start({ pages: true })
    const cases = CASES.filter((_, at) => at % count(1, 6) === 0)
    const faults = new Faults()
    return withBrowser(async (chromium) => {
      const right = [`Chromium ${await runAll(chromium, { world, cases, faults, engine: 'Chromium' })}`]
      const firefox = await launchFirefox()
      if (firefox) {
        const count = await runAll(firefox, { world, cases, faults, engine: 'Firefox' })
        right.push(`Firefox ${firefox.version()} ${count}`)
        await firefox.close()
      }
      return {
        passed: faults.count === 0 && CASES.length >= 40,
        reached: `of ${cases.length} cases right: ${right.join(', ')}; faults: ${faults}`,
        notes: [firefox ? '' : `Firefox ${missingSentence([FIREFOX])}`, WEBKIT_NOT_RUN].filter(Boolean).join('. '),
      }
    })
  },
}

async function runAll(
  browser: Browser,
  { world, cases, faults, engine }: { world: World; cases: readonly Case[]; faults: Faults; engine: string },
): Promise<number> {
  let right = 0
  // Firefox does not reliably open two new pages at the same time.
  await inParallel(cases, engine === 'Firefox' ? 1 : AT_ONCE, async ({ name, stored = {}, refuses, run }) => {
    const guest = await arrive(browser, world)
    await storeFirst(guest.page, stored)
    if (refuses) await guest.context.addInitScript(refuseStorage, refuses)
    try {
      await run(guest)
      const troubles = guest.takeTroubles(EXPECTED)
      for (const trouble of troubles) faults.add(`trouble in ${engine}`, `${name}: ${trouble}`)
      if (troubles.length === 0) right++
    } catch (error) {
      faults.add(`not right in ${engine}`, `${name}: ${(error as Error).message.split('\n')[0]}`)
    }
    await guest.leave()
  })
  return right
}

/** On a page without scripts: Firefox cannot begin with a storage. */
async function storeFirst(page: Page, stored: Stored): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate((entries) => {
    for (const [key, value] of entries) localStorage.setItem(key, value)
  }, Object.entries(stored))
}

interface Clock {
  page: Page
  /** Advances the browser's clock. */
  pass(ms: number): Promise<void>
  /** How often a new token was requested. */
  asked(): number
}

/** @param leftMs the stored token's remaining lifetime; `answer`: the response to a refresh */
function clockCase(
  name: string,
  leftMs: number,
  check: (clock: Clock) => Promise<void>,
  response: 'refused' | 'none' | 'fresh' = 'refused',
): Case {
  return {
    name,
    stored: { user: USER },
    async run({ page, context }) {
      let asked = 0
      await context.route(REFRESH, async (route) => {
        asked++
        if (response === 'none') return route.abort()
        const fresh = tokenFor(7 * 24 * 60 * MINUTE_MS).replace(/sig$/, 'fresh')
        return response === 'fresh'
          ? route.fulfill({ json: { token: fresh } })
          : route.fulfill({ status: 401, json: { message: 'x', code: 'SESSION_EXPIRED' } })
      })
      await page.clock.install()
      await storeFirst(page, { token: tokenFor(leftMs) })
      await page.goto('/')
      await menu(page).waitFor()
      await check({ page, asked: () => asked, pass: (ms) => page.clock.fastForward(ms + 1_000) })
    },
  }
}

function tabCase(name: string, check: (here: Page, there: Page) => Promise<void>): Case {
  return {
    name: `other tab: ${name}`,
    stored: { token: tokenFor(60 * MINUTE_MS), user: USER },
    async run({ page, context }) {
      await page.goto('/')
      await menu(page).waitFor()
      const there = await context.newPage()
      await there.goto('/about')
      await menu(there).waitFor()
      await check(page, there)
    },
  }
}

const menu = (page: Page) => page.getByRole('button', { name: /^Account menu/ })

async function requireSignedOut(page: Page, keys: readonly string[] = ['token', 'user']): Promise<void> {
  await page.getByRole('link', { name: 'Sign up' }).waitFor()
  await requireSoon(
    () => page.evaluate((names) => names.every((name) => localStorage.getItem(name) === null), keys),
    'not cleared',
  )
}

async function requireSoon(holds: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
  require((await until(async () => holds(), { withinMs: 5_000 })) !== null, otherwise)
}

function require(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

/** Runs in the page, before its scripts. */
function refuseStorage(what: 'localStorage' | 'sessionStorage' | 'setItem' | 'all'): void {
  const refuse = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  if (what === 'setItem') Object.defineProperty(Storage.prototype, 'setItem', { value: refuse })
  if (what === 'localStorage' || what === 'all') Object.defineProperty(window, 'localStorage', { get: refuse })
  if (what === 'sessionStorage' || what === 'all') Object.defineProperty(window, 'sessionStorage', { get: refuse })
}
