import type { AppContext } from '#server/app-context.ts'
import type { PaymentKind } from '#server/db/schema/money-schema.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { isAddressOfDeceased } from '#server/features/person-state/person-state.queries.ts'
import { listAccountEndsByEmail } from '#server/features/my-account/deletion/deletion.queries.ts'
import type { ReceiptService } from '#server/features/memberships/billing/receipt.service.ts'
import { sendReceipt, sendReceiptCanceled } from '#server/features/memberships/membership.emails.ts'
import { findPayment } from '#server/features/memberships/payments/payment.queries.ts'
import { sendSeatReceipt } from '#server/features/rsvps/orders/rsvp-money.emails.ts'
import { sendSponsorThanks } from '#server/features/sponsors/sponsors.emails.ts'
import { printOrderReceipt, sendOrderReceiptCanceled } from './order-receipt.emails.ts'
import { findReceivedPayment } from './received-payment.service.ts'

/** Receipts of all kinds of payments, printed and emailed again. Each throws Problem NOT_FOUND. */
export function createPaymentReceipts(ctx: AppContext, { receipts }: { receipts: ReceiptService }) {
  const { db, clock, wakeOutbox } = ctx
  return {
    async print(kind: PaymentKind, id: string): Promise<ServedFile> {
      if (kind === 'dues') {
        const payment = await findPayment(db, id)
        const printed = payment && (await receipts.render(payment))
        if (!printed) throw new Problem('NOT_FOUND')
        return { filename: printed.filename, content: printed.pdf }
      }
      const printed = await printOrderReceipt(ctx, kind, id)
      if (!printed) throw new Problem('NOT_FOUND')
      return { filename: `receipt-${printed.number}.pdf`, content: printed.pdf }
    },

    /** Returns the address. @throws Problem ACCOUNT_CLOSED if the member died */
    async sendAgain(by: Officer, kind: PaymentKind, id: string): Promise<string> {
      const payment = await findReceivedPayment(db, kind, id)
      if (!payment || payment.email === '') throw new Problem('NOT_FOUND')
      const key = nameKey(payment.email)
      if ((await isAddressOfDeceased(db, key)) || (await listAccountEndsByEmail(db, key)).includes('deceased')) {
        throw new Problem('ACCOUNT_CLOSED', {
          message: 'This member died, so no email goes to this address. Print the receipt instead.',
        })
      }
      const now = clock.now()
      const isCanceled = payment.voidedAt !== null
      if (kind === 'dues')
        await addToOutbox(
          db,
          { effect: isCanceled ? sendReceiptCanceled : sendReceipt, payload: { paymentId: id } },
          now,
        )
      else if (isCanceled) await addToOutbox(db, { effect: sendOrderReceiptCanceled, payload: { kind, id } }, now)
      else
        await addToOutbox(db, { effect: kind === 'seats' ? sendSeatReceipt : sendSponsorThanks, payload: { id } }, now)
      const action =
        kind === 'sponsorship'
          ? 'sponsor.receipt-sent'
          : kind === 'seats'
            ? 'rsvp-payment.receipt_sent'
            : 'receipt.sent_again'
      const { receiptNumber } = payment
      await writeAudit(
        db,
        { actor: by.accountId, action, subjectId: payment.accountId ?? id, details: { receiptNumber } },
        now,
      )
      wakeOutbox()
      return payment.email
    },
  }
}

export type PaymentReceipts = ReturnType<typeof createPaymentReceipts>
