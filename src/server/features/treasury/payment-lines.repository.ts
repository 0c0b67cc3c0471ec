import { sql, type RawBuilder } from 'kysely'
import type { PaymentKind, PaymentQuery } from '#contract/console/money/payments.ts'
import type { Db } from '#server/db/database.ts'
import type { LedgerEntryTable } from '#server/db/schema/money-schema.ts'
import { listLevels } from '#server/features/levels/level.queries.ts'
import { refreshMemberSearch } from '#server/features/member-admin/member-search.queries.ts'
import { lineHas, listReceipts, paymentSearchWords } from './payment-search.queries.ts'

/** A line of the list of payments: a ledger entry with the payment it belongs to. */
export interface LineRow extends LedgerEntryTable {
  name: string
  email: string
  accountId: string | null
  what: string
  receiptNumber: string
  reference: string | null
  /** The payment, as it is now. */
  paid: number
  amountRefunded: number
  dispute: 'open' | 'won' | 'lost' | null
  voidedAt: number | null
  note: string | null
  discount: number
  couponCode: string | null
}

export interface LineFilter extends Pick<PaymentQuery, 'kind' | 'type' | 'method' | 'state' | 'q' | 'least' | 'most'> {
  /** Instants; `to` is exclusive. */
  from: number
  to: number
}

const SPONSOR = sql<string>`case when s.company = '' then s.name else s.company end`
const NAME = sql<string>`case e.kind
  when 'dues' then case when a.id is null then 'Deleted account' else a.last_name || ', ' || a.first_name end
  when 'seats' then o.name else ${SPONSOR} end`
const LAST_NAME = sql<string>`lower(case e.kind
  when 'dues' then coalesce(a.last_name, 'Deleted account') when 'seats' then o.name else ${SPONSOR} end)`
const FIRST_NAME = sql<string>`lower(coalesce(a.first_name, ''))`
const EMAIL = sql<string>`coalesce(a.email, o.email, s.email, '')`
const RECEIPT = sql<string>`coalesce(p.receipt_number, o.receipt_number, s.receipt_number, '')`
const REFERENCE = sql<string | null>`coalesce(p.reference, o.manual_reference, s.manual_reference)`
const WHAT = sql<string>`coalesce(l.name, p.level_key, t.level_key, o.title, s.tier_name, '')`
const PAID = sql<number>`coalesce(p.amount, o.amount, s.amount, 0)`
const REFUNDED = sql<number>`coalesce(p.amount_refunded, o.amount_refunded, s.amount_refunded, 0)`
const DISPUTE = sql<'open' | 'won' | 'lost' | null>`coalesce(p.dispute_state, o.dispute_state, s.dispute_state)`
const VOIDED = sql<number | null>`coalesce(p.voided_at, o.voided_at, s.voided_at)`

/** Joins what the columns above read. */
const FROM = sql`from ledger_entry e
  left join payment p on e.kind = 'dues' and p.id = e.payment_id
  left join complimentary_term t on e.type = 'complimentary' and t.id = e.payment_id
  left join account a on a.id = coalesce(p.account_id, t.account_id)
  left join membership_level l on l.key = coalesce(p.level_key, t.level_key)
  left join rsvp_order o on e.kind = 'seats' and o.id = e.payment_id
  left join sponsorship s on e.kind = 'sponsorship' and s.id = e.payment_id`

const STATES: Record<NonNullable<PaymentQuery['state']>, RawBuilder<boolean>> = {
  canceled: sql`${VOIDED} is not null`,
  lost: sql`${VOIDED} is null and ${DISPUTE} = 'lost'`,
  disputed: sql`${VOIDED} is null and ${DISPUTE} = 'open'`,
  refunded: sql`${VOIDED} is null and (${DISPUTE} is null or ${DISPUTE} = 'won') and ${PAID} > 0 and ${REFUNDED} >= ${PAID}`,
  'partly-refunded': sql`${VOIDED} is null and (${DISPUTE} is null or ${DISPUTE} = 'won') and ${REFUNDED} > 0 and ${REFUNDED} < ${PAID}`,
  paid: sql`e.type <> 'complimentary' and ${VOIDED} is null and (${DISPUTE} is null or ${DISPUTE} = 'won') and ${REFUNDED} = 0`,
  complimentary: sql`e.type = 'complimentary'`,
}

interface PaymentSearch {
  words: readonly string[]
  /** Words that are whole receipt numbers of dues. */
  receipts: ReadonlySet<string>
  /** In lowercase, by key. */
  levelNames: ReadonlyMap<string, string>
}

async function prepareSearch(db: Db, text = ''): Promise<PaymentSearch> {
  const words = paymentSearchWords(text)
  if (words.length === 0) return { words, receipts: new Set(), levelNames: new Map() }
  await refreshMemberSearch(db)
  const [levels, receipts] = await Promise.all([listLevels(db), listReceipts(db, words)])
  return { words, receipts, levelNames: new Map(levels.map(({ key, name }) => [key, name.toLowerCase()])) }
}

function where(
  { from, to, kind, type, method, state, least, most }: LineFilter,
  { words, receipts, levelNames }: PaymentSearch,
): RawBuilder<unknown> {
  const conditions = [
    sql`e.at >= ${from} and e.at < ${to}`,
    ...(kind === undefined ? [] : [sql`e.kind = ${kind}`]),
    ...(type === undefined ? [] : [sql`e.type = ${type}`]),
    ...(method === undefined ? [] : [sql`e.method = ${method}`]),
    ...(state === undefined ? [] : [STATES[state]]),
    ...(least === undefined ? [] : [sql`abs(e.amount) >= ${least}`]),
    ...(most === undefined ? [] : [sql`abs(e.amount) <= ${most}`]),
    ...words.map((word) => lineHas(word, { levelNames, isReceipt: receipts.has(word) })),
  ]
  return sql`where ${sql.join(conditions, sql` and `)}`
}

