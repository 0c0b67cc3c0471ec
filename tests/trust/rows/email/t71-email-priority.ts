import { setTimeout as sleep } from 'node:timers/promises'
import { createCampaign, setSubscribers, startMailing } from '#tests/support/newsletter.ts'
import { until } from '#tests/trust/load.ts'
import { expectStatus, newPerson, Visitor } from '#tests/trust/people.ts'
import { sendMessage } from '#tests/trust/browser/public-forms.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { Site, World } from '#tests/trust/site.ts'

const LEAVES_WITHIN_MS = 5_000
const TAKEN_OVER_WITHIN_MS = 10_000
/** The mail server's delay for each email. */
const SLOW_MS = 500
/** Longer than a process is watched before its work is taken over, and shorter than a mail server may take. */
const STUCK_MS = 14_000
const MEMBERS = 3
const BUSY_AFTER_MS = 4_000
/** Emails in progress in each instance when one is killed: its number of connections. */
const IN_HAND = 3
const ROWS_A_STATEMENT = 500

export const row: TrustRow = {
  id: 'T71',
  promise: 'Personal email goes before bulk email',
  gate: true,
  target:
    'with 10,000 invitations queued, a newsletter being sent and a mail server that takes 0.5 s per email, a password reset is sent within 5 s; emails in progress in a killed process are sent within 10 s once its instance is ready again, and a second instance on the same data folder sends its own once',
  quick: true,
  undisturbed: true,
  waits: true,
  async run({ world: start, count }) {
    const faults = new Faults()
    const invitations = count(10_000, 1_000)
    const readers = count(2_000, 200)
    const bulk = await sendBesideBulk(await start(), { invitations, readers, rounds: count(12, 3), faults })
    const rounds = count(4, 1)
    const killed = await killAndStart(await start({ instances: 2 }), rounds, faults)
    return {
      passed: faults.count === 0,
      reached:
        `beside ${invitations} invitations and a newsletter for ${readers}: ${bulk.resets.length} resets left after at most ${seconds(bulk.resets)}, ` +
        `${bulk.answers.length} acknowledgements after at most ${seconds(bulk.answers)}, ${bulk.bulkSent} bulk emails meanwhile; ` +
        `${rounds} kills with ${killed.held} emails in hand: sent at most ${seconds(killed.times)} after the instance was ready again, which took at most ${seconds(killed.starts)}; ` +
        `${killed.beside} in hand of the instance beside it, none sent twice; faults: ${faults}`,
    }
  },
}

function seconds(times: readonly number[]): string {
  return `${(Math.max(0, ...times) / 1_000).toFixed(1)} s`
}

async function newMember(world: World): Promise<string> {
  const person = newPerson({ levelKey: 'medical_student' })
  await new Visitor(world).join(person)
  return person.email
}

/** Invitations as an import queues them, each with its own link. */
async function queueInvitations(world: World, emails: readonly string[], many: number): Promise<void> {
  const { db } = world.database
  const accounts = await db.selectFrom('account').select('id').where('email', 'in', emails).execute()
  const now = Date.now()
  const rows = Array.from({ length: many }, (_, index) => ({
    id: `invitation-${index}`,
    account: accounts[index % accounts.length]?.id ?? '',
  }))
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    const some = rows.slice(from, from + ROWS_A_STATEMENT)
    await db
      .insertInto('oneTimeToken')
      .values(
        some.map(({ id, account }) => ({
          id,
          purpose: 'password_reset' as const,
          tokenHash: `hash of ${id}`,
          subjectId: account,
          createdAt: now,
          expiresAt: now + 14 * 86_400_000,
          lastsMs: 14 * 86_400_000,
        })),
      )
      .execute()
    await db
      .insertInto('outbox')
      .values(
        some.map(({ id }) => ({
          id,
          kind: 'email.invitation',
          payload: JSON.stringify({ tokenId: id }),
          createdAt: now,
          dueAt: now,
          lane: 'emails' as const,
          priority: 3 as const,
          attempts: 0,
        })),
      )
      .execute()
  }
}

/** The time until an address has received another email; null when none arrives. */
async function timeUntilEmail(world: World, email: string, before: number): Promise<number | null> {
  const startedAt = performance.now()
  const came = await until(async () => (await world.mailbox.emailsTo(email)).length > before, {
    withinMs: 60_000,
    everyMs: 100,
  })
  return came === null ? null : performance.now() - startedAt
}

