import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecrets } from '#server/lib/secrets.ts'
import { bounceKey } from '#server/features/newsletter/subscribers/bounces.service.ts'
import { sql } from 'kysely'
import { probeDelays, probeSlot, type Probe } from '#tests/trust/attacks/injection-probe.ts'
import { slotsOf, type Attackers, type Slot } from '#tests/trust/attacks/injection-slots.ts'
import {
  asksDatabase,
  CALCULATED,
  JOINED,
  objectVectors,
  pairs,
  slowVectors,
  textVectors,
  type Canary,
  type TextVector,
} from '#tests/trust/attacks/injection-vectors.ts'
import { inParallel } from '#tests/trust/load.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { plantWeaknesses } from '#tests/trust/attacks/planted-weaknesses.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { SESSION_SECRET, type World } from '#tests/trust/site.ts'

const AT_ONCE = 6
/** Slow calls must not be mistaken for a vector's delay. */
const DELAYS_AT_ONCE = 2

export const row: TrustRow = {
  id: 'T31',
  promise: 'SQL/NoSQL/command injection',
  gate: true,
  target:
    'error-, boolean-, union-, time-based and stacked SQL for both engines, operator objects, commands, templates, paths, LDAP and entities in every parameter of every call: 0 findings; every planted weakness found',
  async run({ world: start }) {
    const found = await findPlanted()
    const faults = new Faults()
    for (const missed of found.missed) faults.add('a planted weakness was missed', missed)
    const reached: string[] = []
    const engines = process.env['TEST_DATABASE_URL'] ? (['PostgreSQL', 'SQLite'] as const) : (['SQLite'] as const)
    for (const [turn, engine] of engines.entries()) {
      const world = await start({ ...(engine === 'SQLite' && { server: null }), pages: true })
      reached.push(`${engine}: ${await attack(world, faults, turn === 0 ? () => true : asksDatabase)}`)
    }
    return {
      passed: faults.count === 0,
      reached: `${found.count - found.missed.length} of ${found.count} planted weaknesses found; ${reached.join('; ')}; findings: ${faults}`,
      notes:
        'sqlmap and wapiti run in T78; their kinds of vectors are written down in injection-vectors.ts. Headers take an eighth of them at each call, another eighth at the next. What no database can fall for is tried on one engine',
    }
  },
}

interface Watch extends Canary {
  /** Requests to the canary server. */
  hits: string[]
  close(): void
}