const ORDERS = {
  day: [sql`e.at`],
  amount: [sql`e.amount`],
  name: [LAST_NAME, FIRST_NAME],
} as const

const orderBy = (columns: readonly RawBuilder<unknown>[], order: PaymentQuery['order']) =>
  sql`order by ${sql.join([...columns, sql`e.id`].map((column) => sql`${column} ${sql.raw(order)}`))}`

type Names = readonly [last: RawBuilder<unknown>, first: RawBuilder<unknown>]

/** More lines than these are not sorted by name: names are read in order instead. */
const SORTED_AT_ONCE = 2_000

interface LinePage extends Pick<PaymentQuery, 'sort' | 'order'> {
  offset?: number
  limit: number
  /** How many lines match, for a page of many by name. */
  matching?: number
}

/** The lines that match; a page of them with `limit`. */
export async function listLines(db: Db, filter: LineFilter, page: LinePage): Promise<LineRow[]> {
  const { sort, order, offset = 0, limit, matching = 0 } = page
  const search = await prepareSearch(db, filter.q)
  const isLong = sort === 'name' && filter.state === undefined && matching > SORTED_AT_ONCE
  const conditions = where(filter, search)
  const [lines, start] = isLong
    ? [sql`where e.id in (${idsByName(conditions, { order, offset, limit })})`, 0]
    : [conditions, offset]
  const { rows } = await sql<LineRow>`
    select e.id, e.kind, e.payment_id as "paymentId", e.type, e.at, e.amount, e.currency, e.method, e.recorded_at as "recordedAt",
      ${NAME} as name, ${EMAIL} as email, a.id as "accountId", ${WHAT} as what, ${RECEIPT} as "receiptNumber", ${REFERENCE} as reference,
      ${PAID} as paid, ${REFUNDED} as "amountRefunded", ${DISPUTE} as dispute, ${VOIDED} as "voidedAt",
      coalesce(t.reason, p.void_reason, o.void_reason, s.void_reason) as note, coalesce(p.discount, 0) as discount, p.coupon_code as "couponCode"
    ${FROM} ${lines} ${orderBy(ORDERS[sort], order)} limit ${limit} offset ${start}`.execute(db)
  return rows
}

/**
 * The lines of a page by name, of conditions that read only the ledger. Accounts are read in the order of their names, by an index, until the page is full:
 * to sort a million lines takes seconds. `cross join` keeps SQLite to that order.
 */
function idsByName(
  conditions: RawBuilder<unknown>,
  { order, offset, limit }: Required<Pick<LinePage, 'order' | 'offset' | 'limit'>>,
): RawBuilder<unknown> {
  const direction = sql.raw(order)
  const names: Names = [sql`lower(a.last_name)`, sql`lower(a.first_name)`]
  const part = ([last, first]: Names, from: RawBuilder<unknown>) => sql`select * from (
    select e.id, ${last} as last_name, ${first} as first_name ${from}
    ${orderBy([last, first], order)} limit ${offset + limit}) as part`
  const ofAccounts = (table: string) =>
    part(
      names,
      sql`from account a cross join ${sql.table(table)} paid cross join ledger_entry e
        ${conditions} and paid.account_id = a.id and e.payment_id = paid.id`,
    )
  const parts = [
    ofAccounts('payment'),
    ofAccounts('complimentary_term'),
    part(
      [LAST_NAME, FIRST_NAME],
      sql`${FROM} ${conditions} and e.payment_id in (select id from rsvp_order union all select id from sponsorship)`,
    ),
  ]
  return sql`select id from (${sql.join(parts, sql` union all `)}) as line
    order by last_name ${direction}, first_name ${direction}, id ${direction} limit ${limit} offset ${offset}`
}

export interface KindSum {
  kind: PaymentKind
  received: number
  refunded: number
  lines: number
  payments: number
  refunds: number
}

/** Sums of the lines that match, by kind. A canceled record was never received; it is no refund. */
export async function sumLines(db: Db, filter: LineFilter): Promise<KindSum[]> {
  const search = await prepareSearch(db, filter.q)
  // Only a state is read from the payment itself.
  const from = filter.state === undefined ? sql`from ledger_entry e` : FROM
  const { rows } = await sql<Record<keyof KindSum, string | number>>`
    select e.kind as kind,
      coalesce(sum(case when e.type in ('payment', 'canceled') then e.amount else 0 end), 0) as received,
      coalesce(-sum(case when e.type in ('refund', 'dispute') then e.amount else 0 end), 0) as refunded, count(*) as lines,
      sum(case when e.type = 'payment' then 1 when e.type = 'canceled' then -1 else 0 end) as payments,
      sum(case when e.type in ('refund', 'dispute') then 1 else 0 end) as refunds
    ${from} ${where(filter, search)} group by e.kind`.execute(db)
  return rows.map(({ kind, ...sums }) => ({
    kind: kind as PaymentKind,
    received: Number(sums.received),
    refunded: Number(sums.refunded),
    lines: Number(sums.lines),
    payments: Math.max(0, Number(sums.payments)),
    refunds: Number(sums.refunds),
  }))
}

/** Cents and number of refunds by hand that are due: someone canceled what they had paid by check. */
export async function countRefundsDue(db: Db): Promise<number> {
  const row = await db
    .selectFrom('refund')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .where('method', '!=', 'card')
    .where('doneAt', 'is', null)
    .where('refusedAt', 'is', null)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
