import type { BenefitKind } from '#contract/console/sponsors.ts'
import type { Db } from '#server/db/database.ts'
import { orderQueries } from '#server/features/orders/order.commands.ts'
import { DONE_COLUMNS, type NewSponsorship, toSponsorship } from './sponsorship.queries.ts'

/** Returns false if the same order is being created or open. A unique key enforces this under concurrency. */
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
  listPending: listPendingSponsorships,
  lease: leaseSponsorship,
  release: releaseSponsorship,
  markOpen: markSponsorshipOpen,
  close: closeSponsorship,
  markChecked: markSponsorshipChecked,
} = orderQueries('sponsorship', toSponsorship)

/** True only for the one call that completes it. Holds the row lock until the transaction ends. */
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

/** Returns false if it was already delivered. */
export async function markBenefitDelivered(db: Db, id: string, promise: BenefitKind, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sponsorship')
    .set({ [DONE_COLUMNS[promise]]: now })
    .where('id', '=', id)
    .where(DONE_COLUMNS[promise], 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
