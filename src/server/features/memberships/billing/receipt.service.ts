import type { Association } from '#contract/association.ts'
import { formatMoney } from '#contract/money.ts'
import type { Db } from '#server/db/database.ts'
import { printReceiptPdf, type Receipt } from '#server/mail/receipt-pdf.ts'
import { findAccount } from '../account/account.repository.ts'
import { findCheckout } from './checkout.repository.ts'
import { findLevel } from './level.repository.ts'
import { listCredits } from './payment-credit.repository.ts'
import { findPayment, findReplacement, type PaymentRecord } from './payment.repository.ts'
import { receiptFacts } from './receipt.rules.ts'

export interface PrintedReceipt extends Receipt {
  filename: string
  /** The amount, written out. */
  paid: string
  pdf: Uint8Array
}

export interface ReceiptService {
  /** The receipt of a payment as letter lines and on paper; null when its person or level is gone. */
  print(payment: PaymentRecord): Promise<PrintedReceipt | null>
}

const NOTES = ['Questions about this payment? Write to the address above.']

export function createReceiptService({
  db,
  timeZone,
  association,
}: {
  db: Db
  timeZone: string
  association(): Promise<Association>
}): ReceiptService {
  return {
    async print(payment) {
      const account = await findAccount(db, payment.accountId)
      const level = await findLevel(db, payment.levelKey)
      if (!account || !level) return null
      const checkout = payment.checkoutId === null ? null : await findCheckout(db, payment.checkoutId)
      const credits = await listCredits(db, payment.accountId)
      const replaced = payment.replacesId === null ? null : await findPayment(db, payment.replacesId)
      const replacement = payment.voidedAt === null ? null : await findReplacement(db, payment.id)
      const words = {
        name: `${account.firstName} ${account.lastName}`,
        level,
        credit: checkout?.credit ?? 0,
        credited: credits.filter(({ paymentId }) => paymentId === payment.id),
        replaces: replaced?.receiptNumber ?? null,
        replacedBy: replacement?.receiptNumber ?? null,
        timeZone,
      }
      const receipt: Receipt = {
        number: payment.receiptNumber,
        paidAt: payment.paidAt,
        facts: receiptFacts(payment, words),
        notes: NOTES,
        isCanceled: payment.voidedAt !== null,
      }
      const pdf = await printReceiptPdf(receipt, await association())
      const paid = formatMoney(payment.amount, payment.currency)
      return { ...receipt, paid, filename: `receipt-${payment.receiptNumber}.pdf`, pdf }
    },
  }
}
