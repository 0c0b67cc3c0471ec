import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { refundTerms } from '#contract/public/rsvp-money.ts'
import { renderEmail, type EmailBlock, type Email } from '#server/emails/email.ts'
import { truncateSubject } from '../rsvp-text.emails.ts'
import type { RsvpOrder } from './rsvp-order.queries.ts'
import type { RsvpRefund } from './rsvp-refund.repository.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Db } from '#server/db/database.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import { renderReceiptPdf } from '#server/emails/receipt-pdf.ts'
import { findRsvpSettings } from '../rsvp-settings.repository.ts'
import { createRsvpToken } from '../rsvp-token.service.ts'
import { findRsvpOrder } from './rsvp-order.commands.ts'
import { findRsvpRefund, sumFailedRefunds } from './rsvp-refund.repository.ts'

/** A paid order of seats. */
export type PaidSeats = Pick<RsvpOrder, 'title' | 'name' | 'lines' | 'amount' | 'currency'> & {
  paidAt: number
  receiptNumber: string
}

type Fields = [label: string, value: string][]

/** The fields of a receipt, used in the email and in the PDF. */
function seatReceiptFields(seats: PaidSeats, timeZone: string): Fields {
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

/** Sent to the payer, with the receipt attached. The seats themselves are confirmed in the RSVP email. */
export function seatReceiptEmail(
  seats: PaidSeats,
  { timeZone, refundUntil, url }: { timeZone: string; refundUntil: string | null; url: string | null },
  association: Association,
): Email {
  const { title, amount, currency, receiptNumber } = seats
  return renderEmail(
    {
      subject: truncateSubject(`Your receipt ${receiptNumber}: ${title}`),
      preview: `We received ${formatMoney(amount, currency)}. The receipt is attached.`,
      heading: 'Thank you, your seats are paid',
      blocks: [
        {
          kind: 'text',
          text: `We received your payment for ${title}. The receipt is below, and attached as a PDF for your records.`,
        },
        { kind: 'details', details: seatReceiptFields(seats, timeZone) },
        { kind: 'text', text: refundTerms(refundUntil) },
        ...(url === null ? [] : [{ kind: 'button', label: 'Open your RSVP', url } satisfies EmailBlock]),
        { kind: 'note', text: 'Questions about this payment? Reply to this email or write to the address below.' },
      ],
    },
    association,
  )
}

const REASONS: Record<RsvpRefund['reason'], { heading: string; text(title: string): string }> = {
  cancelled: {
    heading: 'Your payment is refunded',
    text: (title) => `You canceled your RSVP for ${title} in time.`,
  },
  fewer: {
    heading: 'Part of your payment is refunded',
    text: (title) => `You are coming to ${title} with fewer guests than you paid for.`,
  },
  'no-seat': {
    heading: 'Your payment is refunded: no seats were left',
    text: (title) =>
      `Your payment for ${title} arrived after we had released your seats, and others had taken them. We are sorry. You have no seats from this payment; the form on the event’s page shows whether others have opened up.`,
  },
  twice: {
    heading: 'You had already paid',
    text: (title) => `We received a second payment for ${title} and refunded it. Your seats are unchanged.`,
  },
  'called-off': {
    heading: 'Your payment is refunded: the event is canceled',
    text: (title) => `${title} will not take place, so we refunded everything you paid for it.`,
  },
  officer: {
    heading: 'Your payment is refunded',
    text: (title) => `An officer of the association refunded your payment for ${title}.`,
  },
}

/** Sent to the officers when a refund failed at the bank. */
export function failedRefundEmail(
  { title, name, email, currency, receiptNumber }: PaidSeats & Pick<RsvpOrder, 'email'>,
  { failed, url }: { failed: number; url: string },
  association: Association,
): Email {
  const money = formatMoney(failed, currency)
  return renderEmail(
    {
      subject: truncateSubject(`A refund failed at the bank: ${title}`),
      preview: `${money} did not reach ${name}. You can send it again.`,
      heading: 'A refund failed',
      blocks: [
        {
          kind: 'text',
          text: `We told ${name} that we refunded ${money} for ${title}. The refund failed at the bank, for example because the card was closed, and the money is back in the association’s Stripe balance.`,
        },
        {
          kind: 'text',
          text: 'Reply to this email to ask the guest what to do. Then do one of two things, not both: use “Refund” under Payments, which sends it to the same card again and changes nothing else; or pay the guest another way, such as by check, and do not use that button.',
        },
        {
          kind: 'details',
          details: [
            ['Event', title],
            ['For receipt', receiptNumber],
            ['Guest', name],
            ['Email', email],
            ['Failed refund', `${money} ${currency.toUpperCase()}`],
          ],
        },
        { kind: 'button', label: 'Open payments', url },
      ],
    },
    association,
  )
}

/** Sent to the payer when a refund was made. */
export function seatRefundEmail(
  { reason, amount }: Pick<RsvpRefund, 'reason' | 'amount'>,
  { title, currency, receiptNumber }: Pick<PaidSeats, 'title' | 'currency' | 'receiptNumber'>,
  association: Association,
): Email {
  const { heading, text } = REASONS[reason]
  const money = formatMoney(amount, currency)
  return renderEmail(
    {
      subject: truncateSubject(`Your refund of ${money}: ${title}`),
      preview: 'It may take 5 to 10 days to appear in your account.',
      heading,
      blocks: [
        { kind: 'text', text: text(title) },
        {
          kind: 'text',
          text: `We have refunded ${money} to the card you paid with. It may take 5 to 10 days to appear in your account.`,
        },
        {
          kind: 'details',
          details: [
            ['Event', title],
            ['For receipt', receiptNumber],
            ['Refunded', `${money} ${currency.toUpperCase()}`],
          ],
        },
        { kind: 'note', text: 'Questions about this refund? Reply to this email or write to the address below.' },
      ],
    },
    association,
  )
}

async function findPaid(db: Db, id: string): Promise<(RsvpOrder & PaidSeats) | null> {
  const order = await findRsvpOrder(db, id)
  if (!order || order.paidAt === null || order.receiptNumber === null) return null
  return { ...order, paidAt: order.paidAt, receiptNumber: order.receiptNumber }
}

export const sendSeatReceipt = defineEmail({
  kind: 'email.rsvp_receipt',
  name: 'RSVP receipt',
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  purpose: 'reply',
  async compose({ id }, { db, secrets, siteUrl, timeZone, association }: AppContext) {
    const order = await findPaid(db, id)
    if (!order) return null
    const { email, eventId, rsvpId, paidAt, receiptNumber: number } = order
    const refundUntil = (await findRsvpSettings(db, eventId))?.refundUntil ?? null
    const url = rsvpId === null ? null : secretLink(siteUrl, '/rsvp', { token: createRsvpToken(secrets, rsvpId) })
    const sender = await association()
    const fields = seatReceiptFields(order, timeZone)
    const content = await renderReceiptPdf(
      { number, paidAt, details: fields, notes: [refundTerms(refundUntil)] },
      sender,
    )
    return {
      ...seatReceiptEmail(order, { timeZone, refundUntil, url }, sender),
      to: email,
      attachments: [{ filename: `receipt-${number}.pdf`, contentType: 'application/pdf', content }],
    }
  },
})

export const sendSeatRefund = defineEmail({
  kind: 'email.rsvp_refund',
  name: 'RSVP refund',
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  async compose({ id }, { db, association }: AppContext) {
    const refund = await findRsvpRefund(db, id)
    const order = refund && (await findPaid(db, refund.orderId))
    return order && { ...seatRefundEmail(refund, order, await association()), to: order.email }
  },
})

/** To the officers. */
export const sendSeatRefundFailed = defineEmail({
  kind: 'email.rsvp_refund_failed',
  name: 'RSVP refund failed',
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  async compose({ id }, { db, siteUrl, timeZone, config, association }: AppContext) {
    const order = await findPaid(db, id)
    const failed = order ? await sumFailedRefunds(db, order) : 0
    if (!order || failed === 0) return null
    const url = `${siteUrl}/console/payments?month=${dayOf(order.paidAt, timeZone).slice(0, 7)}`
    const email = failedRefundEmail(order, { failed, url }, await association())
    return { ...email, to: config.officersEmail, replyTo: order.email }
  },
})
