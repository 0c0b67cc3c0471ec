import { SAMPLE_PASSWORD } from '#tests/e2e/steps/people.ts'
import { unexpected } from '#tests/e2e/steps/browser-errors.ts'
import { withBrowser } from '#tests/trust/browser/browsing.ts'
import { startEngines } from '#tests/trust/browser/engines.ts'
import { MOVABLE_TIME, passTime } from '#tests/trust/browser/page-clock.ts'
import type { Answers, Engine, Tab, Wishes } from '#tests/trust/browser/tab.ts'
import { until } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const CHECK_MS = 60_000
const MINUTE_MS = 60_000
const REFRESH = '/api/auth/refresh'
const USER = '{"username":"meera.r"}'

/** The server refuses the tokens made here; some are aborted on purpose; Firefox asks for an icon beside `/robots.txt`. */
const EXPECTED = [/\/api\/auth\/refresh/, /status of 401 .*\/api\/account\//, /\(img-src\) at \S+\/favicon\.ico/]

type Stored = Record<string, string>

interface Case {
  name: string
  /** @param open opens a new browser in which this is stored. @throws when the state is wrong */
  run(open: (stored: Stored, wishes?: Wishes) => Promise<Tab>): Promise<void>
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
    async run(open) {
      const tab = await open({ token, user: USER })
      await tab.open('/')
      await requireSignedOut(tab)
    },
  })),
  ...UNREADABLE_USERS.map(([name, user]): Case => ({
    name: `user: ${name}`,
    async run(open) {
      const tab = await open({ token: tokenFor(60 * MINUTE_MS), ...(user !== null && { user }) })
      await tab.open('/')
      await seeMenu(tab)
    },
  })),
  clockCase('a token that ends before the check is cleared by it', 30_000, async ({ tab, pass }) => {
    await pass(CHECK_MS)
    await requireSignedOut(tab)
  }),
  clockCase('a token that ends after the check is cleared by the next', 90_000, async ({ tab, pass }) => {
    await pass(CHECK_MS)
    await seeMenu(tab)
    await pass(CHECK_MS)
    await requireSignedOut(tab)
  }),
  clockCase('with more than 5 minutes left nothing is exchanged', 8 * MINUTE_MS, async ({ tab, pass, asked }) => {
    await pass(CHECK_MS)
    await seeMenu(tab)
    require(asked() === 0, `asked ${asked()} times`)
  }),
  clockCase('with less than 5 minutes left it is exchanged at the check', 6 * MINUTE_MS, async (clock) => {
    require(clock.asked() === 0, 'asked at the start')
    await clock.pass(2 * CHECK_MS)
    await requireSoon(() => clock.asked() === 1, 'not asked')
  }),
  clockCase('with less than 5 minutes left it is exchanged at the start', 4 * MINUTE_MS, async ({ asked }) => {
    await requireSoon(() => asked() === 1, 'not asked')
  }),
  clockCase('refused, it is not asked for again, and the session goes on to its end', 4 * MINUTE_MS, async (clock) => {
    await requireSoon(() => clock.asked() === 1, 'not asked')
    await clock.pass(CHECK_MS)
    await clock.pass(CHECK_MS)
    await seeMenu(clock.tab)
    require(clock.asked() === 1, `asked ${clock.asked()} times`)
    await clock.pass(3 * CHECK_MS)
    await requireSignedOut(clock.tab)
  }),
  clockCase(
    'without an answer it is asked for again',
    4 * MINUTE_MS,
    async ({ tab, pass, asked }) => {
      await requireSoon(() => asked() === 1, 'not asked')
      // Until the page has heard that there is no answer.
      await tab.run(() => new Promise<void>((done) => setTimeout(done, 500)))
      await pass(CHECK_MS)
      await requireSoon(() => asked() === 2, 'not asked again')
    },
    'none',
  ),
  clockCase(
    'exchanged, the new token is kept',
    4 * MINUTE_MS,
    async ({ tab, asked }) => {
      await requireSoon(() => asked() === 1, 'not asked')
      await requireSoon(() => tab.run(() => localStorage.getItem('token')?.endsWith('.fresh') ?? false), 'not kept')
      await seeMenu(tab)
    },
    'fresh',
  ),
  tabCase('the token is removed: logged out here too', async (here, there) => {
    await there.run(() => localStorage.removeItem('token'))
    await requireSignedOut(here, ['token'])
  }),
  tabCase('everything is cleared: logged out here too', async (here, there) => {
    await there.run(() => localStorage.clear())
    await requireSignedOut(here)
  }),
  tabCase('the user is another: shown here', async (here, there) => {
    await there.run(() => localStorage.setItem('user', '{"username":"other.one"}'))
    await here.see('button', /^Account menu for other\.one$/)
  }),
  tabCase('the user cannot be read: nothing changes here', async (here, there) => {
    await there.run(() => localStorage.setItem('user', '{"username":'))
    await there.run(() => localStorage.setItem('mark', '1'))
    await requireSoon(() => here.run(() => localStorage.getItem('mark') === '1'), 'not marked')
    await here.see('button', /^Account menu for meera\.r$/)
  }),
  tabCase('the user is removed: still signed in by the token', async (here, there) => {
    await there.run(() => localStorage.removeItem('user'))
    await here.see('button', /^Account menu$/)
  }),
  ...(['localStorage', 'sessionStorage', 'setItem', 'all'] as const).map((refuses): Case => ({
    name: `storage refused: ${refuses}`,
    async run(open) {
      const tab = await open({}, { preload: `(${refuseStorage.toString()})(${JSON.stringify(refuses)})` })
      await tab.open('/auth/login')
      await tab.fill(/^Email or username/, 'annual@example.org')
      await tab.fill(/^Password/, SAMPLE_PASSWORD)
      await tab.press('button', /^Log in$/)
      await requireSoon(async () => (await tab.pathname()) === '/', 'not logged in')
      await seeMenu(tab)
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
      const engines = await startEngines(chromium, world)
      try {
        const right: string[] = []
        for (const engine of engines.all) {
          const count = await runAll(engine, cases, faults)
          right.push(`${count} in ${engine.name} ${engine.version}`)
        }
        return {
          passed: faults.count === 0 && CASES.length >= 40,
          reached: `of ${cases.length} cases right: ${right.join(', ')}; faults: ${faults}`,
          ...(engines.notRun && { notes: engines.notRun }),
        }
      } finally {
        await engines.close()
      }
    })
  },
}

