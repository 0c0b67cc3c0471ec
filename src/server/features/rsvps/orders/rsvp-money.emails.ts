import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { paymentFields, type ReceiptFields } from '#server/features/orders/payments/receipt-fields.rules.ts'
import { formatMoney } from '#contract/money.ts'
import { refundTerms } from '#contract/public/rsvp-money.ts'
import { renderEmail, type EmailBlock, type Email } from '#server/emails/email.ts'
import { words, type EmailText } from '#server/emails/words.rules.ts'
import { truncateSubject } from '../emails/rsvp-text.emails.ts'
import type { RsvpOrder } from './rsvp-order.queries.ts'
import { SAMPLE_TIME, SAMPLE_TIME_ZONE, SAMPLE_URL } from '#server/emails/sample-values.ts'
import { findRefund, type Refund } from '#server/features/orders/payments/refund.queries.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Db } from '#server/db/database.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import { renderReceiptPdf } from '#server/emails/receipt-pdf.ts'
import { findRsvpSettings } from '../rsvp-settings.repository.ts'
import { createRsvpToken } from '../rsvp-token.service.ts'
import { findRsvpOrder } from './rsvp-order.commands.ts'
import { sumFailedRefunds } from './rsvp-refund.repository.ts'

/** A paid order of seats. */
export type PaidSeats = Pick<
  RsvpOrder,
  'title' | 'name' | 'lines' | 'amount' | 'currency' | 'amountRefunded' | 'dispute' | 'manualReference' | 'voidedAt'
> & {
  paidAt: number
  receiptNumber: string
}

/** The fields of a receipt, used in the email and in the PDF. */
function seatReceiptFields(seats: PaidSeats, timeZone: string): ReceiptFields {
  const { receiptNumber, name, title, lines, currency } = seats
  return [
    ['Receipt', receiptNumber],
    ['Received from', name],
    ['For', title],
    ...lines.map((line): [string, string] => [line.name, `${line.quantity} × ${formatMoney(line.amount, currency)}`]),
    ...paymentFields(seats, timeZone),
  ]
}

/** Renders the receipt as a PDF, with the same fields as in the email. */
export async function printSeatReceipt(
  seats: PaidSeats,
  { timeZone, notes = [] }: { timeZone: string; notes?: readonly string[] },
  association: Association,
): Promise<{ details: ReceiptFields; pdf: Uint8Array }> {
  const { receiptNumber: number, paidAt, voidedAt } = seats
  const details = seatReceiptFields(seats, timeZone)
  return {
    details,
    pdf: await renderReceiptPdf({ number, paidAt, details, notes, isCanceled: voidedAt !== null }, association),
  }
}

/** Sent to the payer, with the receipt attached. The seats themselves are confirmed in the RSVP email. */
function seatReceiptEmail(
  seats: PaidSeats,
  { timeZone, refundUntil, url }: { timeZone: string; refundUntil: string | null; url: string | null },
  association: Association,
): Email {
  const { title, amount, currency, receiptNumber } = seats
  return renderEmail(
    {
      subject: truncateSubject(words`Your receipt ${{ receiptNumber }}: ${{ title }}`),
      preview: words`We received ${{ amount: formatMoney(amount, currency) }}. The receipt is attached.`,
      heading: 'Thank you, your seats are paid',
      blocks: [
        {
          kind: 'text',
          text: words`We received your payment for ${{ title }}. The receipt is below, and attached as a PDF for your records.`,
        },
        { kind: 'details', details: seatReceiptFields(seats, timeZone) },
        { kind: 'text', text: refundTerms(refundUntil), isFixed: true },
        ...(url === null ? [] : [{ kind: 'button', label: 'Open your RSVP', url } satisfies EmailBlock]),
        { kind: 'note', text: 'Questions about this payment? Reply to this email or email the address below.' },
      ],
    },
    association,
  )
}

/** Two paid seats, as samples describe them. */
const SAMPLE_SEATS: PaidSeats = {
  title: 'Gala under the Oaks',
  name: 'Anagha',
  lines: [
    { name: 'Member’s seat', amount: 2_500, quantity: 1 },
    { name: 'Guest’s seat', amount: 5_000, quantity: 1 },
  ],
  amount: 7_500,
  currency: 'usd',
  paidAt: SAMPLE_TIME,
  receiptNumber: 'R-2026-SEATS',
  amountRefunded: 0,
  dispute: null,
  manualReference: null,
  voidedAt: null,
}

