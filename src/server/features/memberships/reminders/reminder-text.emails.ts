import type { Association } from '#contract/public/association.ts'
import { formatMoney } from '#contract/money.ts'
import { renderEmail, type EmailBlock, type Email } from '#server/emails/email.ts'
import { words, type EmailText } from '#server/emails/words.rules.ts'
import type { PaymentCard } from '#server/stripe/payment-gateway.ts'
import type { ReminderKind } from './reminder.rules.ts'

/** Values for a membership reminder; dates are already formatted. */
export interface ReminderValues {
  firstName: string
  levelName: string
  /** Day of the charge, failure or end. */
  aboutDay: string
  /** Days until then. */
  daysLeft: number
  /** When rights end without action; null when they do not. */
  endsDay: string | null
  /** Of the upcoming, failed, refunded or disputed charge; null when the email is not about a charge. */
  amount: { minorUnits: number; currency: string } | null
  card: PaymentCard | null
  /** Whether the card expires before the day of the charge. */
  cardExpires: boolean
  /** When the charge is retried; null when it is not. */
  nextAttemptDay: string | null
  /** State of the membership after a full refund or lost dispute. */
  membershipOutcome: 'goes on' | 'ends sooner' | 'has ended' | 'had ended before'
}

interface Links {
  accountUrl: string
  plansUrl: string
}

/** Renders a reminder. The composers below are in the order of a membership's life cycle. */
export function reminderEmail(
  kind: ReminderKind,
  values: ReminderValues,
  links: Links,
  association: Association,
): Email {
  const { subject, preview, heading, blocks } = COMPOSERS[kind](values, links)
  return renderEmail({ subject, preview, heading, blocks }, association)
}

/** 'Visa ending in 4242, valid until 12/2030'. */
export function describeCard({ brand, last4, expiresMonth, expiresYear }: PaymentCard): string {
  const name = brand.charAt(0).toUpperCase() + brand.slice(1)
  return `${name} ending in ${last4}, valid until ${String(expiresMonth).padStart(2, '0')}/${expiresYear}`
}

type Contents = Parameters<typeof renderEmail>[0]
type Composer = (values: ReminderValues, links: Links) => Contents

const COMPOSERS: Record<ReminderKind, Composer> = {
  renewal_45: renewal,
  renewal_7: renewal,
  term_45: term,
  term_7: term,
  past_due_0: pastDue,
  past_due_3: pastDue,
  past_due_7: pastDue,
  past_due_13: pastDue,
  recovered,
  stopped,
  resumed,
  level_changed: levelChanged,
  expired: ended,
  canceled: ended,
  refunded,
  dispute_opened: disputeOpened,
  dispute_closed: disputeClosed,
}

function renewal(values: ReminderValues, { accountUrl }: Links): Contents {
  const { levelName, aboutDay, card, cardExpires } = values
  const amount = amountOf(values)
  return {
    subject: words`Your membership renews on ${{ aboutDay }} for ${{ amount }}`,
    preview: words`${{ amount }} will be charged on ${{ aboutDay }}. You can cancel before then.`,
    heading: words`Your membership renews on ${{ aboutDay }}`,
    blocks: [
      text(words`Your membership as ${{ levelName }} renews automatically. You do not need to do anything to keep it.`),
      details([
        ['Membership', levelName],
        ['Charged on', aboutDay],
        ['Amount', amount],
        ['Card', card ? describeCard(card) : 'None: please add one'],
      ]),
      ...(cardExpires ? [text('This card expires before that day. Please update it to avoid an interruption.')] : []),
      text(
        words`To cancel the renewal, open your account before ${{ aboutDay }}, choose Manage billing, then Cancel subscription. You stay a member until that day and will not be charged.`,
      ),
      button('Open my account', accountUrl),
    ],
  }
}

