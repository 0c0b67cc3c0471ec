import type { Association } from '#contract/public/association.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { listBenefits } from './benefits.rules.ts'
import type { Sponsorship } from './orders/sponsorship.queries.ts'

/** A paid sponsorship. */
export type PaidSponsorship = Sponsorship & { paidAt: number; receiptNumber: string }

export interface SponsorReceiptOptions {
  timeZone: string
  /** The association's tax statement for receipts. */
  taxWording: string
}

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

/** Sent to the sponsor: thanks, the benefits, and the receipt, which is also attached. */
export function thankYouEmail(
  sponsorship: PaidSponsorship,
  { timeZone, taxWording }: SponsorReceiptOptions,
  association: Association,
): Email {
  const { name, company, amount, currency, receiptNumber } = sponsorship
  const benefits = listBenefits(sponsorship).map(({ text }) => text)
  return renderEmail(
    {
      subject: `Thank you for your sponsorship (receipt ${receiptNumber})`,
      preview: `We received ${formatMoney(amount, currency)}. The receipt is attached.`,
      heading: `Thank you, ${name}`,
      blocks: [
        {
          kind: 'text',
          text: `Thank you for supporting the physicians of our association. We received the sponsorship of ${company}; the receipt is below and attached as a PDF for your records.`,
        },
        { kind: 'details', details: sponsorReceiptFields(sponsorship, timeZone) },
        ...(benefits.length === 0
          ? []
          : [
              {
                kind: 'text' as const,
                text: `Your benefits: ${benefits.join('; ')}. An officer will contact you to arrange them.`,
              },
            ]),
        { kind: 'note', text: taxWording },
        { kind: 'note', text: 'Questions about this payment? Reply to this email or write to the address below.' },
      ],
    },
    association,
  )
}

/** Sent to the officers: the new sponsor, the benefits due, and how to mark them delivered. */
export function newSponsorEmail(sponsorship: PaidSponsorship, timeZone: string, association: Association): Email {
  const { id, name, email, company, phone, message, tierName, amount, currency } = sponsorship
  const benefits = listBenefits(sponsorship).map(({ text }) => text)
  return renderEmail(
    {
      subject: `New sponsor: ${tierName}, ${formatMoney(amount, currency)}`,
      preview: `${company} paid. Reply to this email to reach them.`,
      heading: 'We have a new sponsor',
      blocks: [
        {
          kind: 'details',
          details: [
            ...sponsorReceiptFields(sponsorship, timeZone),
            ['Email', email],
            ...(phone === null ? [] : ([['Phone', phone]] as Fields)),
            ['Benefits', benefits.length === 0 ? 'Our thanks' : benefits.join('; ')],
          ],
        },
        ...(message ?? '')
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => ({ kind: 'text' as const, text: line })),
        {
          kind: 'note',
          text: `Reply to this email to reach ${name}. When a benefit is delivered, mark it with "npm run admin -- sponsors done ${id} remarks" (or table, or logo).`,
        },
      ],
    },
    association,
  )
}
