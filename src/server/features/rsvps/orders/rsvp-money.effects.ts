import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { refundTerms } from '#contract/public/rsvp-money.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import { renderReceiptPdf } from '#server/emails/receipt-pdf.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { findRsvpSettings } from '../rsvp-settings.repository.ts'
import { createRsvpToken } from '../rsvp-token.service.ts'
import {
  failedRefundEmail,
  seatReceiptFields,
  seatReceiptEmail,
  seatRefundEmail,
  type PaidSeats,
} from './rsvp-money.emails.ts'
import { findRsvpOrder } from './rsvp-order.commands.ts'
import { type RsvpOrder } from './rsvp-order.queries.ts'
import { findRsvpRefund } from './rsvp-refund.repository.ts'
import { sumFailedRefunds } from './rsvp-refunds.service.ts'

type Payload = Record<string, unknown>

/** Composes the emails for paid seats, refunds and failed refunds. */
export function createRsvpMoneyEmails({
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
}): Record<string, (payload: Payload) => Promise<OutgoingEmail | null>> {
  async function findPaid(id: string): Promise<(RsvpOrder & PaidSeats) | null> {
    const order = await findRsvpOrder(db, id)
    if (!order || order.paidAt === null || order.receiptNumber === null) return null
    return { ...order, paidAt: order.paidAt, receiptNumber: order.receiptNumber }
  }

  return {
    async 'email.rsvp_receipt'({ id }) {
      const order = await findPaid(String(id))
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

    async 'email.rsvp_refund'({ id }) {
      const refund = await findRsvpRefund(db, String(id))
      const order = refund && (await findPaid(refund.orderId))
      if (!order) return null
      return { ...seatRefundEmail(refund, order, await association()), to: order.email }
    },

    async 'email.rsvp_refund_failed'({ id }) {
      const order = await findPaid(String(id))
      const failed = order ? await sumFailedRefunds(db, order) : 0
      if (!order || failed === 0) return null
      const url = `${siteUrl}/console/payments?month=${dayOf(order.paidAt, timeZone).slice(0, 7)}`
      return {
        ...failedRefundEmail(order, { failed, url }, await association()),
        to: officersEmail,
        replyTo: order.email,
      }
    },
  }
}
