import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/db/database.ts'
import { makeDatabase, testServer, testServers } from '#tests/trust/database.ts'
import { inParallel } from '#tests/trust/load.ts'
import { newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import { freePort } from '#tests/trust/faults/processes.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustContext, type TrustRow } from '#tests/trust/row.ts'
import type { Site, World } from '#tests/trust/site.ts'

const MOST_LOST_S = 60
const MOST_DOWN_S = 300
/** The pause of the timer in docs/running.md after each backup. */
const PAUSE_MS = 30_000
const WRITERS = 4
/** No one joins during the load: these are the same before and after. */
const STEADY = ['account', 'membership', 'payment', 'checkout', 'consent', 'contentRecord'] as const

export const row: TrustRow = {
  id: 'T49',
  promise: 'Backup and restore',
  gate: true,
  target:
    'backup under write load, the server lost at a random moment, restored on an empty machine with the documented commands: <= 60 s of data lost, back within 5 minutes, checksums equal, log-in works',
  async run(context) {
    const faults = new Faults()
    const reached: string[] = []
    for (const server of testServers()) reached.push(await drill(context, server, faults))
    return {
      passed: faults.count === 0,
      reached: `${reached.join('; ')}; faults: ${faults}`,
      notes: `Backups by a timer with a pause of ${PAUSE_MS / 1_000} s; with a daily one up to a day is lost${testServer() ? '' : '. PostgreSQL: TEST_DATABASE_URL names no server'}`,
    }
  },
}

async function drill(
  { world: start, count, random }: TrustContext,
  server: string | null,
  faults: Faults,
): Promise<string> {
  // The session secret is in the data folder, as on one server.
  const world = await start({ server, environment: { SESSION_SECRET: '' } })
  const folder = mkdtempSync(join(tmpdir(), 'association-drill-'))
  try {
    const members = await inParallel(Array.from({ length: count(20, 4) }), 4, () =>
      new Visitor(world).join(newPerson()),
    )
    await world.quiet()
    const backups = join(folder, 'backups')
    const lost = await loseMachine(world, backups, random, faults)
    requireSums(lost.newest, faults)

    const began = performance.now()
    const machine = await restore(world, folder, server, backups)
    try {
      const visitor = new Visitor(world, { site: machine.site })
      const { email, password } = random.pick(members)
      faults.expect((await visitor.logIn(email, password)).status === 200, 'a member cannot log in', email)
      const downS = (performance.now() - began) / 1_000
      faults.expect(downS <= MOST_DOWN_S, 'back too late', `${downS}`)
      await requireSame(world, machine, members, faults)
      const { lostS, kept } = await measureLoss(machine.database, lost, faults)
      faults.expect(lostS <= MOST_LOST_S, 'too much lost', `${lostS}`)
      return (
        `${world.engine}: ${lost.backups} backups under ${lost.writes.length} acknowledged sign-ups, the slowest ${(lost.slowestMs / 1_000).toFixed(1)} s; ` +
        `killed, ${lostS.toFixed(1)} s of data lost (at most ${((PAUSE_MS + 2 * lost.slowestMs) / 1_000).toFixed(0)} s), ${kept} sign-ups kept; ` +
        `restored, started and logged in within ${downS.toFixed(1)} s`
      )
    } finally {
      await machine.site.program.stop()
      await machine.remove()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface LostMachine {
  /** Acknowledged sign-ups, and when. */
  writes: { email: string; at: number }[]
  killedAt: number
  backups: number
  slowestMs: number
  /** The newest backup that is whole, and when its command began. */
  newest: string
  newestBeganAt: number
}

/** Writes, makes backups as the timer does, and kills the site at a random moment between two of them or during one. */
async function loseMachine(world: World, backups: string, random: Random, faults: Faults): Promise<LostMachine> {
  const writes: LostMachine['writes'] = []
  let isOver = false
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!isOver) {
      const person = newPerson()
      const response = await new Visitor(world).register(person).catch(() => null)
      if (response?.status === 201) writes.push({ email: person.email, at: performance.now() })
      else if (!isOver) faults.add('a sign-up was refused during a backup', String(response?.status))
    }
  })
  const began = new Map<string, number>()
  let slowestMs = 0
  const timer = (async () => {
    await sleep(1_000)
    while (!isOver) {
      const startedAt = performance.now()
      const said = await world.site.admin('backup', backups)
      const path = /^(\S+Z): /m.exec(said)?.[1] ?? ''
      began.set(path, startedAt)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      const until = performance.now() + PAUSE_MS
      while (!isOver && performance.now() < until) await sleep(50)
    }
  })()
  await sleep(random.between(5_000, PAUSE_MS + 15_000))
  isOver = true
  const killedAt = performance.now()
  await world.site.program.kill()
  await Promise.all([...writers, timer])
  // Backups finished after the kill would not exist after losing the machine.
  const whole = [...began].filter(([path]) => existsSync(join(path, 'manifest.json')))
  const inTime = whole.filter(([, at]) => at + slowestMs < killedAt)
  const [newest = '', newestBeganAt = 0] = (inTime.length > 0 ? inTime : whole).at(-1) ?? []
  for (const [path] of whole) if (path > newest) rmSync(path, { recursive: true })
  return {
    writes: writes.filter(({ at }) => at <= killedAt),
    killedAt,
    backups: whole.length,
    slowestMs,
    newest,
    newestBeganAt,
  }
}

/** For every file, like `sha256sum -c SHA256SUMS`. */
function requireSums(backup: string, faults: Faults): void {
  const sums = new Map(
    readFileSync(join(backup, 'SHA256SUMS'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )
  for (const file of filesBelow(backup).filter((name) => name !== 'SHA256SUMS'))
    faults.expect(hashOf(join(backup, file)) === sums.get(file), 'checksum differs', file)
  faults.expect(sums.size === filesBelow(backup).length - 1, 'files and checksums', `${sums.size}`)
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

interface Machine {
  site: Site
  database: Database
  directory: string
  remove(): Promise<void>
}

/** An empty machine: the settings, the backup folder, and the two commands of docs/running.md. */
async function restore(world: World, folder: string, server: string | null, backups: string): Promise<Machine> {
  const directory = join(folder, 'new-machine')
  const own = await makeDatabase(directory, server)
  const port = await freePort()
  const changes = { DATA_DIR: directory, DATABASE_URL: own.url, PORT: String(port) }
  const site = world.site.elsewhere(`http://localhost:${port}`, changes)
  await site.admin('restore', backups)
  await site.start()
  const database = own.open()
  return {
    site,
    database,
    directory,
    async remove() {
      await database.close()
      await own.remove()
    },
  }
}

/** Data that did not change during the load is equal on both machines. */
async function requireSame(world: World, machine: Machine, members: readonly Person[], faults: Faults): Promise<void> {
  for (const table of STEADY) {
    const [before, after] = await Promise.all([world.database, machine.database].map((one) => rowsOf(one, table)))
    faults.expect(before === after, 'a table differs', table)
  }
  const holders = await machine.database.db.selectFrom('membership').select('id').where('isCurrent', '=', 1).execute()
  faults.expect(holders.length >= members.length, 'memberships', String(holders.length))
  const media = [world.directory, machine.directory].map((directory) => {
    const folder = join(directory, 'media')
    return filesBelow(folder).map((file) => `${file} ${hashOf(join(folder, file))}`)
  })
  faults.expect((media[0] ?? []).length > 0 && media[0]?.join() === media[1]?.join(), 'media differ', media[0]?.join())
  const [secret, restored] = [world.directory, machine.directory].map((one) =>
    readFileSync(join(one, 'session-secret'), 'utf8'),
  )
  faults.expect(secret === restored, 'another session secret')
}

async function rowsOf({ db }: Database, table: (typeof STEADY)[number]): Promise<string> {
  const rows = await db.selectFrom(table).selectAll().execute()
  return rows
    .map((row) => JSON.stringify(Object.entries(row).sort()))
    .sort()
    .join('\n')
}

/** From the first missing acknowledged write to the loss of the machine. */
async function measureLoss(
  { db }: Database,
  { writes, killedAt, newestBeganAt }: LostMachine,
  faults: Faults,
): Promise<{ lostS: number; kept: number }> {
  const rows = await db.selectFrom('pendingRegistration').select('email').execute()
  const there = new Set(rows.map(({ email }) => email))
  const missing = writes.filter(({ email }) => !there.has(email))
  for (const { email, at } of missing)
    faults.expect(at > newestBeganAt, 'lost though acknowledged before the backup began', email)
  const first = Math.min(killedAt, ...missing.map(({ at }) => at))
  return { lostS: (killedAt - first) / 1_000, kept: writes.length - missing.length }
}
