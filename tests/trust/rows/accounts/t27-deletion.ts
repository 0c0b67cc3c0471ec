import { setTimeout as sleep } from 'node:timers/promises'
import { dumpDatabase } from '#tests/support/test-database.ts'
import { until } from '#tests/trust/load.ts'
import { expectStatus, newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const PROFILE = '/api/account/profile'
/** Delay of the provider's response: long enough for a kill before, during and after it. */
const SLOW_MS = 300
const LATEST_KILL_MS = 900
/** The worker takes over an intent after a minute; an effect of the killed process is retried when its lease expires. */
const PAST_INTENT_AND_LEASE_MS = 185_000
const LONGEST_Response_MS = 10_000
const WEATHER = ['refuse', 'error', 'limited', 'reset', 'garbage', 'blackhole'] as const

export const row: TrustRow = {
  id: 'T27',
  promise: 'Deletion',
  gate: false,
  target:
    'wrong password, right password, provider down at that moment, log-in afterward, registering again; deactivated and cancel_at_period_end at the provider once, also after kill -9; personal data as in the privacy policy',
  async run({ world: start, count, random }) {
    const world = await start()
    const faults = new Faults()

    await requireWrongPasswordKeeps(world, faults)
    const deleted = await requireDeleted(world, faults)
    await requireOnlyBooksRemain(world, deleted, faults)
    await requireWayBack(world, deleted, faults)
    const slowest = await requireKeptInBadWeather(world, faults)
    const kills = count(20, 3)
    const killed = await killDuringDeletions(world, { kills, random, faults })
    return {
      passed: faults.count === 0 && killed.finished > 0,
      reached:
        `password, log-in, way back and data as promised; provider down in ${WEATHER.length} ways: kept and told within ${(slowest / 1_000).toFixed(1)} s; ` +
        `${kills} kills: ${killed.finished} finished by the worker, ${killed.answered} answered before, ${killed.never} never begun, each ended at the provider once or not at all; faults: ${faults}`,
    }
  },
}

interface Member {
  person: Person
  visitor: Visitor
  accountId: string
  subscriptionId: string
}

async function join(world: World): Promise<Member> {
  const visitor = new Visitor(world)
  const person = await visitor.join(newPerson())
  await world.quiet()
  const { db } = world.database
  const { id: accountId } = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', person.email)
    .executeTakeFirstOrThrow()
  const { stripeSubscriptionId: subscriptionId } = await db
    .selectFrom('membership')
    .select('stripeSubscriptionId')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return { person, visitor, accountId, subscriptionId: subscriptionId ?? '' }
}

const remove = ({ visitor, person }: Member, password = person.password) =>
  visitor.call('DELETE', '/api/account', { password })

async function isDeactivated(world: World, { accountId }: Member): Promise<boolean> {
  const account = await world.database.db
    .selectFrom('account')
    .select('deactivatedBy')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return account.deactivatedBy === 'self'
}

/** How often the provider was asked to end renewals, according to its events. */
async function timesEnded(world: World, { subscriptionId }: Member): Promise<number> {
  const events = await world.provider.events()
  return events.filter(
    ({ type, data: { object, previous_attributes: before } }) =>
      type === 'customer.subscription.updated' &&
      (object as { id?: string }).id === subscriptionId &&
      (before as { cancel_at_period_end?: boolean } | undefined)?.cancel_at_period_end === false,
  ).length
}

async function requireWrongPasswordKeeps(world: World, faults: Faults): Promise<void> {
  const member = await join(world)
  for (const password of ['', 'wrong', member.person.password.toUpperCase()]) {
    const { status, body } = await remove(member, password)
    faults.expect(status === 400 && body.errors?.password, 'wrong password', `${status}`)
  }
  faults.expect((await member.visitor.get(PROFILE)).status === 200, 'wrong password ended the session')
  faults.expect((await timesEnded(world, member)) === 0, 'wrong password reached the provider')
}

async function requireDeleted(world: World, faults: Faults): Promise<Member> {
  const member = await join(world)
  const { person, visitor } = member
  expectStatus(await remove(member), 200, 'delete')
  faults.expect((await visitor.get(PROFILE)).status === 403, 'token lives')
  for (const name of [person.email, person.username]) {
    const { status } = await new Visitor(world).logIn(name, person.password)
    faults.expect(status === 403, 'log-in after deletion', `${status}`)
  }
  await world.quiet()
  const subscription = await world.provider.stripe.subscriptions.retrieve(member.subscriptionId)
  faults.expect(subscription.cancel_at_period_end && subscription.status === 'active', 'renewal not ended')
  faults.expect((await timesEnded(world, member)) === 1, 'provider told more than once')
  const emails = await world.mailbox.emailsTo(person.email)
  faults.expect(emails.filter(({ subject }) => /was deleted/.test(subject)).length === 1, 'letter')
  return member
}

/** The privacy policy: after deletion only what bookkeeping requires, the name and the address of the payment. */
async function requireOnlyBooksRemain(world: World, { person, accountId }: Member, faults: Faults): Promise<void> {
  const { db } = world.database
  const account = await db.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
  faults.expect(account.passwordHash === '', 'password hash kept')
  faults.expect(account.firstName === person.firstName && account.email === person.email, 'books incomplete')
  const payments = await db.selectFrom('payment').select('id').where('accountId', '=', accountId).execute()
  faults.expect(payments.length === 1, 'payment lost')
  const gone = {
    names: await db.selectFrom('loginName').select('nameKey').where('accountId', '=', accountId).execute(),
    browsers: await db.selectFrom('knownBrowser').select('createdAt').where('accountId', '=', accountId).execute(),
    registration: await db.selectFrom('pendingRegistration').select('id').where('id', '=', accountId).execute(),
    'living sessions': await db
      .selectFrom('session')
      .select('id')
      .where('accountId', '=', accountId)
      .where('revokedAt', 'is', null)
      .execute(),
    'living links': await db
      .selectFrom('oneTimeToken')
      .select('id')
      .where('subjectId', '=', accountId)
      .where('usedAt', 'is', null)
      .execute(),
  }
  for (const [what, rows] of Object.entries(gone)) faults.expect(rows.length === 0, `${what} kept`)
  faults.expect(!(await dumpDatabase(world.database)).includes(`"${person.username}"`), 'username kept')
}

async function requireWayBack(world: World, { person, accountId }: Member, faults: Faults): Promise<void> {
  const back = new Visitor(world)
  const { email, username } = person
  const again = newPerson({ email, username, levelKey: 'medical_student' })
  expectStatus(await back.register(again), 201, 'register')
  // From here on the newest email with a link is the new one.
  await world.quiet()
  expectStatus(await back.verify(email), 200, 'verify-email')
  back.token = expectStatus(await back.start(again), 200, 'checkout/start').body.token as string
  const { profile } = (await back.get(PROFILE)).body
  faults.expect(profile.email === email && profile.username === username, 'name or address not free')
  faults.expect(profile._id !== accountId, 'the former account came back')
}

/** Resolves with the longest response time, in milliseconds. */
async function requireKeptInBadWeather(world: World, faults: Faults): Promise<number> {
  let slowest = 0
  for (const stripe of WEATHER) {
    const member = await join(world)
    await world.control({ stripe })
    const { status, body, ms } = await remove(member)
    await world.control({ stripe: 'ok' })
    slowest = Math.max(slowest, ms)
    faults.expect(status === 502 && body.code === 'DELETION_FAILED', `${stripe}: answer`, `${status}`)
    faults.expect(ms < LONGEST_Response_MS, `${stripe}: too slow`, `${Math.round(ms)} ms`)
    await world.control({ advanceMs: PAST_INTENT_AND_LEASE_MS })
    await world.quiet()
    faults.expect(!(await isDeactivated(world, member)), `${stripe}: deleted after saying it was not`)
    faults.expect((await member.visitor.get(PROFILE)).status === 200, `${stripe}: session ended`)
    expectStatus(await remove(member), 200, `delete after ${stripe}`)
    faults.expect((await timesEnded(world, member)) === 1, `${stripe}: provider told more than once`)
  }
  return slowest
}

const intentsOf = (world: World) => world.database.db.selectFrom('accountDeletion').select('id').execute()

async function killDuringDeletions(
  world: World,
  { kills, random, faults }: { kills: number; random: Random; faults: Faults },
): Promise<{ finished: number; answered: number; never: number }> {
  const outcome = { finished: 0, answered: 0, never: 0 }
  for (let kill = 0; kill < kills; kill++) {
    const member = await join(world)
    await world.control({ stripe: 'slow', slowMs: SLOW_MS })
    const response = remove(member).catch(() => null)
    // Every second kill is certain to hit the deletion: it waits until the intent is stored.
    if (kill % 2 === 0) await until(async () => (await intentsOf(world)).length > 0, { everyMs: 5 })
    await sleep(random.between(0, kill % 2 === 0 ? SLOW_MS : LATEST_KILL_MS))
    await world.site.program.kill()
    const status = (await response)?.status ?? null
    await world.control({ stripe: 'ok' })
    await world.site.start()
    const intents = await intentsOf(world)
    await world.control({ advanceMs: PAST_INTENT_AND_LEASE_MS })
    faults.expect(await world.isQuiet(), 'outbox not empty')

    const isGone = await isDeactivated(world, member)
    const ended = await timesEnded(world, member)
    faults.expect(ended === (isGone ? 1 : 0), isGone ? 'deleted, not ended once' : 'kept, but ended', `${ended}`)
    if (status === 200) {
      faults.expect(isGone, 'acknowledged and lost')
      outcome.answered++
    } else if (intents.length > 0) {
      faults.expect(isGone, 'left intent not finished')
      outcome.finished++
    } else if (isGone) outcome.answered++
    else outcome.never++
    faults.expect((await intentsOf(world)).length === 0, 'intent left')
  }
  return outcome
}
