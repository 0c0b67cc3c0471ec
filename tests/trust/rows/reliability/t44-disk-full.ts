import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { request } from '#tests/trust/http.ts'
import { tally, until } from '#tests/trust/load.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { requestSubscription, sendMessage } from '#tests/trust/browser/public-forms.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustContext, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { SmallDisk } from '#tests/trust/faults/small-disk.ts'

const DISK_MB = 24
const AT_ONCE = 4
/** Share of the time in the second part when the disk is full. */
const SHARE_FULL = 0.05
const FULL_FOR_MS = 100
const HOUR_MS = 3_600_000
const QUIET_WITHIN_MS = 120_000
const BETWEEN_FORMS_MS = 25
const RECOVERED_WITHIN_MS = 5_000
const PAGES = ['/', '/events', '/about']

export const row: TrustRow = {
  id: 'T44',
  promise: 'Disk full / EIO',
  gate: true,
  target:
    'no space 5 % of the time, and a full disk: 0 acknowledged writes lost, no corruption, recovers without a restart',
  async run(context) {
    const disk = SmallDisk.make(DISK_MB)
    if (!disk) {
      return {
        passed: false,
        reached: 'did not run: this user may not mount a file system of its own (run it as root)',
      }
    }
    try {
      return await rehearse(context, disk)
    } finally {
      disk.remove()
    }
  },
}

async function rehearse({ world: start, count, random }: TrustContext, disk: SmallDisk) {
  const fullForMs = count(20_000, 4_000)
  const troubledForMs = count(60_000, 6_000)
  const faults = new Faults()
  const world = await start({ databaseDirectory: disk.directory, pages: true })
  const { pid } = world.site.program
  const load = new Load(world, faults)

  load.begin()
  await sleep(1_000)
  const before = load.acknowledged.size
  faults.expect(before > 0, 'nothing was acknowledged before')

  // Nothing can be written; cached pages are served.
  await shrinkLog(world)
  disk.fill()
  const refusedBefore = load.refused
  const slowestPage = await askPages(world, fullForMs, faults)
  const refusedWhenFull = load.refused - refusedBefore
  faults.expect(refusedWhenFull > 0, 'the full disk was never felt')
  const warned = (await request(world.site.origin, { path: '/readyz' })).text.includes('"disk"')
  faults.expect(warned, '/readyz does not warn of the disk')
  disk.empty()
  const isBack = until(
    async () => (await sendMessage(new Visitor(world), { email: newPerson().email }).catch(() => null))?.status === 200,
    { withinMs: RECOVERED_WITHIN_MS },
  )
  faults.expect((await isBack) !== null, 'did not recover')

  const moments = await fillNowAndThen(world, disk, { random, forMs: troubledForMs })
  await load.end()
  disk.empty()

  faults.expect(world.site.program.pid === pid && !world.site.program.hasEnded, 'the site was restarted')
  // Longer than any delay between retries.
  await world.control({ advanceMs: HOUR_MS })
  faults.expect(await world.isQuiet(QUIET_WITHIN_MS), 'emails still wait')
  const lost = await countLost(world, load, faults)
  const said = await world.site.admin('check').catch((error: Error) => error.message)
  faults.expect(
    said.includes('All checks passed.'),
    'check',
    said
      .split('\n')
      .filter((line) => line.startsWith('WRONG'))
      .join('; '),
  )
  return {
    passed: faults.count === 0 && lost === 0,
    reached:
      `full for ${fullForMs / 1_000} s, then ${moments} times for ${FULL_FOR_MS} ms in ${troubledForMs / 1_000} s; ${load.acknowledged.size} forms acknowledged, ` +
      `${lost} lost; ${load.refused} refused (${tally(load.answers)}); pages meanwhile at most ${Math.round(slowestPage)} ms; integrity_check and all invariants hold; faults: ${faults}`,
    notes:
      'SQLite on a file system of 24 MB in memory that is filled to the last byte at random moments: 5 % of the time instead of 5 % of the calls, for 1 minute instead of 5. EIO cannot be made without a faulty device',
  }
}

/** Forms submitted by several visitors, and the responses. */
class Load {
  /** Addresses of acknowledged forms, with their kind. */
  readonly acknowledged = new Map<string, 'message' | 'registration' | 'reader'>()
  readonly answers: number[] = []
  refused = 0
  readonly #world: World
  readonly #faults: Faults
  #isOver = false
  #running: Promise<void>[] = []

  constructor(world: World, faults: Faults) {
    this.#world = world
    this.#faults = faults
  }

  begin(): void {
    this.#running = Array.from({ length: AT_ONCE }, (_, turn) => this.#work(turn))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  async #work(turn: number): Promise<void> {
    while (!this.#isOver) {
      const person = newPerson()
      const visitor = new Visitor(this.#world)
      const [kind, { status, text }] =
        turn === 0
          ? (['registration', await visitor.register(person)] as const)
          : turn === 1
            ? (['reader', await requestSubscription(visitor, person.email)] as const)
            : (['message', await sendMessage(visitor, { email: person.email })] as const)
      if (status === 200 || status === 201) this.acknowledged.set(person.email, kind)
      else {
        this.refused++
        this.answers.push(status)
        this.#faults.expect(status === 503, `a form answered ${status}`, text)
      }
      await sleep(BETWEEN_FORMS_MS)
    }
  }
}

/** Pages are served while nothing can be written. Returns the slowest time, in milliseconds. */
async function askPages(world: World, forMs: number, faults: Faults): Promise<number> {
  const until = performance.now() + forMs
  let slowest = 0
  while (performance.now() < until) {
    for (const path of PAGES) {
      const { status, ms } = await request(world.site.origin, { path })
      faults.expect(status === 200, `${path} answered ${status}`)
      slowest = Math.max(slowest, ms)
    }
    await sleep(100)
  }
  return slowest
}

/** The database's log keeps its allocated space: release it, so that every write has to allocate. */
async function shrinkLog({ database: { db } }: World): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db).catch(() => null)
}

/** Returns how often the disk was full. */
async function fillNowAndThen(
  world: World,
  disk: SmallDisk,
  { random, forMs }: { random: Random; forMs: number },
): Promise<number> {
  const endsAt = performance.now() + forMs
  const pause = FULL_FOR_MS / SHARE_FULL - FULL_FOR_MS
  let moments = 0
  while (performance.now() < endsAt) {
    await sleep(random.next() * 2 * pause)
    await shrinkLog(world)
    disk.fill()
    await sleep(FULL_FOR_MS)
    disk.empty()
    moments++
  }
  return moments
}

async function countLost({ database: { db }, mailbox }: World, load: Load, faults: Faults): Promise<number> {
  const messages = await db.selectFrom('contactMessage').select('email').execute()
  const registrations = await db.selectFrom('pendingRegistration').select('email').execute()
  const readers = await db.selectFrom('subscriber').select('email').execute()
  const kept = {
    message: new Set(messages.map(({ email }) => email)),
    registration: new Set(registrations.map(({ email }) => email)),
    reader: new Set(readers.map(({ email }) => email)),
  }
  const written = new Set((await mailbox.all()).flatMap(({ to }) => to))
  let lost = 0
  for (const [email, kind] of load.acknowledged) {
    if (kept[kind].has(email)) faults.expect(written.has(email), 'acknowledged without its email', `${kind} ${email}`)
    else {
      lost++
      faults.add('lost', `${kind} ${email}`)
    }
  }
  return lost
}
