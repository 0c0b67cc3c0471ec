import type { Association } from '#contract/public/association.ts'
import { renderReceiptPdf } from '#server/emails/receipt-pdf.ts'
import { sponsorReceiptFields, type PaidSponsorship, type SponsorReceiptOptions } from '../sponsors.emails.ts'

/** Renders the receipt as a PDF, with the same fields as in the email. */
export function printReceipt(
  sponsorship: PaidSponsorship,
  { timeZone, taxWording }: SponsorReceiptOptions,
  association: Association,
): Promise<Uint8Array> {
  const { receiptNumber: number, paidAt } = sponsorship
  const notes = [taxWording, 'Thank you for your support.']
  return renderReceiptPdf({ number, paidAt, details: sponsorReceiptFields(sponsorship, timeZone), notes }, association)
}
