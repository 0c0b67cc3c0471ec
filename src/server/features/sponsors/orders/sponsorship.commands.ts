import type { BenefitKind } from '#contract/console/sponsors.ts'
import type { Db } from '#server/db/database.ts'
import { orderCommands, type NewOrder } from '#server/features/orders/order.commands.ts'
import { NO_PAYMENT, orderPaymentCommands } from '#server/features/orders/order-payment.commands.ts'
import { DONE_COLUMNS, type Sponsorship, toSponsorship } from './sponsorship.queries.ts'

export const sponsorships = orderCommands('sponsorship', toSponsorship)
export const { find: findSponsorship } = sponsorships
const payments = orderPaymentCommands('sponsorship', 'sponsorship')

/** What a sponsor orders. */
export type SponsorOrder = Pick<
  Sponsorship,
  | 'name'
  | 'email'
  | 'company'
  | 'phone'
  | 'message'
  | 'tierName'
  | 'amount'
  | 'currency'
  | 'remarksMinutes'
  | 'reservedTable'
  | 'logoMonths'
>

type Draft = Pick<NewOrder<'sponsorship'>, 'id' | 'openKey' | 'leasedUntil' | 'nonceHash' | 'createdAt' | 'expiresAt'>

/** Returns false if the same order is being created or open. */
export function reserveSponsorship(db: Db, order: SponsorOrder & Draft): Promise<boolean> {
  const benefits = { remarksDoneAt: null, reservedTableDoneAt: null, logoUntil: null, logoDoneAt: null }
  return sponsorships.insert(db, {
    ...order,
    ...benefits,
    ...NO_PAYMENT,
    reservedTable: order.reservedTable ? 1 : 0,
  })
}

/** Records the payment of an order that was marked as paid, and how long its logo is shown. */
export async function recordSponsorshipPayment(
  db: Db,
  id: string,
  { logoUntil, ...payment }: { paymentReference: string | null; receiptNumber: string; logoUntil: string | null },
  now: number,
): Promise<void> {
  await payments.record(db, id, payment, now)
  await db.updateTable('sponsorship').set({ logoUntil }).where('id', '=', id).execute()
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
