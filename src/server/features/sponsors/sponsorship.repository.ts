import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { PromiseKind } from '#contract/console-sponsors.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema, SponsorshipState, SponsorshipTable } from '#server/db/schema.ts'
import { orderQueries } from '../billing/order.repository.ts'
import type { Returned } from '../billing/order-returns.ts'

export interface Sponsorship {
  id: string
  name: string
  email: string
  company: string
  phone: string | null
  message: string | null
  tierName: string
  /** Cents. */
  amount: number
  currency: string
  state: SponsorshipState
  attempt: number
  leasedUntil: number | null
  stripeSessionId: string | null
  url: string | null
  nonceHash: string
  createdAt: number
  expiresAt: number
  checkedAt: number
  paidAt: number | null
  receiptNumber: string | null
  remarksMinutes: number | null
  remarksDoneAt: number | null
  reservedTable: boolean
  reservedTableDoneAt: number | null
  logoMonths: number | null
  /** `YYYY-MM-DD`. */
  logoUntil: string | null
  logoDoneAt: number | null
  amountRefunded: number
  dispute: SponsorshipTable['dispute_state']
}

export type NewSponsorship = Pick<
  Sponsorship,
  | 'id'
  | 'name'
  | 'email'
  | 'company'
  | 'phone'
  | 'message'
  | 'tierName'
  | 'amount'
  | 'currency'
  | 'nonceHash'
  | 'createdAt'
  | 'expiresAt'
  | 'remarksMinutes'
  | 'reservedTable'
  | 'logoMonths'
>

