import type { Association } from '#contract/public/association.ts'
import type { Db } from '#server/db/database.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import { printReceipt } from './orders/sponsor-receipt.service.ts'
import { newSponsorEmail, thankYouEmail, type PaidSponsorship } from './sponsors.emails.ts'
import { findSponsorship } from './orders/sponsorship.commands.ts'

type Payload = Record<string, unknown>

/** Composes the emails for a paid sponsorship. */
export function createSponsorEmails({
  db,
  timeZone,
  officersEmail,
  taxWording,
  association,
}: {
  db: Db
  timeZone: string
  officersEmail: string
  taxWording(): string
  association(): Promise<Association>
}): Record<string, (payload: Payload) => Promise<OutgoingEmail | null>> {
  async function findPaid({ id }: Payload): Promise<PaidSponsorship | null> {
    const found = await findSponsorship(db, String(id))
    if (!found || found.paidAt === null || found.receiptNumber === null) return null
    return { ...found, paidAt: found.paidAt, receiptNumber: found.receiptNumber }
  }

  return {
    async 'email.sponsor_thanks'(payload) {
      const sponsorship = await findPaid(payload)
      if (!sponsorship) return null
      const options = { timeZone, taxWording: taxWording() }
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
    async 'email.sponsor_paid'(payload) {
      const sponsorship = await findPaid(payload)
      if (!sponsorship) return null
      const email = newSponsorEmail(sponsorship, timeZone, await association())
      return { ...email, to: officersEmail, replyTo: sponsorship.email }
    },
  }
}
