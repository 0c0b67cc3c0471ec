import type { Association } from '#contract/association.ts'
import { formatLongDate } from '#contract/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { refundSentence } from '#contract/rsvp-money.ts'
import { printLetter, type Block, type Letter } from '#server/mail/letter.ts'
import { shortened } from './rsvp.emails.ts'
import type { RsvpOrder } from './rsvp-order.repository.ts'
import type { RsvpRefund } from './rsvp-refund.repository.ts'

/** Seats that were paid. */
export type PaidSeats = Pick<RsvpOrder, 'title' | 'name' | 'lines' | 'amount' | 'currency'> & {
  paidAt: number
  receiptNumber: string
}

type Facts = [label: string, value: string][]

/** What a receipt says, in the letter and on paper alike. */
export function seatReceiptFacts(seats: PaidSeats, timeZone: string): Facts {
  const { receiptNumber, name, title, lines, paidAt, amount, currency } = seats
  return [
    ['Receipt', receiptNumber],
    ['Received from', name],
    ['For', title],
    ...lines.map((line): [string, string] => [line.name, `${line.quantity} × ${formatMoney(line.amount, currency)}`]),
    ['Paid on', formatLongDate(paidAt, timeZone)],
    ['Amount', `${formatMoney(amount, currency)} ${currency.toUpperCase()}`],
  ]
}

/** To whoever paid: the receipt that is also attached. What the seats are is told by the letter about the RSVP. */
export function seatReceiptLetter(
  seats: PaidSeats,
  { timeZone, refundUntil, url }: { timeZone: string; refundUntil: string | null; url: string | null },
  association: Association,
): Letter {
  const { title, amount, currency, receiptNumber } = seats
  return printLetter(
    {
      subject: shortened(`Your receipt ${receiptNumber}: ${title}`),
      preview: `We received ${formatMoney(amount, currency)}. The receipt is attached.`,
      heading: 'Thank you, your seats are paid',
      blocks: [
        {
          kind: 'text',
          text: `We received your payment for ${title}. The receipt is below, and attached as a PDF for your records.`,
        },
        { kind: 'facts', facts: seatReceiptFacts(seats, timeZone) },
        { kind: 'text', text: refundSentence(refundUntil) },
        ...(url === null ? [] : [{ kind: 'button', label: 'Open your RSVP', url } satisfies Block]),
        { kind: 'note', text: 'Questions about this payment? Answer this letter or write to the address below.' },
      ],
    },
    association,
  )
}

const REASONS: Record<RsvpRefund['reason'], { heading: string; text(title: string): string }> = {
  cancelled: {
    heading: 'Your payment goes back',
    text: (title) => `You gave your seats for ${title} back in time.`,
  },
  fewer: {
    heading: 'Part of your payment goes back',
    text: (title) => `You are coming to ${title} with fewer guests than you paid for.`,
  },
  'no-seat': {
    heading: 'Your payment goes back: no seats were left',
    text: (title) =>
      `Your payment for ${title} reached us when we no longer held your seats, and they had gone to others. We are sorry. You have no seats from this payment; the form on the event’s page tells you whether others have opened up.`,
  },
  twice: {
    heading: 'You had already paid',
    text: (title) =>
      `A second payment for ${title} reached us. Your seats are kept as they were; nothing else changes.`,
  },
  'called-off': {
    heading: 'Your payment goes back: the event is called off',
    text: (title) => `${title} will not take place, so all that you paid for it goes back.`,
  },
  officer: {
    heading: 'Your payment goes back',
    text: (title) => `An officer of the association gave back what you paid for ${title}.`,
  },
}

/** To the officers: money that was on its way back and is here again. */
export function failedRefundLetter(
  { title, name, email, currency, receiptNumber }: PaidSeats & Pick<RsvpOrder, 'email'>,
  { failed, url }: { failed: number; url: string },
  association: Association,
): Letter {
  const money = formatMoney(failed, currency)
  return printLetter(
    {
      subject: shortened(`Money for seats came back from the bank: ${title}`),
      preview: `${money} did not reach ${name}. It can be sent again.`,
      heading: 'A refund did not arrive',
      blocks: [
        {
          kind: 'text',
          text: `${name} was told that ${money} for ${title} is on its way back. It did not arrive, as when a card was closed: it is in the association’s Stripe balance again.`,
        },
        {
          kind: 'text',
          text: 'Please ask them by answering this letter. Then do one of two things, not both: “Refund” under Payments sends it to the same card once more and changes nothing else; or pay it another way, such as by check, and leave that button alone.',
        },
        {
          kind: 'facts',
          facts: [
            ['Event', title],
            ['For receipt', receiptNumber],
            ['Guest', name],
            ['Email', email],
            ['Came back', `${money} ${currency.toUpperCase()}`],
          ],
        },
        { kind: 'button', label: 'Open payments', url },
      ],
    },
    association,
  )
}

/** Money that is on its way back. */
export function seatRefundLetter(
  { reason, amount }: Pick<RsvpRefund, 'reason' | 'amount'>,
  { title, currency, receiptNumber }: Pick<PaidSeats, 'title' | 'currency' | 'receiptNumber'>,
  association: Association,
): Letter {
  const { heading, text } = REASONS[reason]
  const money = formatMoney(amount, currency)
  return printLetter(
    {
      subject: shortened(`${money} on the way back: ${title}`),
      preview: 'Your bank shows it within 5 to 10 days.',
      heading,
      blocks: [
        { kind: 'text', text: text(title) },
        {
          kind: 'text',
          text: `We have returned ${money} to the card you paid with; your bank shows it within 5 to 10 days.`,
        },
        {
          kind: 'facts',
          facts: [
            ['Event', title],
            ['For receipt', receiptNumber],
            ['Returned', `${money} ${currency.toUpperCase()}`],
          ],
        },
        { kind: 'note', text: 'Questions about this? Answer this letter or write to the address below.' },
      ],
    },
    association,
  )
}