async function runAll(engine: Engine, cases: readonly Case[], faults: Faults): Promise<number> {
  let right = 0
  for (const { name, run } of cases) {
    let opened: Tab | null = null
    try {
      await run(async (stored, wishes) => {
        opened = await engine.open(wishes)
        await storeFirst(opened, stored)
        return opened
      })
      const troubles = unexpected((await (opened as Tab | null)?.takeTroubles()) ?? [], EXPECTED)
      for (const trouble of troubles) faults.add(`trouble in ${engine.name}`, `${name}: ${trouble}`)
      if (troubles.length === 0) right++
    } catch (error) {
      faults.add(`not right in ${engine.name}`, `${name}: ${(error as Error).message.split('\n')[0]}`)
    }
    await (opened as Tab | null)?.leave()
  }
  return right
}

/** On a page without scripts: not every engine can begin with a storage. */
async function storeFirst(tab: Tab, stored: Stored): Promise<void> {
  await tab.openPlain('/robots.txt')
  await tab.run((entries) => {
    for (const [key, value] of entries) localStorage.setItem(key, value)
  }, Object.entries(stored))
}

interface Clock {
  tab: Tab
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
    async run(open) {
      let asked = 0
      const answers: Answers = {
        [REFRESH]() {
          asked++
          if (response === 'none') return null
          const token = tokenFor(7 * 24 * 60 * MINUTE_MS).replace(/sig$/, 'fresh')
          return response === 'fresh'
            ? { status: 200, body: { token } }
            : { status: 401, body: { message: 'x', code: 'SESSION_EXPIRED' } }
        },
      }
      const tab = await open({ user: USER, token: tokenFor(leftMs) }, { preload: MOVABLE_TIME, answers })
      await tab.open('/')
      await seeMenu(tab)
      await check({ tab, asked: () => asked, pass: (ms) => tab.run(passTime, ms + 1_000) })
    },
  }
}

function tabCase(name: string, check: (here: Tab, there: Tab) => Promise<void>): Case {
  return {
    name: `other tab: ${name}`,
    async run(open) {
      const here = await open({ token: tokenFor(60 * MINUTE_MS), user: USER })
      await here.open('/')
      await seeMenu(here)
      const there = await here.another('/about')
      await seeMenu(there)
      await check(here, there)
    },
  }
}

const seeMenu = (tab: Tab) => tab.see('button', /^Account menu/)

async function requireSignedOut(tab: Tab, keys: string[] = ['token', 'user']): Promise<void> {
  await tab.see('link', /^Sign up$/)
  await requireSoon(
    () => tab.run((names) => names.every((name) => localStorage.getItem(name) === null), keys),
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
