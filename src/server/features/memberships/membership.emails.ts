import type { Association } from '#contract/public/association.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import type { Receipt } from '#server/emails/receipt-pdf.ts'

export function welcomeEmail(
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
      subject: `Welcome to the ${association.shortName}`,
      preview: `Your membership as ${level.name} is active.`,
      heading: `Welcome, ${firstName}`,
      blocks: [
        { kind: 'text', text: `Your membership as ${level.name} is active ${until}. We are glad you are here.` },
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
export function receiptEmail(
  firstName: string,
  receipt: Pick<Receipt, 'number' | 'details' | 'notes'> & { formattedAmount: string },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: `Receipt ${receipt.number} for ${receipt.formattedAmount}`,
      preview: 'Thank you. The receipt is attached as a PDF.',
      heading: `Thank you, ${firstName}`,
      blocks: [
        { kind: 'text', text: 'We received your dues. The receipt is below and attached as a PDF for your records.' },
        { kind: 'details', details: [...receipt.details] },
        ...receipt.notes.map((text) => ({ kind: 'note' as const, text })),
      ],
    },
    association,
  )
}

/** To a member who paid twice: the later payment is refunded (docs/product-rules.md#open-checkouts-are-reused). */
export function duplicateRefundEmail(firstName: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'We refunded your second payment',
      preview: 'You paid for a membership you already have. We refunded the second payment.',
      heading: `You are already a member, ${firstName}`,
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
export function creditUnavailableEmail(firstName: string, association: Association): Email {
  return renderEmail(
    {
      subject: 'We refunded your payment',
      preview: 'The credit that lowered its price is no longer available. We refunded the payment.',
      heading: `Please choose your membership again, ${firstName}`,
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
export function receiptCanceledEmail(
  { firstName, membership, accountUrl }: AfterCanceledReceipt,
  receipt: Pick<Receipt, 'number' | 'details'>,
  association: Association,
): Email {
  const rest =
    membership === null
      ? 'The membership it paid for has ended.'
      : `Your membership as ${membership.levelName} continues ${membership.until === null ? 'for life' : `until ${membership.until}`}.`
  return renderEmail(
    {
      subject: `Receipt ${receipt.number} was canceled`,
      preview: 'We canceled the record of a payment. The details are below.',
      heading: `A receipt was canceled, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: `We recorded a check or cash payment under your name and had to cancel that record, for example because a check did not clear or was recorded for the wrong member. Receipt ${receipt.number} is no longer valid. ${rest}`,
        },
        { kind: 'details', details: [...receipt.details] },
        { kind: 'text', text: 'If you did pay, please reply to this email and we will look into it.' },
        { kind: 'button', label: 'Open my account', url: accountUrl },
      ],
    },
    association,
  )
}
