import type { Association } from '#contract/association.ts'
import type { Db } from '#server/db/database.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { printReceipt } from './sponsor-receipt.ts'
import { sponsorshipLetter, thankYouLetter, type PaidSponsorship } from './sponsors.emails.ts'
import { findSponsorship } from './sponsorship.repository.ts'

type Payload = Record<string, unknown>

/** What is written once a sponsorship is paid. */
export function createSponsorLetters({
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
}): Record<string, (payload: Payload) => Promise<OutgoingLetter | null>> {
  async function findPaid({ id }: Payload): Promise<PaidSponsorship | null> {
    const found = await findSponsorship(db, String(id))
    if (!found || found.paidAt === null || found.receiptNumber === null) return null
    return { ...found, paidAt: found.paidAt, receiptNumber: found.receiptNumber }
  }

  return {
    async 'letter.sponsor_thanks'(payload) {
      const sponsorship = await findPaid(payload)
      if (!sponsorship) return null
      const words = { timeZone, taxWording: taxWording() }
      const us = await association()
      return {
        ...thankYouLetter(sponsorship, words, us),
        to: sponsorship.email,
        attachments: [
          {
            filename: `receipt-${sponsorship.receiptNumber}.pdf`,
            contentType: 'application/pdf',
            content: await printReceipt(sponsorship, words, us),
          },
        ],
      }
    },
    async 'letter.sponsor_paid'(payload) {
      const sponsorship = await findPaid(payload)
      if (!sponsorship) return null
      const letter = sponsorshipLetter(sponsorship, timeZone, await association())
      return { ...letter, to: officersEmail, replyTo: sponsorship.email }
    },
  }
}
