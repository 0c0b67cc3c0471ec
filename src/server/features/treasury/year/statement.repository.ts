import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { PaymentKind } from '#server/db/schema/money-schema.ts'

export interface StatementLine {
  kind: PaymentKind
  type: 'payment' | 'refund' | 'dispute' | 'canceled'
  at: number
  amount: number
  currency: string
  what: string
  receiptNumber: string
  reference: string | null
}

/** What an account paid and got back in a span, oldest first: its dues, and the seats and sponsorships that were paid with its address. */
export async function listStatementLines(
  db: Db,
  account: { id: string; emailKey: string },
  { from, to }: { from: number; to: number },
): Promise<StatementLine[]> {
  const { rows } = await sql<StatementLine>`
    select e.kind, e.type, e.at, e.amount, e.currency, coalesce(l.name, p.level_key, o.title, s.tier_name, '') as what,
      coalesce(p.receipt_number, o.receipt_number, s.receipt_number, '') as "receiptNumber",
      coalesce(p.reference, o.manual_reference, s.manual_reference) as reference
    from ledger_entry e
    left join payment p on e.kind = 'dues' and p.id = e.payment_id
    left join membership_level l on l.key = p.level_key
    left join rsvp_order o on e.kind = 'seats' and o.id = e.payment_id
    left join sponsorship s on e.kind = 'sponsorship' and s.id = e.payment_id
    where e.at >= ${from} and e.at < ${to} and e.amount <> 0
      and e.payment_id in (select id from payment where account_id = ${account.id}
        union all select id from rsvp_order where email_key = ${account.emailKey}
        union all select id from sponsorship where lower(email) = ${account.emailKey})
    order by e.at, e.id`.execute(db)
  return rows.map((row) => ({ ...row, at: Number(row.at) }))
}

/** Active accounts that paid something in a span. */
export async function listPayersBetween(db: Db, { from, to }: { from: number; to: number }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct a.id from ledger_entry e join payment p on e.kind = 'dues' and p.id = e.payment_id join account a on a.id = p.account_id
      where e.at >= ${from} and e.at < ${to} and e.type = 'payment' and e.amount > 0 and a.deactivated_by is null
    union select a.id from ledger_entry e join rsvp_order o on e.kind = 'seats' and o.id = e.payment_id join account a on a.email_key = o.email_key
      where e.at >= ${from} and e.at < ${to} and e.type = 'payment' and e.amount > 0 and a.deactivated_by is null
    union select a.id from ledger_entry e join sponsorship s on e.kind = 'sponsorship' and s.id = e.payment_id join account a on a.email_key = lower(s.email)
      where e.at >= ${from} and e.at < ${to} and e.type = 'payment' and e.amount > 0 and a.deactivated_by is null`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export interface DeliveryCounts {
  asked: number
  sent: number
  skipped: number
  startedAt: number | null
  startedBy: string | null
}

export async function countDeliveries(db: Db, year: number): Promise<DeliveryCounts> {
  const row = await db
    .selectFrom('statementDelivery')
    .select((eb) => [
      eb.fn.countAll<string | number>().as('asked'),
      eb.fn.count<string | number>('sentAt').as('sent'),
      eb.fn.count<string | number>('skippedAt').as('skipped'),
      eb.fn.max('askedAt').as('startedAt'),
      eb.fn.max('askedBy').as('startedBy'),
    ])
    .where('year', '=', year)
    .executeTakeFirstOrThrow()
  const { startedAt, startedBy } = row
  return {
    asked: Number(row.asked),
    sent: Number(row.sent),
    skipped: Number(row.skipped),
    startedAt: startedAt === null ? null : Number(startedAt),
    startedBy,
  }
}

const CHUNK = 100

/** Adds those that were not asked for before; each account gets the statement of a year once. Returns how many. */
export async function askForStatements(
  tx: Tx,
  accounts: readonly string[],
  { year, by, now }: { year: number; by: string; now: number },
): Promise<number> {
  let added = 0
  for (let from = 0; from < accounts.length; from += CHUNK) {
    const rows = accounts.slice(from, from + CHUNK).map((accountId) => ({
      year,
      accountId,
      askedBy: by,
      askedAt: now,
      queuedAt: null,
      sentAt: null,
      skippedAt: null,
    }))
    const result = await tx
      .insertInto('statementDelivery')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['year', 'accountId']).doNothing())
      .executeTakeFirst()
    added += Number(result.numInsertedOrUpdatedRows ?? 0)
  }
  return added
}

/** The next accounts whose email is not queued yet, marked as queued. */
export async function takeStatements(
  tx: Tx,
  year: number,
  { limit, now }: { limit: number; now: number },
): Promise<string[]> {
  const next = await tx
    .selectFrom('statementDelivery')
    .select('accountId')
    .where('year', '=', year)
    .where('queuedAt', 'is', null)
    .orderBy('accountId')
    .limit(limit)
    .execute()
  const ids = next.map(({ accountId }) => accountId)
  if (ids.length === 0) return []
  const taken = await tx
    .updateTable('statementDelivery')
    .set({ queuedAt: now })
    .where('year', '=', year)
    .where('accountId', 'in', ids)
    .where('queuedAt', 'is', null)
    .returning('accountId')
    .execute()
  return taken.map(({ accountId }) => accountId)
}

export async function closeDelivery(
  db: Db,
  { year, accountId }: { year: number; accountId: string },
  state: { sentAt: number } | { skippedAt: number },
): Promise<void> {
  await db
    .updateTable('statementDelivery')
    .set(state)
    .where('year', '=', year)
    .where('accountId', '=', accountId)
    .where('sentAt', 'is', null)
    .execute()
}
