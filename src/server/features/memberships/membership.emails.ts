import type { Association } from '#contract/association.ts'
import { formatLongDate } from '#contract/dates.ts'
import type { MembershipLevel } from '#contract/membership.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'
import type { Receipt } from '#server/mail/receipt-pdf.ts'

export function welcomeLetter(
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
): Letter {
  const until = endsAt === null ? 'for life' : `until ${formatLongDate(endsAt, timeZone)}`
  return printLetter(
    {
      subject: `Welcome to the ${association.shortName}`,
      preview: `Your membership as ${level.name} is active.`,
      heading: `Welcome, ${firstName}`,
      blocks: [
        { kind: 'text', text: `Your membership as ${level.name} is active ${until}. We are glad you are here.` },
        {
          kind: 'facts',
          facts: [
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
              ? 'Nothing is left to pay, ever.'
              : 'We never charge a card for it; you renew it yourself when it ends.',
        },
      ],
    },
    association,
  )
}

/** With the receipt attached on paper: the same facts. */
export function receiptLetter(
  firstName: string,
  receipt: Pick<Receipt, 'number' | 'facts' | 'notes'> & { paid: string },
  association: Association,
): Letter {
  return printLetter(
    {
      subject: `Receipt ${receipt.number} for ${receipt.paid}`,
      preview: 'Thank you. The receipt is attached as a PDF.',
      heading: `Thank you, ${firstName}`,
      blocks: [
        { kind: 'text', text: 'We received your dues. The receipt is below and attached as a PDF for your records.' },
        { kind: 'facts', facts: [...receipt.facts] },
        ...receipt.notes.map((text) => ({ kind: 'note' as const, text })),
      ],
    },
    association,
  )
}

/** To someone who paid for what they hold already: the later payment goes back (docs/product-rules.md#open-checkouts-are-reused). */
export function givenBackLetter(firstName: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Your second payment is on its way back',
      preview: 'You paid for a membership you already hold. We are returning the second payment.',
      heading: `You are already a member, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: 'A second payment reached us for a membership you already hold. We have cancelled it and returned the whole amount; your bank shows it within 5 to 10 days. Your membership is not affected.',
        },
      ],
    },
    association,
  )
}

/** To someone who paid a price that was lowered by a credit, when the payment behind the credit was returned or is disputed meanwhile. */
export function creditGoneLetter(firstName: string, association: Association): Letter {
  return printLetter(
    {
      subject: 'Your payment is on its way back',
      preview: 'The credit that lowered its price is no longer there. We are returning the payment.',
      heading: `Please choose your membership again, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: 'The price you paid was lowered by a credit for an earlier payment. That earlier payment was returned, or is disputed with your bank, so the credit does not count any more. We have returned your new payment in full; your bank shows it within 5 to 10 days.',
        },
        {
          kind: 'text',
          text: 'You can choose the membership again at its present price. If you have questions, reply to this email.',
        },
      ],
    },
    association,
  )
}

/** What a canceled payment leaves of the membership. */
export interface AfterCanceledReceipt {
  firstName: string
  /** The present membership, and until when it runs; null when none is left. */
  membership: { levelName: string; until: string | null } | null
  accountUrl: string
}

/** To someone whose check or cash was recorded by mistake, or whose check was not paid. */
export function receiptCanceledLetter(
  { firstName, membership, accountUrl }: AfterCanceledReceipt,
  receipt: Pick<Receipt, 'number' | 'facts'>,
  association: Association,
): Letter {
  const rest =
    membership === null
      ? 'There is no membership that it paid for any more.'
      : `Your membership as ${membership.levelName} goes on ${membership.until === null ? 'for life' : `until ${membership.until}`}.`
  return printLetter(
    {
      subject: `Receipt ${receipt.number} is canceled`,
      preview: 'We took back the record of a payment. What it says is below.',
      heading: `A receipt is canceled, ${firstName}`,
      blocks: [
        {
          kind: 'text',
          text: `We recorded a check or cash payment under your name and had to cancel that record, for example because a check was not paid or was recorded for the wrong person. Please do not use receipt ${receipt.number} any more. ${rest}`,
        },
        { kind: 'facts', facts: [...receipt.facts] },
        { kind: 'text', text: 'If you did pay, please reply to this email and we will look into it.' },
        { kind: 'button', label: 'Open my account', url: accountUrl },
      ],
    },
    association,
  )
}
