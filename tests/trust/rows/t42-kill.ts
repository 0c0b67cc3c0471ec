import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { tally } from '../load.ts'
import { Effects } from '../kill-load.ts'
import { Faults, type TrustRow } from '../row.ts'
import type { World } from '../site.ts'

const READY_WITHIN_MS = 5_000
/** Longer than any lease on an effect: what the killed process had begun is taken up again. */
const PAST_EVERY_LEASE_MS = 125_000

export const row: TrustRow = {
  id: 'T42',
  promise: 'kill -9 of the app',
  gate: true,
  target:
    '20 rounds, killed at a random moment of 200 sign-ups, 200 webhooks, 100 resets: 0 acknowledged writes lost, 0 half states, ready again < 5 s',
  async run({ world: start, count, random }) {
    const rounds = count(20, 2)
    const sizes = { signUps: count(200, 20), updates: count(190, 10), payments: count(10, 4), resets: count(100, 10) }
    const world = await start()
    await world.control({ webhooks: 'drop' })
    const effects = new Effects(world, sizes, random)
    await effects.prepare()
    const faults = new Faults()
    const starts: number[] = []
    const acknowledged = { signUps: 0, webhooks: 0, resets: 0 }
    let asked = 0

    for (let round = 0; round < rounds; round++) {
      await effects.prepareRound()
      // Not between two requests but in the middle of up to thirty.
      const strike = () => sleep(random.between(0, 40)).then(() => world.site.program.kill())
      const result = await effects.run(random.next(), strike)
      asked += result.asked
      acknowledged.signUps += result.signUps
      acknowledged.webhooks += result.webhooks
      acknowledged.resets += result.resets

      starts.push(await world.site.start())
      await requireWhole(world, faults)
      await effects.advance(PAST_EVERY_LEASE_MS)
      faults.expect(await world.isQuiet(90_000), 'outbox not empty')
      await effects.requireKept(faults)
      // The provider tells again what was not acknowledged; then nothing is missing.
      await effects.deliverRest(faults)
      faults.expect(await world.isQuiet(90_000), 'outbox not empty')
      await effects.requireComplete(faults)
      await requireWhole(world, faults)
    }
    const slowest = Math.max(...starts)
    faults.expect(slowest < READY_WITHIN_MS, 'ready too late', `${slowest}`)
    const total = acknowledged.signUps + acknowledged.webhooks + acknowledged.resets
    return {
      passed: faults.count === 0,
      reached:
        `${rounds} kills during ${asked} requests; acknowledged ${total} (${acknowledged.signUps} sign-ups, ${acknowledged.webhooks} webhooks, ` +
        `${acknowledged.resets} resets), each looked up afterwards; ready again after at most ${(slowest / 1_000).toFixed(1)} s ` +
        `(${tally(starts.map((ms) => `${Math.ceil(ms / 1_000)} s`))}); faults: ${faults}`,
      notes: 'Contact messages come with their page',
    }
  },
}

/** Facts that are written together are there together. */
async function requireWhole({ database: { db, engine } }: World, faults: Faults): Promise<void> {
  const registrations = await db
    .selectFrom('pending_registration')
    .select(['id', 'email_key', 'username_key', 'completed_at'])
    .execute()
  const tokens = await db.selectFrom('one_time_token').select('subject_id').execute()
  const names = await db.selectFrom('login_name').select(['name_key', 'account_id']).execute()
  const linked = new Set(tokens.map((token) => token.subject_id))
  const reserved = new Set(names.map((name) => name.name_key))
  const waitingNames = new Set(registrations.map((registration) => registration.username_key))
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'email_key', 'is_officer'])
    .where('deactivated_by', 'is', null)
    .execute()
  const accountKeys = new Set(accounts.map((account) => account.email_key))
  for (const { id, email_key: email, username_key: username, completed_at: done } of registrations) {
    if (done !== null) {
      faults.expect(accountKeys.has(email), 'completed registration without an account', email)
    } else {
      faults.expect(linked.has(id), 'registration without its link', email)
      faults.expect(reserved.has(username), 'registration without its reserved name', email)
    }
  }
  for (const { name_key: name, account_id: owner } of names) {
    faults.expect(owner !== null || waitingNames.has(name), 'reserved name without a registration', name)
  }
  const memberships = await db.selectFrom('membership').select('account_id').execute()
  const holders = new Set(memberships.map((membership) => membership.account_id))
  for (const { id, email_key: email, is_officer: officer } of accounts) {
    faults.expect(reserved.has(email), 'account without its name', email)
    faults.expect(officer === 1 || holders.has(id), 'account without a membership', email)
  }
  await requireWholePayments(db, faults)
  if (engine !== 'sqlite') return
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  faults.expect(rows[0]?.integrity_check === 'ok', 'database damaged', JSON.stringify(rows))
}

async function requireWholePayments(db: World['database']['db'], faults: Faults): Promise<void> {
  const completed = await db.selectFrom('checkout').select('id').where('state', '=', 'completed').execute()
  const payments = await db.selectFrom('payment').select('checkout_id').execute()
  const paid = new Set(payments.map((payment) => payment.checkout_id))
  const settled = new Set<string | null>(completed.map(({ id }) => id))
  for (const { id } of completed) faults.expect(paid.has(id), 'completed checkout without its payment', id)
  for (const id of paid)
    faults.expect(id === null || settled.has(id), 'payment without its completed checkout', id ?? '')
  const notices = await db.selectFrom('stripe_event').select('id').execute()
  const effects = await db.selectFrom('outbox').select('payload').where('kind', 'like', 'stripe.%').execute()
  const queued = new Set(effects.map(({ payload }) => (JSON.parse(payload) as { eventId: string }).eventId))
  for (const { id } of notices) faults.expect(queued.has(id), 'notice stored without its effect', id)
}
