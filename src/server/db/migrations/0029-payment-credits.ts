import { sql, type Kysely } from 'kysely'

const DAY_MS = 86_400_000

/**
 * Records credits toward other memberships against the payments they came from, so that an amount is neither credited nor refunded twice; and lets check and
 * cash payments be voided or replaced by a corrected one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payment_credit')
    .addColumn('payment_id', 'text', (column) => column.notNull().references('payment.id').onDelete('cascade'))
    .addColumn('checkout_id', 'text', (column) => column.notNull())
    .addColumn('amount', 'integer', (column) => column.notNull())
    .addColumn('offered_at', 'bigint', (column) => column.notNull())
    .addColumn('taken_at', 'bigint')
    .addColumn('released_at', 'bigint')
    .addPrimaryKeyConstraint('payment_credit_key', ['payment_id', 'checkout_id'])
    .execute()
  await db.schema.createIndex('payment_credit_checkout').on('payment_credit').column('checkout_id').execute()
  const payment = () => db.schema.alterTable('payment')
  await payment()
    .addColumn('refund_asked', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await payment().addColumn('voided_at', 'bigint').execute()
  await payment().addColumn('voided_by', 'text').execute()
  await payment().addColumn('void_reason', 'text').execute()
  await payment().addColumn('replaces_id', 'text').execute()
  await db.schema.createIndex('payment_replaces').on('payment').column('replaces_id').unique().execute()
  await writeEarlierCredits(db)
}

interface Order {
  id: string
  account_id: string
  credit: number
  state: string
  created_at: number
  completed_at: number | null
}

interface Paid {
  id: string
  unused: number
  period_ends_at: number
}

/** Existing credits are attributed to the payments for the term that was current at the time, latest end first. */
async function writeEarlierCredits(db: Kysely<unknown>): Promise<void> {
  const { rows: orders } = await sql<Order>`
    select c.id, coalesce(p.account_id, c.person_id) as account_id, c.credit, c.state, c.created_at, c.completed_at
    from checkout c left join payment p on p.checkout_id = c.id
    where c.credit > 0 and c.state in ('creating', 'open', 'completed') order by c.created_at`.execute(db)
  for (const order of orders) {
    const { rows: payments } = await sql<Paid>`
      select id, period_ends_at,
        amount - amount_refunded - coalesce((select sum(amount) from payment_credit where payment_id = payment.id), 0) as unused
      from payment where account_id = ${order.account_id} and (checkout_id is null or checkout_id <> ${order.id})
        and recorded_at <= ${order.created_at} and period_ends_at > ${order.created_at}
      order by period_ends_at desc, paid_at desc, id desc`.execute(db)
    let due = order.credit
    for (const payment of payments) {
      const isOfTerm = Number(payments[0]?.period_ends_at) - Number(payment.period_ends_at) < DAY_MS
      const amount = Math.min(due, Math.max(0, Number(payment.unused)))
      if (!isOfTerm || amount === 0) continue
      due -= amount
      await sql`insert into payment_credit (payment_id, checkout_id, amount, offered_at, taken_at) values
        (${payment.id}, ${order.id}, ${amount}, ${order.created_at}, ${order.completed_at})`.execute(db)
    }
  }
}
