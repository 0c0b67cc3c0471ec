import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { formatMoney } from '#contract/money.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { listBenefits } from './benefits.rules.ts'
import type { Sponsorship } from './orders/sponsorship.queries.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import type { Db } from '#server/db/database.ts'
import { printReceipt, sponsorReceiptFields } from './orders/sponsor-receipt.service.ts'
import { findSponsorship } from './orders/sponsorship.commands.ts'

/** A paid sponsorship. */
export type PaidSponsorship = Sponsorship & { paidAt: number; receiptNumber: string }

export interface SponsorReceiptOptions {
  timeZone: string
  /** The association's tax statement for receipts. */
  taxWording: string
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
            ...(phone === null ? [] : ([['Phone', phone]] as [string, string][])),
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

async function findPaid(db: Db, id: string): Promise<PaidSponsorship | null> {
  const found = await findSponsorship(db, id)
  if (!found || found.paidAt === null || found.receiptNumber === null) return null
  return { ...found, paidAt: found.paidAt, receiptNumber: found.receiptNumber }
}

export const sendSponsorThanks = defineEmail({
  kind: 'email.sponsor_thanks',
  name: 'Sponsor thanks',
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  purpose: 'reply',
  async compose({ id }, { db, timeZone, settings, association }: AppContext) {
    const sponsorship = await findPaid(db, id)
    if (!sponsorship) return null
    const options = { timeZone, taxWording: settings().sponsorship.taxWording }
    const sender = await association()
    return {
      ...thankYouEmail(sponsorship, options, sender),
      to: sponsorship.email,
      attachments: [
        {
          filename: `receipt-${sponsorship.receiptNumber}.pdf`,
          contentType: 'application/pdf',
          content: await printReceipt(sponsorship, options, sender),
        },
      ],
    }
  },
})

/** To the officers. */
export const sendSponsorPaid = defineEmail({
  kind: 'email.sponsor_paid',
  name: 'Sponsor paid',
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  async compose({ id }, { db, timeZone, config, association }: AppContext) {
    const sponsorship = await findPaid(db, id)
    if (!sponsorship) return null
    const email = newSponsorEmail(sponsorship, timeZone, await association())
    return { ...email, to: config.officersEmail, replyTo: sponsorship.email }
  },
})