const REASONS: Record<Refund['reason'], { heading: string; text(title: string): EmailText }> = {
  cancelled: {
    heading: 'Your payment is refunded',
    text: (title) => words`You canceled your RSVP for ${{ title }} in time.`,
  },
  fewer: {
    heading: 'Part of your payment is refunded',
    text: (title) => words`You are coming to ${{ title }} with fewer guests than you paid for.`,
  },
  'no-seat': {
    heading: 'Your payment is refunded: no seats were left',
    text: (title) =>
      words`Your payment for ${{ title }} arrived after we had released your seats, and others had taken them. We are sorry. You have no seats from this payment; the form on the event’s page shows whether others have opened up.`,
  },
  twice: {
    heading: 'You had already paid',
    text: (title) => words`We received a second payment for ${{ title }} and refunded it. Your seats are unchanged.`,
  },
  'called-off': {
    heading: 'Your payment is refunded: the event is canceled',
    text: (title) => words`${{ title }} will not take place, so we refunded everything you paid for it.`,
  },
  officer: {
    heading: 'Your payment is refunded',
    text: (title) => words`An officer of the association refunded your payment for ${{ title }}.`,
  },
}

/** Sent to the officers when a refund failed at the bank. */
function failedRefundEmail(
  { title, name, email, currency, receiptNumber }: PaidSeats & Pick<RsvpOrder, 'email'>,
  { failed, url }: { failed: number; url: string },
  association: Association,
): Email {
  const money = formatMoney(failed, currency)
  return renderEmail(
    {
      subject: truncateSubject(words`A refund failed at the bank: ${{ title }}`),
      preview: words`${{ money }} did not reach ${{ name }}. You can send it again.`,
      heading: 'A refund failed',
      blocks: [
        {
          kind: 'text',
          text: words`We told ${{ name }} that we refunded ${{ money }} for ${{ title }}. The refund failed at the bank, for example because the card was closed, and the money is back in the association’s Stripe balance.`,
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
function seatRefundEmail(
  { reason, amount }: Pick<Refund, 'reason' | 'amount'>,
  { title, currency, receiptNumber }: Pick<PaidSeats, 'title' | 'currency' | 'receiptNumber'>,
  association: Association,
): Email {
  const { heading, text } = REASONS[reason]
  const money = formatMoney(amount, currency)
  return renderEmail(
    {
      subject: truncateSubject(words`Your refund of ${{ money }}: ${{ title }}`),
      preview: 'It may take 5 to 10 days to appear in your account.',
      heading,
      blocks: [
        { kind: 'text', text: text(title) },
        {
          kind: 'text',
          text: words`We have refunded ${{ money }} to the card you paid with. It may take 5 to 10 days to appear in your account.`,
        },
        {
          kind: 'details',
          details: [
            ['Event', title],
            ['For receipt', receiptNumber],
            ['Refunded', `${money} ${currency.toUpperCase()}`],
          ],
        },
        { kind: 'note', text: 'Questions about this refund? Reply to this email or email the address below.' },
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
  samples: (name, association) => ({
    'seats, receipt': seatReceiptEmail(
      { ...SAMPLE_SEATS, title: name, name },
      { timeZone: SAMPLE_TIME_ZONE, refundUntil: null, url: SAMPLE_URL },
      association,
    ),
  }),
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  purpose: 'reply',
  async compose({ id }, { db, secrets, siteUrl, timeZone, association }: AppContext) {
    const order = await findPaid(db, id)
    // Voided since it was queued: another email reports that.
    if (!order || order.voidedAt !== null) return null
    const { email, eventId, rsvpId, receiptNumber: number } = order
    const refundUntil = (await findRsvpSettings(db, eventId))?.refundUntil ?? null
    const url = rsvpId === null ? null : secretLink(siteUrl, '/rsvp', { token: createRsvpToken(secrets, rsvpId) })
    const sender = await association()
    const { pdf: content } = await printSeatReceipt(order, { timeZone, notes: [refundTerms(refundUntil)] }, sender)
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
  samples: (name, association) =>
    Object.fromEntries(
      (['cancelled', 'fewer', 'no-seat', 'twice', 'officer', 'called-off'] as const).map((reason) => [
        `seats, refund: ${reason}`,
        seatRefundEmail({ reason, amount: 7_500 }, { ...SAMPLE_SEATS, title: name }, association),
      ]),
    ),
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  async compose({ id }, { db, association }: AppContext) {
    const refund = await findRefund(db, id)
    const order = refund && (await findPaid(db, refund.paymentId))
    return order && { ...seatRefundEmail(refund, order, await association()), to: order.email }
  },
})

/** To the officers. */
export const sendSeatRefundFailed = defineEmail({
  kind: 'email.rsvp_refund_failed',
  name: 'RSVP refund failed',
  samples: (name, association) => ({
    'seats, refund that failed': failedRefundEmail(
      { ...SAMPLE_SEATS, title: name, name, email: 'leela@example.com' },
      { failed: 7_500, url: SAMPLE_URL },
      association,
    ),
  }),
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
