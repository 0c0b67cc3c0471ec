import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import type { Receipt } from '#server/emails/receipt-pdf.ts'
import { SAMPLE_LEVEL, SAMPLE_TIME, SAMPLE_TIME_ZONE, SAMPLE_URL } from '#server/emails/sample-values.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import type { ReceiptService } from './billing/receipt.service.ts'
import { findCurrentMembership } from './membership.queries.ts'
import { hasRights, membershipStatus, runsUntil } from './membership.rules.ts'
import { markReceiptSent } from './payments/payment.commands.ts'
import { findPayment } from './payments/payment.queries.ts'

function welcomeEmail(
  {
    firstName,
    username,
    level,
    endsAt,
    renews,
    timeZone,
  }: {
    firstName: string
    username: string
    level: MembershipLevel
    endsAt: number | null
    renews: boolean
    timeZone: string
  },
  accountUrl: string,
  association: Association,
): Email {
  const until = endsAt === null ? 'for life' : `until ${formatLongDate(endsAt, timeZone)}`
  return renderEmail(
    {
      subject: words`Welcome to the ${{ associationShortName: association.shortName }}`,
      preview: words`Your membership as ${{ levelName: level.name }} is active.`,
      heading: words`Welcome, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: words`Your membership as ${{ levelName: level.name }} is active ${{ until }}. We are glad you are here.`,
        },
        {
          kind: 'details',
          details: [
            ['Membership', level.name],
            ['Username', username],
            ...(endsAt === null
              ? []
              : [[renews ? 'Renews on' : 'Ends on', formatLongDate(endsAt, timeZone)] as [string, string]]),
          ],
        },
        { kind: 'button', label: 'Open my account', url: accountUrl },
        {
          kind: 'note',
          text: renews
            ? 'It renews automatically until you stop it under Manage billing on your account page.'
            : endsAt === null
              ? 'You are a member for life: there are no further dues.'
              : 'We never charge a card for it; you renew it yourself when it ends.',
        },
      ],
    },
    association,
  )
}

/** The PDF receipt is attached and has the same content. */
function receiptEmail(
  firstName: string,
  receipt: Pick<Receipt, 'number' | 'details' | 'notes'> & { formattedAmount: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: words`Receipt ${{ receiptNumber: receipt.number }} for ${{ amount: receipt.formattedAmount }}`,
      preview: 'Thank you. The receipt is attached as a PDF.',
      heading: words`Thank you, ${{ firstName }}`,
      blocks: [
        { kind: 'text', text: 'We received your dues. The receipt is below and attached as a PDF for your records.' },
        { kind: 'details', details: [...receipt.details] },
        ...receipt.notes.map((text) => ({ kind: 'note' as const, text, isFixed: true as const })),
      ],
    },
    association,
  )
}

/** To a member who paid twice: the later payment is refunded (docs/product-rules.md#open-checkouts-are-reused). */
function duplicateRefundEmail(firstName: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'We refunded your second payment',
      preview: 'You paid for a membership you already have. We refunded the second payment.',
      heading: words`You are already a member, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: 'We received a second payment for a membership you already have. We have canceled it and refunded the full amount; it should appear on your statement within 5 to 10 days. Your membership is not affected.',
        },
      ],
    },
    association,
  )
}

