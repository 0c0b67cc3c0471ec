import { sql } from 'kysely'
import type { Faults } from './row.ts'
import type { World } from './site.ts'

/** Records written in one transaction exist together. */
export async function requireConsistent({ database: { db, engine } }: World, faults: Faults): Promise<void> {
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
  const completedIds = new Set<string | null>(completed.map(({ id }) => id))
  for (const { id } of completed) faults.expect(paid.has(id), 'completed checkout without its payment', id)
  for (const id of paid)
    faults.expect(id === null || completedIds.has(id), 'payment without its completed checkout', id ?? '')
  const notices = await db.selectFrom('stripe_event').select('id').execute()
  const effects = await db.selectFrom('outbox').select('payload').where('kind', 'like', 'stripe.%').execute()
  const queued = new Set(effects.map(({ payload }) => (JSON.parse(payload) as { eventId: string }).eventId))
  for (const { id } of notices) faults.expect(queued.has(id), 'notice stored without its effect', id)
}