/** False when the same order is being created or open: a unique key says so, whoever asks at the same time. */
export async function reserveSponsorship(
  db: Db,
  order: NewSponsorship,
  { openKey, leasedUntil }: { openKey: string; leasedUntil: number },
): Promise<boolean> {
  const row = await db
    .insertInto('sponsorship')
    .values({
      id: order.id,
      name: order.name,
      email: order.email,
      company: order.company,
      phone: order.phone,
      message: order.message,
      tier_name: order.tierName,
      amount: order.amount,
      currency: order.currency,
      state: 'creating',
      open_key: openKey,
      attempt: 0,
      leased_until: leasedUntil,
      stripe_session_id: null,
      url: null,
      nonce_hash: order.nonceHash,
      created_at: order.createdAt,
      expires_at: order.expiresAt,
      checked_at: order.createdAt,
      paid_at: null,
      payment_reference: null,
      receipt_number: null,
      remarks_minutes: order.remarksMinutes,
      remarks_done_at: null,
      reserved_table: order.reservedTable ? 1 : 0,
      reserved_table_done_at: null,
      logo_months: order.logoMonths,
      logo_until: null,
      logo_done_at: null,
      amount_refunded: 0,
      refunded_at: null,
      dispute_state: null,
    })
    .onConflict((conflict) => conflict.column('open_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const {
  find: findSponsorship,
  findOpen: findOpenSponsorship,
  findBySession: findSponsorshipBySession,
  listUnsettled: listUnsettledSponsorships,
  lease: leaseSponsorship,
  release: releaseSponsorship,
  markOpen: markSponsorshipOpen,
  close: closeSponsorship,
  touch: touchSponsorship,
} = orderQueries('sponsorship', toSponsorship)

/** Lets the same order begin anew while the old session, which is about to end, is still followed. */
export async function freeSponsorshipKey(db: Db, id: string): Promise<void> {
  await db.updateTable('sponsorship').set({ open_key: null }).where('id', '=', id).execute()
}

/** True for the one call that settles it; takes the row's lock until the transaction ends. */
export async function markSponsorshipPaid(
  db: Db,
  id: string,
  paid: {
    stripeSessionId: string
    paymentReference: string | null
    paidAt: number
    receiptNumber: string
    logoUntil: string | null
    now: number
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sponsorship')
    .set({
      state: 'paid',
      open_key: null,
      leased_until: null,
      stripe_session_id: paid.stripeSessionId,
      payment_reference: paid.paymentReference,
      paid_at: paid.paidAt,
      receipt_number: paid.receiptNumber,
      logo_until: paid.logoUntil,
      checked_at: paid.now,
    })
    .where('id', '=', id)
    .where('state', '!=', 'paid')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function findSponsorshipByPayment(db: Db, paymentIntentId: string): Promise<Sponsorship | null> {
  const row = await db
    .selectFrom('sponsorship')
    .selectAll()
    .where('payment_reference', '=', paymentIntentId)
    .executeTakeFirst()
  return row ? toSponsorship(row) : null
}

/** What the provider says came back of it. */
export async function updateSponsorshipReturned(
  db: Db,
  id: string,
  { amountRefunded, refundedAt, dispute }: Returned,
): Promise<void> {
  await db
    .updateTable('sponsorship')
    .set({ amount_refunded: amountRefunded, refunded_at: refundedAt, dispute_state: dispute })
    .where('id', '=', id)
    .execute()
}

/** Those of which something is left with us: what was given back whole, or lost to the bank, promises nothing any more. */
export function isStillOurs(eb: ExpressionBuilder<Schema, 'sponsorship'>): Expression<SqlBool> {
  return eb.and([
    eb('amount_refunded', '<', eb.ref('amount')),
    eb.or([eb('dispute_state', 'is', null), eb('dispute_state', '!=', 'lost')]),
  ])
}

/** The latest first. */
export async function listPaidSponsorships(db: Db): Promise<Sponsorship[]> {
  const rows = await db
    .selectFrom('sponsorship')
    .selectAll()
    .where('state', '=', 'paid')
    .orderBy('paid_at', 'desc')
    .execute()
  return rows.map(toSponsorship)
}

/** A page of those who paid, the latest first; `onlyOpen`: those with a promise that is not kept. */
export async function findPaidPage(
  db: Db,
  { words, onlyOpen, offset, limit }: { words: string; onlyOpen: boolean; offset: number; limit: number },
): Promise<Sponsorship[]> {
  const pattern = `%${words.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  const like = (column: string) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
  const rows = await db
    .selectFrom('sponsorship')
    .selectAll()
    .where('state', '=', 'paid')
    .$if(words !== '', (query) =>
      query.where((eb) => eb.or(['company', 'name', 'email', 'tier_name', 'receipt_number'].map(like))),
    )
    .$if(onlyOpen, (query) =>
      query
        .where(isStillOurs)
        .where((eb) =>
          eb.or([
            eb.and([eb('remarks_minutes', 'is not', null), eb('remarks_done_at', 'is', null)]),
            eb.and([eb('reserved_table', '=', 1), eb('reserved_table_done_at', 'is', null)]),
            eb.and([eb('logo_until', 'is not', null), eb('logo_done_at', 'is', null)]),
          ]),
        ),
    )
    .orderBy('paid_at', 'desc')
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map(toSponsorship)
}

const DONE_COLUMNS = {
  remarks: 'remarks_done_at',
  table: 'reserved_table_done_at',
  logo: 'logo_done_at',
} as const satisfies Record<PromiseKind, keyof SponsorshipTable>

/** False when it was kept before. */
export async function markPromiseDone(db: Db, id: string, promise: PromiseKind, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sponsorship')
    .set({ [DONE_COLUMNS[promise]]: now })
    .where('id', '=', id)
    .where(DONE_COLUMNS[promise], 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False when it was not kept. */
export async function markPromiseOpen(db: Db, id: string, promise: PromiseKind): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sponsorship')
    .set({ [DONE_COLUMNS[promise]]: null })
    .where('id', '=', id)
    .where(DONE_COLUMNS[promise], 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Who never paid need not be remembered. */
export async function forgetUnpaidSponsorships(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('sponsorship')
    .where('state', 'in', ['expired', 'failed'])
    .where('created_at', '<', before)
    .execute()
}

function toSponsorship(row: SponsorshipTable): Sponsorship {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    company: row.company,
    phone: row.phone,
    message: row.message,
    tierName: row.tier_name,
    amount: row.amount,
    currency: row.currency,
    state: row.state,
    attempt: row.attempt,
    leasedUntil: row.leased_until,
    stripeSessionId: row.stripe_session_id,
    url: row.url,
    nonceHash: row.nonce_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    checkedAt: row.checked_at,
    paidAt: row.paid_at,
    receiptNumber: row.receipt_number,
    remarksMinutes: row.remarks_minutes,
    remarksDoneAt: row.remarks_done_at,
    reservedTable: row.reserved_table === 1,
    reservedTableDoneAt: row.reserved_table_done_at,
    logoMonths: row.logo_months,
    logoUntil: row.logo_until,
    logoDoneAt: row.logo_done_at,
    amountRefunded: row.amount_refunded,
    dispute: row.dispute_state,
  }
}