/** To a member who paid a price lowered by a credit, when the payment behind that credit has since been refunded or disputed. */
function creditUnavailableEmail(firstName: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'We refunded your payment',
      preview: 'The credit that lowered its price is no longer available. We refunded the payment.',
      heading: words`Please choose your membership again, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: 'The price you paid was lowered by a credit for an earlier payment. That earlier payment was refunded, or is disputed with your bank, so the credit no longer applies. We have refunded your new payment in full; it should appear on your statement within 5 to 10 days.',
        },
        {
          kind: 'text',
          text: 'You can choose the membership again at its current price. If you have questions, reply to this email.',
        },
      ],
    },
    association,
  )
}

/** The membership after a payment was voided. */
export interface AfterCanceledReceipt {
  firstName: string
  /** The current membership and its end date; null when none remains. */
  membership: { levelName: string; until: string | null } | null
  accountUrl: string
}

/** To a member whose check or cash payment was recorded by mistake, or whose check was not paid. */
function receiptCanceledEmail(
  { firstName, membership, accountUrl }: AfterCanceledReceipt,
  receipt: Pick<Receipt, 'number' | 'details'>,
  association: Association,
): Email {
  const rest =
    membership === null
      ? 'The membership it paid for has ended.'
      : words`Your membership as ${{ levelName: membership.levelName }} continues ${{ until: membership.until === null ? 'for life' : `until ${membership.until}` }}.`
  return renderEmail(
    {
      subject: words`Receipt ${{ receiptNumber: receipt.number }} was canceled`,
      preview: 'We canceled the record of a payment. The details are below.',
      heading: words`A receipt was canceled, ${{ firstName }}`,
      blocks: [
        {
          kind: 'text',
          text: words`We recorded a check or cash payment under your name and had to cancel that record, for example because a check did not clear or was recorded for the wrong member. Receipt ${{ receiptNumber: receipt.number }} is no longer valid. ${{ rest }}`,
        },
        { kind: 'details', details: [...receipt.details] },
        { kind: 'text', text: 'If you did pay, please reply to this email and we will look into it.' },
        { kind: 'button', label: 'Open my account', url: accountUrl },
      ],
    },
    association,
  )
}

type Tools = AppContext & {
  receipts: ReceiptService
}

export const sendWelcome = defineEmail({
  kind: 'email.welcome',
  name: 'Welcome to the membership',
  samples: (name, association) => {
    const person = { firstName: name, username: name, level: SAMPLE_LEVEL, timeZone: SAMPLE_TIME_ZONE }
    const welcome = (endsAt: number | null, renews: boolean) =>
      welcomeEmail({ ...person, endsAt, renews }, SAMPLE_URL, association)
    return {
      welcome: welcome(SAMPLE_TIME, true),
      'welcome for a term': welcome(SAMPLE_TIME, false),
      'welcome for life': welcome(null, false),
    }
  },
  payload: z.object({ accountId: z.string(), membershipId: z.string() }),
  subject: 'accountId',
  priority: 'personal',
  async compose({ accountId, membershipId }, { db, siteUrl, timeZone, association }: Tools) {
    const account = await findAccount(db, accountId)
    const membership = account && (await findCurrentMembership(db, account.id))
    const level = membership && (await findLevel(db, membership.levelKey))
    if (!account || !membership || !level || membership.id !== membershipId) return null
    const { endsAt, stripeSubscriptionId } = membership
    const email = welcomeEmail(
      { ...account, level, endsAt, renews: stripeSubscriptionId !== null, timeZone },
      `${siteUrl}/auth/account`,
      await association(),
    )
    return { ...email, to: account.email }
  },
})

export const sendReceipt = defineEmail({
  kind: 'email.receipt',
  name: 'Receipt',
  samples: (name, association) => ({
    receipt: receiptEmail(
      name,
      {
        number: 'R-2026-ABC',
        formattedAmount: '$100',
        details: [
          ['Receipt', 'R-2026-ABC'],
          ['Received from', `${name} ${name}`],
          ['For', 'Annual Member, a year'],
          ['Paid on', 'December 31, 2026'],
          ['Amount', '$100 USD'],
        ],
        notes: ['Write to us.'],
      },
      association,
    ),
  }),
  payload: z.object({ paymentId: z.string() }),
  subject: 'paymentId',
  priority: 'personal',
  async compose({ paymentId }, { db, clock, receipts, association }: Tools) {
    const payment = await findPayment(db, paymentId)
    const account = payment && (await findAccount(db, payment.accountId))
    const printed = payment && (await receipts.render(payment))
    // Voided since it was queued: another email reports that.
    if (!payment || payment.voidedAt !== null || !account || !printed) return null
    return {
      ...receiptEmail(account.firstName, printed, await association()),
      to: account.email,
      attachments: [{ filename: printed.filename, contentType: 'application/pdf', content: printed.pdf }],
      onSent: () => markReceiptSent(db, payment.id, clock.now()),
    }
  },
})

/** Describes the membership as of sending. */
export const sendReceiptCanceled = defineEmail({
  kind: 'email.receipt_canceled',
  name: 'Receipt canceled',
  samples: (firstName, association) => {
    const receipt = { number: 'R-2026-ABC', details: [['Canceled', 'March 2, 2026']] satisfies [string, string][] }
    const canceled = (membership: AfterCanceledReceipt['membership']) =>
      receiptCanceledEmail({ firstName, membership, accountUrl: SAMPLE_URL }, receipt, association)
    return {
      'receipt canceled': canceled({ levelName: 'Annual Member', until: 'March 2, 2027' }),
      'receipt canceled, nothing left': canceled(null),
    }
  },
  payload: z.object({ paymentId: z.string() }),
  subject: 'paymentId',
  priority: 'personal',
  async compose({ paymentId }, { db, clock, siteUrl, timeZone, graceMs, association, receipts }: Tools) {
    const payment = await findPayment(db, paymentId)
    const account = payment && (await findAccount(db, payment.accountId))
    const printed = payment && (await receipts.render(payment))
    if (!payment || payment.voidedAt === null || !account || account.deactivatedBy !== null || !printed) return null
    const membership = await findCurrentMembership(db, account.id)
    const level = membership && (await findLevel(db, membership.levelKey))
    const isHeld = membership !== null && hasRights(membershipStatus(membership, clock.now(), graceMs()))
    const ends = membership && runsUntil(membership, graceMs())
    const until = ends === null ? null : formatLongDate(ends, timeZone)
    const remaining = isHeld && level ? { levelName: level.name, until } : null
    return {
      ...receiptCanceledEmail(
        { firstName: account.firstName, membership: remaining, accountUrl: `${siteUrl}/auth/account` },
        printed,
        await association(),
      ),
      to: account.email,
      attachments: [{ filename: printed.filename, contentType: 'application/pdf', content: printed.pdf }],
    }
  },
})

export const sendRefund = defineEmail({
  kind: 'email.refund',
  name: 'Payment refunded',
  samples: (name, association) => ({
    'duplicate refunded': duplicateRefundEmail(name, association),
    'credit gone': creditUnavailableEmail(name, association),
  }),
  payload: z.object({ accountId: z.string(), why: z.string().optional() }),
  subject: 'accountId',
  priority: 'personal',
  async compose({ accountId, why }, { db, association }: Tools) {
    const account = await findAccount(db, accountId)
    if (!account) return null
    const compose = why === 'credit-gone' ? creditUnavailableEmail : duplicateRefundEmail
    return { ...compose(account.firstName, await association()), to: account.email }
  },
})
