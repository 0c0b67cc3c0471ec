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
      tierName: order.tierName,
      amount: order.amount,
      currency: order.currency,
      state: 'creating',
      openKey,
      attempt: 0,
      leasedUntil,
      stripeSessionId: null,
      url: null,
      nonceHash: order.nonceHash,
      createdAt: order.createdAt,
      expiresAt: order.expiresAt,
      checkedAt: order.createdAt,
      paidAt: null,
      paymentReference: null,
      receiptNumber: null,
      remarksMinutes: order.remarksMinutes,
      remarksDoneAt: null,
      reservedTable: order.reservedTable ? 1 : 0,
      reservedTableDoneAt: null,
      logoMonths: order.logoMonths,
      logoUntil: null,
      logoDoneAt: null,
      amountRefunded: 0,
      refundedAt: null,
      disputeState: null,
    })
    .onConflict((conflict) => conflict.column('openKey').doNothing())
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
      openKey: null,
      leasedUntil: null,
      stripeSessionId: paid.stripeSessionId,
      paymentReference: paid.paymentReference,
      paidAt: paid.paidAt,
      receiptNumber: paid.receiptNumber,
      logoUntil: paid.logoUntil,
      checkedAt: paid.now,
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
