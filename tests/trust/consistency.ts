import { sql } from 'kysely'
import type { Faults } from './row.ts'
import type { World } from './site.ts'

/** Records written in one transaction exist together. */
export async function requireConsistent({ database: { db, engine } }: World, faults: Faults): Promise<void> {
  const registrations = await db
    .selectFrom('pendingRegistration')
    .select(['id', 'emailKey', 'usernameKey', 'completedAt'])
    .execute()
  const tokens = await db.selectFrom('oneTimeToken').select('subjectId').execute()
  const names = await db.selectFrom('loginName').select(['nameKey', 'accountId']).execute()
  const linked = new Set(tokens.map((token) => token.subjectId))
  const reserved = new Set(names.map((name) => name.nameKey))
  const waitingNames = new Set(registrations.map((registration) => registration.usernameKey))
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'emailKey', 'isOfficer'])
    .where('deactivatedBy', 'is', null)
    .execute()
  const accountKeys = new Set(accounts.map((account) => account.emailKey))
  for (const { id, emailKey: email, usernameKey: username, completedAt: done } of registrations) {
    if (done !== null) {
      faults.expect(accountKeys.has(email), 'completed registration without an account', email)
    } else {
      faults.expect(linked.has(id), 'registration without its link', email)
      faults.expect(reserved.has(username), 'registration without its reserved name', email)
    }
  }
  for (const { nameKey: name, accountId: owner } of names) {
    faults.expect(owner !== null || waitingNames.has(name), 'reserved name without a registration', name)
  }
  const memberships = await db.selectFrom('membership').select('accountId').execute()
  const holders = new Set(memberships.map((membership) => membership.accountId))
  for (const { id, emailKey: email, isOfficer: officer } of accounts) {
    faults.expect(reserved.has(email), 'account without its name', email)
    faults.expect(officer === 1 || holders.has(id), 'account without a membership', email)
  }
  await requireWholePayments(db, faults)
  if (engine !== 'sqlite') return
  const { rows } = await sql<{ integrityCheck: string }>`pragma integrity_check`.execute(db)
  faults.expect(rows[0]?.integrityCheck === 'ok', 'database damaged', JSON.stringify(rows))
}

async function requireWholePayments(db: World['database']['db'], faults: Faults): Promise<void> {
  const completed = await db.selectFrom('checkout').select('id').where('state', '=', 'completed').execute()
  const payments = await db.selectFrom('payment').select('checkoutId').execute()
  const paid = new Set(payments.map((payment) => payment.checkoutId))
  const completedIds = new Set<string | null>(completed.map(({ id }) => id))
  for (const { id } of completed) faults.expect(paid.has(id), 'completed checkout without its payment', id)
  for (const id of paid)
    faults.expect(id === null || completedIds.has(id), 'payment without its completed checkout', id ?? '')
  const notices = await db.selectFrom('stripeEvent').select('id').execute()
  const effects = await db.selectFrom('outbox').select('payload').where('kind', 'like', 'stripe.%').execute()
  const queued = new Set(effects.map(({ payload }) => (JSON.parse(payload) as { eventId: string }).eventId))
  for (const { id } of notices) faults.expect(queued.has(id), 'notice stored without its effect', id)
}
