import type { Association } from '#contract/association.ts'
import { formatLongDate } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'
import { promisesOf } from './promises.rules.ts'
import type { Sponsorship } from './sponsorship.repository.ts'

/** A sponsorship that was paid. */
export type PaidSponsorship = Sponsorship & { paidAt: number; receiptNumber: string }

export interface ReceiptWords {
  timeZone: string
  /** What the association's tax status lets a receipt say. */
  taxWording: string
}

type Facts = [label: string, value: string][]

/** What a receipt says, in the letter and on paper alike. */
export function receiptFacts(sponsorship: PaidSponsorship, timeZone: string): Facts {
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

/** To the sponsor: thanks, what was promised, and the receipt that is also attached. */
export function thankYouLetter(
  sponsorship: PaidSponsorship,
  { timeZone, taxWording }: ReceiptWords,
  association: Association,
): Letter {
  const { name, company, amount, currency, receiptNumber } = sponsorship
  const promises = promisesOf(sponsorship).map(({ words }) => words)
  return printLetter(
    {
      subject: `Thank you for your sponsorship (receipt ${receiptNumber})`,
      preview: `We received ${formatMoney(amount, currency)}. The receipt is attached.`,
      heading: `Thank you, ${name}`,
      blocks: [
        {
          kind: 'text',
          text: `${company} now stands with the physicians of our association. We received your sponsorship; the receipt is below and attached as a PDF for your records.`,
        },
        { kind: 'facts', facts: receiptFacts(sponsorship, timeZone) },
        ...(promises.length === 0
          ? []
          : [
              {
                kind: 'text' as const,
                text: `We promised you: ${promises.join('; ')}. An officer writes to you to arrange it.`,
              },
            ]),
        { kind: 'note', text: taxWording },
        { kind: 'note', text: 'Questions about this payment? Answer this letter or write to the address below.' },
      ],
    },
    association,
  )
}

/** To the officers: who sponsors, what was promised, and how to take a kept promise off the list. */
export function sponsorshipLetter(sponsorship: PaidSponsorship, timeZone: string, association: Association): Letter {
  const { id, name, email, company, phone, message, tierName, amount, currency } = sponsorship
  const promises = promisesOf(sponsorship).map(({ words }) => words)
  return printLetter(
    {
      subject: `New sponsor: ${tierName}, ${formatMoney(amount, currency)}`,
      preview: `${company} paid. Answer this letter to write to them.`,
      heading: 'We have a new sponsor',
      blocks: [
        {
          kind: 'facts',
          facts: [
            ...receiptFacts(sponsorship, timeZone),
            ['Email', email],
            ...(phone === null ? [] : ([['Phone', phone]] as Facts)),
            ['Promised', promises.length === 0 ? 'Our thanks' : promises.join('; ')],
          ],
        },
        ...(message ?? '')
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => ({ kind: 'text' as const, text: line })),
        {
          kind: 'note',
          text: `Answer this letter to write to ${name}. When a promise is kept, "npm run admin -- sponsors done ${id} remarks" (or table, or logo) takes it off the list.`,
        },
      ],
    },
    association,
  )
}