function term(values: ReminderValues, { accountUrl }: Links): Contents {
  const { levelName, aboutDay, amount } = values
  const price = amount && amount.minorUnits > 0 ? amountOf(values) : 'Nothing'
  return {
    subject: words`Your membership ends on ${{ aboutDay }}`,
    preview: 'It does not renew automatically. Renewing takes a minute.',
    heading: words`Your membership ends on ${{ aboutDay }}`,
    blocks: [
      text(
        words`Your membership as ${{ levelName }} ends on ${{ aboutDay }}. It does not renew automatically: to stay a member, please renew it yourself. The new term begins when this one ends.`,
      ),
      details([
        ['Membership', levelName],
        ['Ends on', aboutDay],
        ['Price of the next term', price],
      ]),
      button('Renew my membership', accountUrl),
      note('If you do nothing, your membership ends. You can rejoin at any time.'),
    ],
  }
}

function pastDue(values: ReminderValues, { accountUrl }: Links): Contents {
  const { levelName, aboutDay, endsDay, nextAttemptDay, daysLeft, card } = values
  const amount = amountOf(values)
  const isLast = daysLeft <= 1
  return {
    subject: isLast
      ? words`Last reminder: your membership ends on ${{ endsDay }}`
      : words`Your card could not be charged ${{ amount }}`,
    preview: words`Your membership stays active until ${{ endsDay }}. Please update your card.`,
    heading: isLast ? words`Your membership ends on ${{ endsDay }}` : 'Your renewal did not go through',
    blocks: [
      text(
        words`On ${{ aboutDay }} your card could not be charged ${{ amount }} for your membership as ${{ levelName }}. You keep everything until ${{ endsDay }}${{ nextAttempt: nextAttemptDay ? `, and we try again on ${nextAttemptDay}` : '' }}.`,
      ),
      details([
        ['Amount', amount],
        ['Card', card ? describeCard(card) : 'None'],
        ['Next attempt', nextAttemptDay ?? 'None: please pay it yourself'],
        ['Active until', endsDay ?? ''],
      ]),
      text('Open your account, choose Manage billing and update your card. The amount due is then charged right away.'),
      button('Update my card', accountUrl),
      note(
        'The most common reason is a card that expired or was replaced. If you no longer wish to be a member, choose Cancel subscription there.',
      ),
    ],
  }
}

function recovered({ levelName }: ReminderValues, { accountUrl }: Links): Contents {
  return {
    subject: 'Your renewal is paid',
    preview: words`Your membership as ${{ levelName }} continues.`,
    heading: 'Your renewal is paid',
    blocks: [
      text(
        words`The payment that failed has gone through, and your membership as ${{ levelName }} continues without a gap. We will email the receipt separately.`,
      ),
      button('Open my account', accountUrl),
    ],
  }
}

function stopped({ levelName, endsDay }: ReminderValues, { accountUrl }: Links): Contents {
  return {
    subject: words`Your membership will not renew and ends on ${{ endsDay }}`,
    preview: 'You will not be charged again.',
    heading: words`Your membership ends on ${{ endsDay }}`,
    blocks: [
      text(
        words`As requested, your membership as ${{ levelName }} will not renew. You keep it until ${{ endsDay }} and will not be charged again.`,
      ),
      text(
        words`If you change your mind, you can resume it until ${{ endsDay }} under Manage billing on your account page.`,
      ),
      button('Open my account', accountUrl),
    ],
  }
}

function resumed({ levelName, aboutDay, endsDay }: ReminderValues, { accountUrl }: Links): Contents {
  return {
    subject: 'Your membership renews again',
    preview: words`Your membership as ${{ levelName }} continues.`,
    heading: 'Your membership renews again',
    blocks: [
      text(
        words`Your membership as ${{ levelName }} renews automatically again, next on ${{ renewsOn: endsDay ?? aboutDay }}. We will email you 45 days and 7 days before.`,
      ),
      button('Open my account', accountUrl),
    ],
  }
}

function levelChanged({ levelName }: ReminderValues, { accountUrl }: Links): Contents {
  return {
    subject: words`You are now ${{ levelName }}`,
    preview: 'Your membership has changed.',
    heading: words`You are now ${{ levelName }}`,
    blocks: [
      text(
        words`Your membership has changed to ${{ levelName }}. The unused part of your previous term is credited toward it. Your account page shows every payment and the next billing date.`,
      ),
      button('Open my account', accountUrl),
      note('If you did not request this, please reply to this email.'),
    ],
  }
}

