import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/**
 * The ledger: every change of what the association keeps, one row each. Seats and sponsorships can be paid outside the card provider, like dues, and every
 * kind of payment has one table of refunds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ledger_entry')
    .addColumn('id', 'text', key)
    .addColumn('kind', 'text', required)
    .addColumn('payment_id', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('at', 'bigint', required)
    .addColumn('amount', 'integer', required)
    .addColumn('currency', 'text', required)
    .addColumn('method', 'text', required)
    .addColumn('recorded_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('ledger_entry_at').on('ledger_entry').columns(['at', 'id']).execute()
  await db.schema.createIndex('ledger_entry_payment').on('ledger_entry').column('payment_id').execute()
  for (const table of ['rsvp_order', 'sponsorship']) {
    const alter = () => db.schema.alterTable(table)
    await alter().addColumn('manual_reference', 'text').execute()
    await alter().addColumn('recorded_at', 'bigint').execute()
    await alter().addColumn('voided_at', 'bigint').execute()
    await alter().addColumn('voided_by', 'text').execute()
    await alter().addColumn('void_reason', 'text').execute()
    await alter().addColumn('replaces_id', 'text').execute()
    await db.schema.createIndex(`${table}_manual`).on(table).column('manual_reference').unique().execute()
    await db.schema.createIndex(`${table}_replaces`).on(table).column('replaces_id').unique().execute()
  }
  await db.schema.createIndex('sponsorship_paid').on('sponsorship').column('paid_at').execute()
  await db.schema
    .createTable('payment_batch')
    .addColumn('id', 'text', key)
    .addColumn('recorded_by', 'text', required)
    .addColumn('recorded_at', 'bigint', required)
    .addColumn('receipts', 'text', required)
    .execute()
  await moveRefunds(db)
  await writeEntries(db)
}

async function moveRefunds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('refund')
    .addColumn('id', 'text', key)
    .addColumn('kind', 'text', required)
    .addColumn('payment_id', 'text', required)
    .addColumn('amount', 'integer', required)
    .addColumn('reason', 'text', required)
    .addColumn('note', 'text')
    .addColumn('method', 'text', required)
    .addColumn('reference', 'text')
    .addColumn('asked_by', 'text', required)
    .addColumn('asked_at', 'bigint', required)
    .addColumn('done_at', 'bigint')
    .addColumn('refused_at', 'bigint')
    .execute()
  await db.schema.createIndex('refund_payment').on('refund').column('payment_id').execute()
  await sql`insert into refund (id, kind, payment_id, amount, reason, note, method, asked_by, asked_at, done_at)
    select id, 'seats', order_id, amount, reason, note, 'card', asked_by, asked_at, done_at from rsvp_refund`.execute(
    db,
  )
  await db.schema.dropTable('rsvp_refund').execute()
  await sql`update outbox set kind = 'payment.refund_part' where kind = 'payment.rsvp_refund'`.execute(db)
}

/** One row for each payment, for what was refunded or lost of it, and for a canceled record, at the times that are known. */
async function writeEntries(db: Kysely<unknown>): Promise<void> {
  const columns = sql.raw('id, kind, payment_id, type, at, amount, currency, method, recorded_at')
  const into = sql`insert into ledger_entry (${columns})`
  const method = sql`case when reference like '%by-hand:%:cheque:%' then 'cheque' when reference like '%by-hand:%:cash:%' then 'cash'
    when amount = 0 then 'none' else 'card' end`
  await sql`${into} select id || ':paid', 'dues', id, 'payment', case when replaces_id is null then paid_at else recorded_at end,
    amount, currency, ${method}, recorded_at from payment`.execute(db)
  await sql`${into} select id || ':refunded', 'dues', id, 'refund', coalesce(refunded_at, paid_at), -amount_refunded, currency, ${method},
    coalesce(refunded_at, paid_at) from payment where amount_refunded > 0`.execute(db)
  await sql`${into} select id || ':lost', 'dues', id, 'dispute', coalesce(refunded_at, paid_at), amount_refunded - amount, currency, ${method},
    coalesce(refunded_at, paid_at) from payment where dispute_state = 'lost' and voided_at is null and amount > amount_refunded`.execute(
    db,
  )
  await sql`${into} select id || ':voided', 'dues', id, 'canceled', voided_at, amount_refunded - amount, currency, ${method}, voided_at
    from payment where voided_at is not null`.execute(db)
  for (const [table, kind] of [
    ['rsvp_order', 'seats'],
    ['sponsorship', 'sponsorship'],
  ] as const) {
    const from = sql`from ${sql.table(table)} where state = 'paid'`
    await sql`${into} select id || ':paid', ${kind}, id, 'payment', paid_at, amount, currency, 'card', paid_at ${from}`.execute(
      db,
    )
    await sql`${into} select id || ':refunded', ${kind}, id, 'refund', coalesce(refunded_at, paid_at), -amount_refunded, currency, 'card',
      coalesce(refunded_at, paid_at) ${from} and amount_refunded > 0`.execute(db)
    await sql`${into} select id || ':lost', ${kind}, id, 'dispute', coalesce(refunded_at, paid_at), amount_refunded - amount, currency, 'card',
      coalesce(refunded_at, paid_at) ${from} and dispute_state = 'lost' and amount > amount_refunded`.execute(db)
  }
  await sql`${into} select id, 'dues', id, 'complimentary', given_at, 0,
    coalesce((select currency from membership_level where key = level_key), 'usd'), 'none', given_at from complimentary_term`.execute(
    db,
  )
}
