import { z } from 'zod'
import type { AppContext } from '#server/app-context.ts'
import type { Association } from '#contract/public/association.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { printSeatReceipt } from '#server/features/rsvps/orders/rsvp-money.emails.ts'
import { findRsvpOrder } from '#server/features/rsvps/orders/rsvp-order.commands.ts'
import { printSponsorReceipt } from '#server/features/sponsors/orders/sponsor-receipt.service.ts'
import { findSponsorship } from '#server/features/sponsors/orders/sponsorship.commands.ts'

type Fields = [label: string, value: string][]

export interface PrintedReceipt {
  number: string
  email: string
  name: string
  details: Fields
  pdf: Uint8Array
}

/** The receipt of seats or a sponsorship, as it is now; null if it was not paid. */
export async function printOrderReceipt(
  ctx: Pick<AppContext, 'db' | 'timeZone' | 'settings' | 'association'>,
  kind: 'seats' | 'sponsorship',
  id: string,
): Promise<(PrintedReceipt & { voidedAt: number | null }) | null> {
  const { db, timeZone, settings } = ctx
  const order = kind === 'seats' ? await findRsvpOrder(db, id) : await findSponsorship(db, id)
  const { paidAt, receiptNumber } = order ?? {}
  if (!order || !paidAt || !receiptNumber) return null
  const paid = { ...order, paidAt, receiptNumber }
  const sender = await ctx.association()
  const { details, pdf } =
    'eventId' in paid
      ? await printSeatReceipt(paid, { timeZone }, sender)
      : await printSponsorReceipt(paid, { timeZone, taxWording: settings().sponsorship.taxWording }, sender)
  return { number: receiptNumber, email: order.email, name: order.name, details, pdf, voidedAt: order.voidedAt }
}

/** To the payer, when an officer canceled the record of a payment by hand. */
function orderReceiptCanceledEmail(receipt: Omit<PrintedReceipt, 'pdf' | 'email'>, association: Association): Email {
  return renderEmail(
    {
      subject: words`Receipt ${{ receiptNumber: receipt.number }} was canceled`,
      preview: 'We canceled the record of a payment. The details are below.',
      heading: words`A receipt was canceled, ${{ name: receipt.name }}`,
      blocks: [
        {
          kind: 'text',
          text: words`We recorded a payment under your name and had to cancel that record, for example because a check did not clear. Receipt ${{ receiptNumber: receipt.number }} is no longer valid.`,
        },
        { kind: 'details', details: receipt.details },
        { kind: 'text', text: 'If you did pay, please reply to this email and we will look into it.' },
      ],
    },
    association,
  )
}

export const sendOrderReceiptCanceled = defineEmail({
  kind: 'email.order_receipt_canceled',
  name: 'Receipt canceled (seats, sponsorships)',
  samples: (name, association) => ({
    'receipt of seats canceled': orderReceiptCanceledEmail(
      { number: 'R-2026-SEATS', name, details: [['For', name]] },
      association,
    ),
  }),
  payload: z.object({ kind: z.enum(['seats', 'sponsorship']), id: z.string() }),
  subject: 'id',
  priority: 'personal',
  async compose({ kind, id }, ctx: AppContext) {
    const printed = await printOrderReceipt(ctx, kind, id)
    if (!printed || printed.voidedAt === null) return null
    return {
      ...orderReceiptCanceledEmail(printed, await ctx.association()),
      to: printed.email,
      attachments: [
        { filename: `receipt-${printed.number}.pdf`, contentType: 'application/pdf', content: printed.pdf },
      ],
    }
  },
})