function ended({ levelName, aboutDay }: ReminderValues, { plansUrl }: Links): Contents {
  return {
    subject: 'Your membership has ended',
    preview: 'You can rejoin at any time.',
    heading: 'Your membership has ended',
    blocks: [
      text(
        words`Your membership as ${{ levelName }} ended on ${{ aboutDay }}. You will not be charged again. Thank you for having been a member.`,
      ),
      text('You keep your account: you can log in and rejoin at any time.'),
      button('Choose a membership', plansUrl),
    ],
  }
}

function refunded(values: ReminderValues, { accountUrl, plansUrl }: Links): Contents {
  const amount = amountOf(values)
  return {
    subject: words`We refunded ${{ amount }} to your card`,
    preview: 'It should appear on your statement within 5 to 10 days.',
    heading: words`We refunded ${{ amount }}`,
    blocks: [
      text(
        words`We refunded ${{ amount }} of your dues to the card you paid with. It should appear on your statement within 5 to 10 days.`,
      ),
      text(LEFT[values.membershipOutcome](values)),
      isOver(values) ? button('Choose a membership', plansUrl) : button('Open my account', accountUrl),
    ],
  }
}

function disputeOpened(values: ReminderValues, { accountUrl }: Links): Contents {
  const amount = amountOf(values)
  return {
    subject: words`Your payment of ${{ amount }} is disputed`,
    preview: 'Your membership continues while your bank reviews it.',
    heading: 'Your bank is reviewing a payment',
    blocks: [
      text(
        words`Your bank notified us that your payment of ${{ amount }} to us is disputed. Your membership as ${{ levelName: values.levelName }} continues as before during the review.`,
      ),
      text(
        'If this is a mistake, please call your bank and withdraw the dispute. If something is wrong with the payment, reply to this email and we will fix it.',
      ),
      button('Open my account', accountUrl),
    ],
  }
}

function disputeClosed(values: ReminderValues, { accountUrl, plansUrl }: Links): Contents {
  const amount = amountOf(values)
  if (values.membershipOutcome === 'goes on') {
    return {
      subject: 'The dispute about your payment is closed',
      preview: 'Your membership continues.',
      heading: 'The dispute is closed',
      blocks: [
        text(
          words`Your bank has closed the dispute about your payment of ${{ amount }}. Your membership as ${{ levelName: values.levelName }} continues, and there is nothing you need to do.`,
        ),
        button('Open my account', accountUrl),
      ],
    }
  }
  return {
    subject: 'Your payment was returned to you',
    preview: isOver(values) ? 'Your membership has ended as a result.' : 'Your membership ends sooner as a result.',
    heading: 'Your payment was returned to you',
    blocks: [
      text(
        words`Your bank decided the dispute in your favor and returned your payment of ${{ amount }}. ${{ outcome: LEFT[values.membershipOutcome](values) }}`,
      ),
      ...(isOver(values)
        ? [text('You are welcome to rejoin at any time.'), button('Choose a membership', plansUrl)]
        : [button('Open my account', accountUrl)]),
    ],
  }
}

/** The effect of a refund or lost dispute on the membership. */
const LEFT: Record<ReminderValues['membershipOutcome'], (values: ReminderValues) => EmailText> = {
  'goes on': ({ levelName }) => words`Your membership as ${{ levelName }} is not affected.`,
  'ends sooner': ({ levelName, endsDay }) => words`Your membership as ${{ levelName }} now ends on ${{ endsDay }}.`,
  'has ended': ({ levelName }) =>
    words`Your membership as ${{ levelName }} has ended, and you will not be charged again.`,
  'had ended before': ({ levelName }) =>
    words`We received the payment after your membership as ${{ levelName }} had ended. You will not be charged again.`,
}

function isOver({ membershipOutcome: left }: ReminderValues): boolean {
  return left === 'has ended' || left === 'had ended before'
}

function amountOf({ amount }: ReminderValues): string {
  return amount ? formatMoney(amount.minorUnits, amount.currency) : 'the amount due'
}

const text = (content: EmailText): EmailBlock => ({ kind: 'text', text: content })
const note = (content: EmailText): EmailBlock => ({ kind: 'note', text: content })
const details = (lines: [string, string][]): EmailBlock => ({ kind: 'details', details: lines })
const button = (label: string, url: string): EmailBlock => ({ kind: 'button', label, url })