async function countBulkSent(world: World): Promise<number> {
  const { db } = world.database
  const counted = await Promise.all([
    db
      .selectFrom('outbox')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('kind', '=', 'email.invitation')
      .where('doneAt', 'is not', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('delivery')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('state', '=', 'accepted')
      .executeTakeFirstOrThrow(),
  ])
  return counted.reduce((sum, { count }) => sum + Number(count), 0)
}

async function sendBesideBulk(
  world: World,
  { invitations, readers, rounds, faults }: { invitations: number; readers: number; rounds: number; faults: Faults },
): Promise<{ resets: number[]; answers: number[]; bulkSent: number }> {
  const members: string[] = []
  for (let index = 0; index < 2 * MEMBERS; index++) members.push(await newMember(world))
  const invited = members.splice(0, MEMBERS)
  await world.quiet()
  await world.control({ mail: 'slow', slowMs: SLOW_MS })
  await queueInvitations(world, invited, invitations)
  await setSubscribers(world.database.db, readers)
  await startMailing(world.database.db, createCampaign({ id: 'beside' }))
  // Until every slot available to bulk email is taken.
  await sleep(BUSY_AFTER_MS)
  const before = await countBulkSent(world)
  faults.expect(before > 0, 'no bulk email had left')
  const times = { resets: [] as number[], answers: [] as number[] }
  async function measure(list: number[], email: string, known: number): Promise<void> {
    const time = await timeUntilEmail(world, email, known)
    faults.expect(
      time !== null && time <= LEAVES_WITHIN_MS,
      'late',
      `${email}: ${time === null ? 'never' : Math.round(time)} ms`,
    )
    if (time !== null) list.push(time)
  }
  for (let round = 0; round < rounds; round++) {
    const email = members[round % MEMBERS] ?? ''
    const known = (await world.mailbox.emailsTo(email)).length
    expectStatus(await new Visitor(world).forgotPassword(email), 200, 'forgot-password')
    const visitor = newPerson().email
    expectStatus(await sendMessage(new Visitor(world), { email: visitor }), 200, 'contact')
    await Promise.all([measure(times.resets, email, known), measure(times.answers, visitor, 0)])
  }
  const waiting = await world.database.db
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'email.invitation')
    .where('doneAt', 'is', null)
    .execute()
  faults.expect(waiting.length > 0, 'nothing waited any more', 'the measurement was beside no queue')
  return { ...times, bulkSent: (await countBulkSent(world)) - before }
}

/** Ids of effects claimed by a site's process, from the outbox. */
async function heldBy(world: World, site: Site): Promise<string[]> {
  const rows = await world.database.db
    .selectFrom('outbox')
    .select('id')
    .where('leasedUntil', 'is not', null)
    .where('doneAt', 'is', null)
    .where('leasedBy', 'like', `%:${new URL(site.origin).port}/%`)
    .execute()
  return rows.map(({ id }) => id)
}

/** The recipients of the verification emails among these effects. */
async function addressesOf(world: World, ids: readonly string[]): Promise<string[]> {
  const { db } = world.database
  const effects = await db.selectFrom('outbox').select('payload').where('id', 'in', ids).execute()
  const tokens = effects.map(({ payload }) => String((JSON.parse(payload) as { tokenId: unknown }).tokenId))
  const rows = await db
    .selectFrom('pendingRegistration')
    .innerJoin('oneTimeToken', 'oneTimeToken.subjectId', 'pendingRegistration.id')
    .select('pendingRegistration.email')
    .where('oneTimeToken.id', 'in', tokens)
    .execute()
  return rows.map(({ email }) => email)
}

async function countDone(world: World, ids: readonly string[]): Promise<number> {
  const rows = await world.database.db
    .selectFrom('outbox')
    .select('id')
    .where('id', 'in', ids)
    .where('doneAt', 'is not', null)
    .execute()
  return rows.length
}

/** Registers at both instances while the mail server hangs, kills one of them and restarts it. */
async function killAndStart(
  world: World,
  rounds: number,
  faults: Faults,
): Promise<{ held: number; times: number[]; starts: number[]; beside: number }> {
  const [killed, alive] = [world.siteOf(0), world.siteOf(1)]
  const result = { held: 0, times: [] as number[], starts: [] as number[], beside: 0 }
  for (let round = 0; round < rounds; round++) {
    await world.quiet()
    await world.control({ mail: 'slow', slowMs: STUCK_MS })
    for (let person = 0; person < IN_HAND; person++)
      for (const site of [killed, alive])
        expectStatus(await new Visitor(world, { site }).register(newPerson()), 201, 'register')
    const both = async () => (await heldBy(world, killed)).length > 0 && (await heldBy(world, alive)).length > 0
    if (!(await until(both))) faults.add('an instance had nothing in hand')
    const ids = await heldBy(world, killed)
    const beside = await addressesOf(world, await heldBy(world, alive))
    await killed.program.kill()
    await world.control({ mail: 'ok' })
    const startMs = await killed.start()
    const readyAt = performance.now()
    const done = await until(async () => (await countDone(world, ids)) === ids.length, { withinMs: 150_000 })
    const time = performance.now() - readyAt
    faults.expect(done !== null && time <= TAKEN_OVER_WITHIN_MS, 'taken over late', `${Math.round(time)} ms`)
    result.held += ids.length
    result.beside += beside.length
    result.times.push(time)
    result.starts.push(startMs)
    await world.quiet()
    for (const email of beside) {
      const { length } = await world.mailbox.emailsTo(email)
      faults.expect(length === 1, 'an email of a live instance did not leave once', `${email}: ${length}`)
    }
  }
  return result
}
