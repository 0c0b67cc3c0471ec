import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { formatMoney } from '#contract/money.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import { listBenefits } from './benefits.rules.ts'
import type { Sponsorship } from './orders/sponsorship.queries.ts'
import { SAMPLE_TIME, SAMPLE_TIME_ZONE } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import type { Db } from '#server/db/database.ts'
import { findRefund } from '#server/features/orders/payments/refund.queries.ts'
import { printSponsorReceipt, sponsorReceiptFields } from './orders/sponsor-receipt.service.ts'
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
      subject: words`Thank you for your sponsorship (receipt ${{ receiptNumber }})`,
      preview: words`We received ${{ amount: formatMoney(amount, currency) }}. The receipt is attached.`,
      heading: words`Thank you, ${{ name }}`,
      blocks: [
        {
          kind: 'text',
          text: words`Thank you for supporting our association. We received the sponsorship of ${{ company }}; the receipt is below and attached as a PDF for your records.`,
        },
        { kind: 'details', details: sponsorReceiptFields(sponsorship, timeZone) },
        ...(benefits.length === 0
          ? []
          : [
              {
                kind: 'text' as const,
                text: words`Your benefits: ${{ benefits: benefits.join('; ') }}. An officer will contact you to arrange them.`,
              },
            ]),
        { kind: 'note', text: taxWording, isFixed: true },
        { kind: 'note', text: 'Questions about this payment? Reply to this email or email the address below.' },
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
      subject: words`New sponsor: ${{ tierName }}, ${{ amount: formatMoney(amount, currency) }}`,
      preview: words`${{ company }} paid. Reply to this email to reach them.`,
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
          .map((line) => ({ kind: 'text' as const, text: line, isFixed: true as const })),
        {
          kind: 'note',
          text: words`Reply to this email to reach ${{ name }}. When a benefit is delivered, mark it with "npm run admin -- sponsors done ${{ id }} remarks" (or table, or logo).`,
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

export const SAMPLE_SPONSORSHIP = {
  id: 's1',
  name: 'Anagha',
  email: 'a@b.example',
  company: 'Kaveri Labs',
  phone: '404 555 0100',
  message: 'For the gala.',
  tierName: 'Gold',
  amount: 200_000,
  currency: 'usd',
  paidAt: SAMPLE_TIME,
  receiptNumber: 'R-2026-ABC',
  remarksMinutes: 3,
  reservedTable: true,
  logoUntil: '2027-12-31',
  amountRefunded: 0,
  dispute: null,
  manualReference: null,
  voidedAt: null,
} as PaidSponsorship

export const sendSponsorThanks = defineEmail({
  kind: 'email.sponsor_thanks',
  name: 'Sponsor thanks',
  samples: (name, association) => {
    const options = { timeZone: SAMPLE_TIME_ZONE, taxWording: 'Please ask your tax advisor.' }
    return {
      'thanks to a sponsor': thankYouEmail(
        { ...SAMPLE_SPONSORSHIP, name, company: name, tierName: name },
        { ...options, taxWording: name },
        association,
      ),
      'thanks for a small amount': thankYouEmail(
        { ...SAMPLE_SPONSORSHIP, name, remarksMinutes: null, reservedTable: false, logoUntil: null },
        options,
        association,
      ),
    }
  },
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  purpose: 'reply',
  async compose({ id }, { db, timeZone, settings, association }: AppContext) {
    const sponsorship = await findPaid(db, id)
    // Voided since it was queued: another email reports that.
    if (!sponsorship || sponsorship.voidedAt !== null) return null
    const options = { timeZone, taxWording: settings().sponsorship.taxWording }
    const sender = await association()
    const { pdf } = await printSponsorReceipt(sponsorship, options, sender)
    return {
      ...thankYouEmail(sponsorship, options, sender),
      to: sponsorship.email,
      attachments: [
        {
          filename: `receipt-${sponsorship.receiptNumber}.pdf`,
          contentType: 'application/pdf',
          content: pdf,
        },
      ],
    }
  },
})

/** Sent to the sponsor when a refund was made to the card. */
function sponsorRefundEmail(
  {
    company,
    name,
    tierName,
    receiptNumber,
    currency,
  }: Pick<PaidSponsorship, 'company' | 'name' | 'tierName' | 'receiptNumber' | 'currency'>,
  amount: number,
  association: Association,
): Email {
  const money = formatMoney(amount, currency)
  return renderEmail(
    {
      subject: words`Your refund of ${{ money }}: sponsorship`,
      preview: 'It may take 5 to 10 days to appear in your account.',
      heading: 'Your payment is refunded',
      blocks: [
        {
          kind: 'text',
          text: words`Dear ${{ name }}, an officer of the association refunded a part or all of the sponsorship of ${{ company }}.`,
        },
        {
          kind: 'text',
          text: words`We have refunded ${{ money }} to the card you paid with. It may take 5 to 10 days to appear in your account.`,
        },
        {
          kind: 'details',
          details: [
            ['Sponsorship', tierName],
            ['For receipt', receiptNumber],
            ['Refunded', `${money} ${currency.toUpperCase()}`],
          ],
        },
        { kind: 'note', text: 'Questions about this refund? Reply to this email, or contact us at the address below.' },
      ],
    },
    association,
  )
}

export const sendSponsorRefund = defineEmail({
  kind: 'email.sponsor_refund',
  name: 'Sponsor refund',
  samples: (name, association) => ({
    'sponsor, refunded': sponsorRefundEmail(
      { ...SAMPLE_SPONSORSHIP, name, company: name, tierName: name },
      5_000,
      association,
    ),
  }),
  payload: z.object({ id: z.string() }),
  subject: 'id',
  priority: 'personal',
  async compose({ id }, { db, association }: AppContext) {
    const refund = await findRefund(db, id)
    const sponsorship = refund && (await findPaid(db, refund.paymentId))
    if (!sponsorship) return null
    return { ...sponsorRefundEmail(sponsorship, refund.amount, await association()), to: sponsorship.email }
  },
})

/** To the officers. */
export const sendSponsorPaid = defineEmail({
  kind: 'email.sponsor_paid',
  name: 'Sponsor paid',
  samples: (name, association) => ({
    'sponsor, to the officers': newSponsorEmail(
      { ...SAMPLE_SPONSORSHIP, name, company: name, phone: name, message: name },
      SAMPLE_TIME_ZONE,
      association,
    ),
  }),
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