/** A server that must not be called and a file that must not be created. */
async function watchCanary(): Promise<Watch> {
  const folder = mkdtempSync(join(tmpdir(), 'association-canary-'))
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    file: join(folder, 'canary'),
    hits,
    close() {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Tests the probe on a vulnerable server: a probe that misses a weakness proves nothing about the site. */
async function findPlanted(): Promise<{ count: number; missed: string[] }> {
  const missed: string[] = []
  const canary = await watchCanary()
  const planted = await plantWeaknesses(canary.file)
  try {
    for (const [turn, slot] of planted.slots.entries()) {
      const { shows } = planted.planted[turn] as (typeof planted.planted)[number]
      canary.hits.length = 0
      const faults = new Faults()
      const isFound = (): boolean => {
        if (canary.hits.length > 0) faults.add('the canary was called')
        if (planted.hasInjectedTable()) faults.add('an injected table')
        return shows.test(faults.toString())
      }
      const probe: Probe = { vectors: textVectors(canary), faults, count: 0, isEnough: isFound }
      if (shows.test('delay')) await probeDelays(slot, probe, turn)
      else await probeSlot(slot, probe, turn)
      if (!isFound()) missed.push(slot.name)
    }
  } finally {
    await planted.close()
    canary.close()
  }
  return { count: planted.slots.length, missed }
}

/** @param isTried selects texts; those for shells, templates and files reach the same code on every engine */
async function attack(world: World, faults: Faults, isTried: (vector: TextVector) => boolean): Promise<string> {
  const canary = await watchCanary()
  try {
    const slots = slotsOf(await gather(world))
    const probe: Probe = { vectors: textVectors(canary).filter(isTried), faults, count: 0 }
    // The provider's events about the attackers' own payments arrive now.
    await world.control({ flushWebhooks: true })
    await world.quiet()
    const before = await worthKeeping(world)
    await inParallel(groupsOf(slots), AT_ONCE, async (group, turn) => {
      for (const [place, slot] of group.entries()) await probeSlot(slot, probe, turn + place)
    })
    await world.quiet()
    await inParallel(groupsOf(slots), DELAYS_AT_ONCE, async (group, turn) => {
      for (const [place, slot] of group.entries()) await probeDelays(slot, probe, turn + place)
    })
    await requireNoTrace(world, { canary, before, faults })
    const vectors = `${probe.vectors.length} texts, ${pairs.length} pairs, ${slowVectors.length} delays, ${objectVectors.length} objects`
    return `${slots.length} parameters, ${vectors}, ${probe.count} requests`
  } finally {
    canary.close()
  }
}

/** Slots of one group run sequentially. */
function groupsOf(slots: readonly Slot[]): Slot[][] {
  return [...Map.groupBy(slots, ({ group }) => group).values()]
}

async function gather(world: World): Promise<Attackers> {
  const [writer, reader] = [new Visitor(world), new Visitor(world)]
  await writer.join(newPerson({ levelKey: 'medical_student' }))
  const paid = await reader.join(newPerson())
  const { db } = world.database
  const [event, campaign, payment] = await Promise.all([
    db.selectFrom('contentRecord').select('id').where('kind', '=', 'events').executeTakeFirst(),
    db.selectFrom('campaign').select('id').executeTakeFirst(),
    db.selectFrom('payment').select('receiptNumber').where('receiptNumber', 'is not', null).executeTakeFirst(),
  ])
  return {
    world,
    writer,
    reader,
    bounceKey: bounceKey(createSecrets(SESSION_SECRET)),
    values: {
      email: 'meera@example.com',
      username: 'injected.one',
      'name.first': 'Meera',
      'name.last': 'Raghuvanshi',
      firstName: 'Meera',
      lastName: 'Raghuvanshi',
      name: 'Meera Raghuvanshi',
      identifier: paid.email,
      // Invalid ones: an injected suffix must not make a credential valid.
      password: 'not-the-password',
      currentPassword: 'not-the-password',
      newPassword: 'another-monsoon-in-macon',
      levelKey: 'annual_member',
      subject: 'A question',
      message: 'When is the next clinic day, please?',
      company: 'Kaveri Labs',
      phone: '404 555 0100',
      amount: '2000',
      tierName: 'Gold',
      homepage: '',
      source: 'homepage',
      npi: '1234567893',
      licenceState: 'GA',
      code: '123456',
      bucket: 'home',
      folder: 'gallery',
      receiptNumber: payment?.receiptNumber ?? 'x',
      q: 'clinic',
      page: '1',
      limit: '10',
      year: '2026',
      sort: 'newest',
      event: event?.id ?? 'x',
      campaign: campaign?.id ?? 'x',
    },
  }
}

/** What no visitor may change, by name, as text: prices, content, officers, and the list of tables. */
async function worthKeeping({ database: { db, engine } }: World): Promise<Record<string, string>> {
  const tables =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master order by name`
      : sql<{
          name: string
        }>`select table_name as name from information_schema.tables where table_schema = current_schema() order by 1`
  const rows = {
    // Without the provider's ids, which are stored at the first payment.
    levels: await db
      .selectFrom('membershipLevel')
      .select(['key', 'unitAmount', 'currency', 'interval'])
      .orderBy('key')
      .execute(),
    content: await db.selectFrom('contentRecord').selectAll().orderBy('kind').orderBy('id').execute(),
    newsletters: await db.selectFrom('campaign').selectAll().orderBy('id').execute(),
    payments: await db.selectFrom('payment').selectAll().orderBy('id').execute(),
    accounts: await db
      .selectFrom('account')
      .select(['id', 'email', 'isOfficer', 'passwordHash'])
      .orderBy('id')
      .execute(),
    tables: (await tables.execute(db)).rows,
    search: await db
      .selectFrom('campaignSearch')
      .select((eb) => eb.fn.countAll().as('count'))
      .execute(),
  }
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, JSON.stringify(row)]))
}

/** No external trace, no change, no evaluated expression in emails, and commands that read the stored text run as before. */
async function requireNoTrace(
  world: World,
  { canary, before, faults }: { canary: Watch; before: Record<string, string>; faults: Faults },
): Promise<void> {
  await world.quiet()
  faults.expect(canary.hits.length === 0, 'the canary was called', canary.hits[0])
  faults.expect(!existsSync(canary.file), 'the canary file was made', world.engine)
  for (const [name, after] of Object.entries(await worthKeeping(world)))
    faults.expect(after === before[name], `${name} changed, which no visitor may change`, world.engine)
  for (const { subject, text, html } of await world.mailbox.all()) {
    const email = `${subject} ${text} ${html}`
    const isLeaked = email.includes(CALCULATED) || /root:[x*]?:0:0:/.test(email)
    faults.expect(!isLeaked && !email.includes(JOINED), 'an email contains a calculated result', subject)
  }
  for (const words of [['members', 'list'], ['messages'], ['sponsors', 'list'], ['newsletter', 'list'], ['outbox']]) {
    const said = await world.site.admin(...words).catch((error: unknown) => `failed: ${String(error)}`)
    const isWrong = said.startsWith('failed') || said.includes(CALCULATED) || said.includes(JOINED)
    faults.expect(!isWrong, `admin ${words.join(' ')} afterwards`, said)
  }
  faults.expect(await world.site.isReady(), 'the site is not ready afterwards', world.engine)
  faults.expect(!/unhandled|uncaught/i.test(world.site.program.errors), 'unhandled', world.site.program.errors)
}
