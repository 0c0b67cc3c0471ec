import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import type { Association } from '#contract/public/association.ts'
import { renderReceiptPdf } from '#server/emails/receipt-pdf.ts'
import type { PaidSponsorship, SponsorReceiptOptions } from '../sponsors.emails.ts'

type Fields = [label: string, value: string][]

/** The fields of a receipt, used in the email and in the PDF. */
export function sponsorReceiptFields(sponsorship: PaidSponsorship, timeZone: string): Fields {
  const { receiptNumber, name, company, tierName, paidAt, amount, currency } = sponsorship
  return [
    ['Receipt', receiptNumber],
    ['Received from', company],
    ['Contact', name],
    ['For', `Sponsorship: ${tierName}`],
    ['Paid on', formatLongDate(paidAt, timeZone)],
    ['Amount', `${formatMoney(amount, currency)} ${currency.toUpperCase()}`],
  ]
}

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
