import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import { dayOf } from '#contract/dates.ts'
import { refundSentence } from '#contract/rsvp-money.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { printReceiptPdf } from '#server/mail/receipt-pdf.ts'
import { secretLink } from '#server/mail/secret-link.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { findOffer } from './offer.repository.ts'
import { writeRsvpToken } from './rsvp-link.ts'
import {
  failedRefundLetter,
  seatReceiptFacts,
  seatReceiptLetter,
  seatRefundLetter,
  type PaidSeats,
} from './rsvp-money.emails.ts'
import { findRsvpOrder, type RsvpOrder } from './rsvp-order.repository.ts'
import { findRsvpRefund } from './rsvp-refund.repository.ts'
import { sumFailedRefunds } from './rsvp-refunds.ts'

type Payload = Record<string, unknown>

/** What is written once seats are paid, once money went back, and to the officers when it did not arrive. */
export function createRsvpMoneyLetters({
  db,
  secrets,
  siteUrl,
  timeZone,
  officersEmail,
  association,
}: {
  db: Kysely<Schema>
  secrets: Secrets
  siteUrl: string
  timeZone: string
  officersEmail: string
  association(): Promise<Association>
}): Record<string, (payload: Payload) => Promise<OutgoingLetter | null>> {
  async function findPaid(id: string): Promise<(RsvpOrder & PaidSeats) | null> {
    const order = await findRsvpOrder(db, id)
    if (!order || order.paidAt === null || order.receiptNumber === null) return null
    return { ...order, paidAt: order.paidAt, receiptNumber: order.receiptNumber }
  }

  return {
    async 'letter.rsvp_receipt'({ id }) {
      const order = await findPaid(String(id))
      if (!order) return null
      const { email, eventId, rsvpId, paidAt, receiptNumber: number } = order
      const refundUntil = (await findOffer(db, eventId))?.refundUntil ?? null
      const url = rsvpId === null ? null : secretLink(siteUrl, '/rsvp', { token: writeRsvpToken(secrets, rsvpId) })
      const us = await association()
      const facts = seatReceiptFacts(order, timeZone)
      const content = await printReceiptPdf({ number, paidAt, facts, notes: [refundSentence(refundUntil)] }, us)
      return {
        ...seatReceiptLetter(order, { timeZone, refundUntil, url }, us),
        to: email,
        attachments: [{ filename: `receipt-${number}.pdf`, contentType: 'application/pdf', content }],
      }
    },

    async 'letter.rsvp_refund'({ id }) {
      const refund = await findRsvpRefund(db, String(id))
      const order = refund && (await findPaid(refund.orderId))
      if (!order) return null
      return { ...seatRefundLetter(refund, order, await association()), to: order.email }
    },

    async 'letter.rsvp_refund_failed'({ id }) {
      const order = await findPaid(String(id))
      const failed = order ? await sumFailedRefunds(db, order) : 0
      if (!order || failed === 0) return null
      const url = `${siteUrl}/console/payments?month=${dayOf(order.paidAt, timeZone).slice(0, 7)}`
      return {
        ...failedRefundLetter(order, { failed, url }, await association()),
        to: officersEmail,
        replyTo: order.email,
      }
    },
  }
}
