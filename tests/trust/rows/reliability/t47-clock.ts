import { listRecords } from '#server/features/content-store/content.queries.ts'
import { readSchedule } from '#server/features/content-store/event-times.rules.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { storeRecord } from '#tests/support/content/stored-records.ts'
import type { Browser } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import { arrive, memberState, visit, withBrowser } from '#tests/trust/browser/browsing.ts'
import { unexpected } from '#tests/e2e/steps/browser-errors.ts'
import { STOPPED_BY_LEAVING } from '#tests/trust/browser/engine-journeys.ts'
import { startEngines } from '#tests/trust/browser/engines.ts'
import { fixedTime } from '#tests/trust/browser/page-clock.ts'
import type { Engine } from '#tests/trust/browser/tab.ts'
import { Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const TOKEN_MS = 7 * DAY_MS
const ASSOCIATION_ZONE = 'America/New_York'
/** Twice the time the site takes to notice changed content. */
const CONTENT_WITHIN_MS = 1_000
const SAMPLE_MEMBER = 'annual@example.org'

/** Each season within one token's lifetime, in chronological order, since a site's clock only moves forward. */
const SEASONS: string[][] = [
  // In UTC the new year has begun at the first of these.
  ['2026-12-31T19:30:00-05:00', '2026-12-31T23:55:00-05:00', '2027-01-01T00:05:00-05:00'],
  ['2027-03-14T01:59:00-05:00', '2027-03-14T03:01:00-04:00'],
  // This half hour occurs twice.
  ['2027-11-07T01:30:00-04:00', '2027-11-07T01:30:00-05:00'],
  ['2028-02-28T23:55:00-05:00', '2028-02-29T12:00:00-05:00', '2028-03-01T00:05:00-05:00'],
]

/** Fourteen hours ahead and ten behind, both with a wrong clock. */
const BROWSERS = [
  { zone: 'Pacific/Kiritimati', skewMs: 10 * MINUTE_MS },
  { zone: 'Pacific/Kiritimati', skewMs: -10 * MINUTE_MS },
  { zone: 'Pacific/Honolulu', skewMs: 10 * MINUTE_MS },
  { zone: 'Pacific/Honolulu', skewMs: -10 * MINUTE_MS },
]

export const row: TrustRow = {
  id: 'T47',
  promise: 'Clock and time zones',
  gate: false,
  target:
    'daylight saving changes, New Year, February 29 x Kiritimati and Honolulu with clocks 10 min off: event tabs, token lifetime, footer year correct in 40 cases; 0 hydration errors',
  async run({ world: start }) {
    const world = await start({ pages: true })
    const faults = new Faults()
    const clock = new SiteClock(world)
    return withBrowser(async (browser) => {
      const engines = await startEngines(browser, world)
      try {
        await addEventsAround(world, SEASONS.flat())
        const cases = new Map(engines.all.map(({ name }) => [name, 0]))
        for (const [first = '', ...later] of SEASONS) {
          await clock.moveTo(Date.parse(first))
          const storageState = await memberState(world, SAMPLE_MEMBER)
          for (const moment of [first, ...later]) {
            await clock.moveTo(Date.parse(moment))
            for (const engine of engines.all) {
              // In the others, one browser ahead with a fast clock and one behind with a slow one.
              const met = engine.name === 'Chromium' ? BROWSERS : BROWSERS.filter((_, at) => at % 3 === 0)
              for (const { zone, skewMs } of met) await judgePages({ engine, world, moment, zone, skewMs, faults })
              cases.set(engine.name, (cases.get(engine.name) ?? 0) + met.length)
            }
          }
          await judgeToken({ browser, world, clock, moment: first, storageState, faults })
        }
        const met = engines.all.map(({ name, version }) => `${cases.get(name)} in ${name} ${version}`)
        return {
          passed: faults.count === 0,
          reached: `cases at ${SEASONS.flat().length} moments: ${met.join(', ')}; ${SEASONS.length} ends of a token; troubles in the console: ${faults.countOf('trouble')}; faults: ${faults}`,
          ...(engines.notRun && { notes: engines.notRun }),
        }
      } finally {
        await engines.close()
      }
    })
  },
}

/** Moves the site's time through the stand-ins. */
class SiteClock {
  readonly #world: World
  #offsetMs = 0

  constructor(world: World) {
    this.#world = world
  }

  get now(): number {
    return Date.now() + this.#offsetMs
  }

  async moveTo(instant: number): Promise<void> {
    const advanceMs = Math.round(instant - this.now)
    await this.#world.control({ advanceMs })
    this.#offsetMs += advanceMs
  }
}

interface PageCase {
  engine: Engine
  world: World
  moment: string
  zone: string
  skewMs: number
  faults: Faults
}

async function judgePages({ engine, world, moment, zone, skewMs, faults }: PageCase): Promise<void> {
  const where = `${engine.name}, ${moment}, ${zone} ${skewMs / MINUTE_MS} min`
  const today = associationDay(moment)
  const tab = await engine.open({ timeZone: zone, preload: fixedTime(Date.parse(moment) + skewMs) })
  await tab.open('/')
  const footer = await tab.run(() => document.querySelector('footer')?.textContent ?? '')
  faults.expect(footer.includes(`© ${today.slice(0, 4)} `), 'year', `${where}: ${/© \d+/.exec(footer)?.[0]}`)
  const { rows, upcoming } = await countEvents(world, today)
  await tab.open('/events')
  const tabs = await tab.run(() => [...document.querySelectorAll('[role="tab"]')].map((one) => one.textContent))
  for (const [name, expected] of [
    ['Upcoming', upcoming],
    ['Past', rows - upcoming],
  ] as const) {
    const words = tabs.find((one) => one.includes(name)) ?? ''
    faults.expect(Number(/\d+/.exec(words)?.[0]) === expected, `events ${name}`, `${where}: ${words}, not ${expected}`)
  }
  for (const trouble of unexpected(await tab.takeTroubles(), STOPPED_BY_LEAVING))
    faults.add('trouble', `${where}: ${trouble}`)
  await tab.leave()
}

/** By the dates in the database: an event without one is past (docs/product-rules.md#event-dates). */
async function countEvents(world: World, today: string): Promise<{ rows: number; upcoming: number }> {
  const events = await listRecords(world.database.db, eventKind)
  const days = events.map(({ value }) => readSchedule(value).startsOn)
  return { rows: events.length, upcoming: days.filter((day) => day !== null && day >= today).length }
}

/** An event on the day of each moment and on adjacent days, to test the split. */
async function addEventsAround({ database: { db } }: World, moments: readonly string[]): Promise<void> {
  const days = moments.flatMap((moment) => {
    const noon = Date.parse(`${associationDay(moment)}T12:00:00Z`)
    return [-DAY_MS, 0, DAY_MS].map((off) => new Date(noon + off).toISOString().slice(0, 10))
  })
  const [pattern] = await listRecords(db, eventKind)
  for (const day of new Set(days)) {
    const id = `on-${day}`
    await storeRecord(db, eventKind, { ...pattern?.value, id, title: `On ${day}`, date: day }, id)
  }
  await db
    .updateTable('contentVersion')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .execute()
  await sleep(CONTENT_WITHIN_MS)
}

function associationDay(moment: string): string {
  return new Date(moment).toLocaleDateString('en-CA', { timeZone: ASSOCIATION_ZONE })
}

interface TokenCase {
  browser: Browser
  world: World
  moment: string
  faults: Faults
  clock: SiteClock
  storageState: Awaited<ReturnType<typeof memberState>>
}

/** A token is valid until its last seconds and no longer: by the server's clock on the server, by the browser's clock in the browser. */
async function judgeToken({ browser, world, clock, moment, storageState, faults }: TokenCase): Promise<void> {
  const stored = typeof storageState === 'object' ? storageState.origins[0]?.localStorage : undefined
  const token = stored?.find(({ name }) => name === 'token')?.value ?? ''
  const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    exp: number
    iat: number
  }
  faults.expect(exp - iat === TOKEN_MS / 1_000, 'token life', `${moment}: ${exp - iat} s`)
  const member = new Visitor(world)
  member.token = token
  await clock.moveTo(exp * 1_000 - 3_000)
  const before = await member.get('/api/account/profile')
  faults.expect(before.status === 200, 'token too short', `${moment}: ${before.status}`)
  while (clock.now <= exp * 1_000 + 1_000) await sleep(250)
  const after = await member.get('/api/account/profile')
  faults.expect(after.status === 401, 'token too long', `${moment}: ${after.status}`)

  for (const [offMs, isMember] of [
    [-MINUTE_MS, true],
    [MINUTE_MS, false],
  ] as const) {
    const guest = await arrive(browser, world, { storageState, timezoneId: 'Pacific/Kiritimati' })
    await guest.page.clock.setFixedTime(exp * 1_000 + offMs)
    await visit(guest.page, '/privacy-policy')
    const seen = await guest.page.getByRole('button', { name: /^Account menu/ }).count()
    faults.expect(seen === (isMember ? 1 : 0), 'token in the browser', `${moment}, ${offMs} ms: ${seen}`)
    const troubles = guest.takeTroubles([/status of 401 .*\/api\/auth\/refresh/])
    for (const trouble of troubles) faults.add('trouble', `${moment}, token: ${trouble}`)
    await guest.leave()
  }
}
