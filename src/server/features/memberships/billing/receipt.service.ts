import type { AppContext } from '#server/app-context.ts'
import { formatMoney } from '#contract/money.ts'
import { renderReceiptPdf, type Receipt } from '#server/emails/receipt-pdf.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { findCheckout } from '../checkout/checkout.commands.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { listCredits } from '../payments/payment-credit.queries.ts'
import { findPayment, type PaymentRecord } from '../payments/payment.queries.ts'
import { findReplacement } from '../payments/payment.repository.ts'
import { receiptLines } from './receipt.rules.ts'

export interface RenderedReceipt extends Receipt {
  filename: string
  /** The formatted amount. */
  formattedAmount: string
  pdf: Uint8Array
}

export function createReceiptService({ db, timeZone, association }: AppContext) {
  return {
    /** The receipt of a payment as email lines and as a PDF; null when its account or level no longer exists. */
    async render(payment: PaymentRecord): Promise<RenderedReceipt | null> {
      const account = await findAccount(db, payment.accountId)
      const level = await findLevel(db, payment.levelKey)
      if (!account || !level) return null
      const checkout = payment.checkoutId === null ? null : await findCheckout(db, payment.checkoutId)
      const credits = await listCredits(db, payment.accountId)
      const replaced = payment.replacesId === null ? null : await findPayment(db, payment.replacesId)
      const replacement = payment.voidedAt === null ? null : await findReplacement(db, payment.id)
      const context = {
        name: `${account.firstName} ${account.lastName}`,
        level,
        credit: checkout?.credit ?? 0,
        credited: credits.filter(({ paymentId }) => paymentId === payment.id),
        replaces: replaced?.receiptNumber ?? null,
        replacedBy: replacement?.receiptNumber ?? null,
        timeZone,
      }
      const sender = await association()
      const receipt: Receipt = {
        number: payment.receiptNumber,
        paidAt: payment.paidAt,
        details: receiptLines(payment, context),
        notes: [`Questions about this payment? Please contact ${sender.email}.`],
        isCanceled: payment.voidedAt !== null,
      }
      const pdf = await renderReceiptPdf(receipt, sender)
      const paid = formatMoney(payment.amount, payment.currency)
      return { ...receipt, formattedAmount: paid, filename: `receipt-${payment.receiptNumber}.pdf`, pdf }
    },
  }
}

export type ReceiptService = ReturnType<typeof createReceiptService>
