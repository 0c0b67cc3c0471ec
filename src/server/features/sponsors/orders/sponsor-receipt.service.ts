import type { Association } from '#contract/public/association.ts'
import { renderReceiptPdf } from '#server/emails/receipt-pdf.ts'
import { paymentFields, type ReceiptFields } from '#server/features/orders/payments/receipt-fields.rules.ts'
import type { PaidSponsorship, SponsorReceiptOptions } from '../sponsors.emails.ts'

/** The fields of a receipt, used in the email and in the PDF. */
export function sponsorReceiptFields(sponsorship: PaidSponsorship, timeZone: string): ReceiptFields {
  const { receiptNumber, name, company, tierName } = sponsorship
  return [
    ['Receipt', receiptNumber],
    ['Received from', company],
    ['Contact', name],
    ['For', `Sponsorship: ${tierName}`],
    ...paymentFields(sponsorship, timeZone),
  ]
}

/** Renders the receipt as a PDF, with the same fields as in the email. */
export async function printSponsorReceipt(
  sponsorship: PaidSponsorship,
  { timeZone, taxWording }: SponsorReceiptOptions,
  association: Association,
): Promise<{ details: ReceiptFields; pdf: Uint8Array }> {
  const { receiptNumber: number, paidAt, voidedAt } = sponsorship
  const notes = [taxWording, 'Thank you for your support.']
  const details = sponsorReceiptFields(sponsorship, timeZone)
  return {
    details,
    pdf: await renderReceiptPdf({ number, paidAt, details, notes, isCanceled: voidedAt !== null }, association),
  }
}
