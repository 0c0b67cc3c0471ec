import type { Association } from '#contract/association.ts'
import { printReceiptPdf } from '#server/mail/receipt-pdf.ts'
import { receiptFacts, type PaidSponsorship, type ReceiptWords } from './sponsors.emails.ts'

/** The receipt on paper: the same facts as in the letter. */
export function printReceipt(
  sponsorship: PaidSponsorship,
  { timeZone, taxWording }: ReceiptWords,
  association: Association,
): Promise<Uint8Array> {
  const { receiptNumber: number, paidAt } = sponsorship
  const notes = [taxWording, 'Thank you for standing with us.']
  return printReceiptPdf({ number, paidAt, facts: receiptFacts(sponsorship, timeZone), notes }, association)
}
