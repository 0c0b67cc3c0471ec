import type { Association } from '#contract/association.ts'
import { formatMoney } from '#contract/money.ts'
import { printLetter, type Block, type Letter } from '#server/mail/letter.ts'
import type { CardFacts } from '#server/payments/payment-gateway.ts'
import type { NoticeKind } from './notice.rules.ts'

/** What a letter about a membership may name; dates are written out already. */
export interface NoticeWords {
  firstName: string
  levelName: string
  /** The charge, failure or end it is about. */
  aboutDay: string
  /** Days from now until then. */
  daysLeft: number
  /** When rights end unless something is done; null when they do not. */
  endsDay: string | null
  /** Of the charge announced, failed, refunded or disputed; null where the letter is about none. */
  amount: { minorUnits: number; currency: string } | null
  card: CardFacts | null
  /** Whether that card is no longer valid on the day of the charge. */
  cardExpires: boolean
  /** When the card is tried again; null when it is not. */
  nextAttemptDay: string | null
  /** What the membership is after the whole payment came back. */
  left: 'goes on' | 'ends sooner' | 'has ended' | 'had ended before'
}

interface Places {
  accountUrl: string
  plansUrl: string
}

/** The letter for a notice. The words for each kind stand below, in the order of a membership's life. */
export function noticeLetter(kind: NoticeKind, words: NoticeWords, places: Places, association: Association): Letter {
  const { subject, preview, heading, blocks } = COMPOSERS[kind](words, places)
  return printLetter({ subject, preview, heading, blocks }, association)
}

/** 'Visa ending in 4242, valid until 12/2030'. */
export function cardWords({ brand, last4, expiresMonth, expiresYear }: CardFacts): string {
  const name = brand.charAt(0).toUpperCase() + brand.slice(1)
  return `${name} ending in ${last4}, valid until ${String(expiresMonth).padStart(2, '0')}/${expiresYear}`
}

type Contents = Parameters<typeof printLetter>[0]
type Composer = (words: NoticeWords, places: Places) => Contents

const COMPOSERS: Record<NoticeKind, Composer> = {
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

function renewal(words: NoticeWords, { accountUrl }: Places): Contents {
  const { levelName, aboutDay, card, cardExpires } = words
  const amount = amountOf(words)
  return {
    subject: `Your membership renews on ${aboutDay} for ${amount}`,
    preview: `${amount} will be charged on ${aboutDay}. You can stop it before then.`,
    heading: `Your membership renews on ${aboutDay}`,
    blocks: [
      text(`Your membership as ${levelName} renews automatically. You do not need to do anything to keep it.`),
      facts([
        ['Membership', levelName],
        ['Charged on', aboutDay],
        ['Amount', amount],
        ['Card', card ? cardWords(card) : 'None: please add one'],
      ]),
      ...(cardExpires
        ? [text('This card is no longer valid on that day. Please update it, so that nothing is interrupted.')]
        : []),
      text(
        `To stop it, open your account before ${aboutDay}, choose Manage billing, then Cancel subscription. You stay a member until that day and are charged nothing.`,
      ),
      button('Open my account', accountUrl),
    ],
  }
}

function term(words: NoticeWords, { accountUrl }: Places): Contents {
  const { levelName, aboutDay, amount } = words
  const price = amount && amount.minorUnits > 0 ? amountOf(words) : 'Nothing'
  return {
    subject: `Your membership ends on ${aboutDay}`,
    preview: 'We charge no card for it. Renewing takes a minute.',
    heading: `Your membership ends on ${aboutDay}`,
    blocks: [
      text(
        `Your membership as ${levelName} runs until ${aboutDay}. We charge no card for it: if you wish to stay, please renew it yourself. The new term begins where this one ends.`,
      ),
      facts([
        ['Membership', levelName],
        ['Ends on', aboutDay],
        ['To pay for another term', price],
      ]),
      button('Renew my membership', accountUrl),
      note('If you do nothing it simply ends. You can come back at any time.'),
    ],
  }
}

function pastDue(words: NoticeWords, { accountUrl }: Places): Contents {
  const { levelName, aboutDay, endsDay, nextAttemptDay, daysLeft, card } = words
  const amount = amountOf(words)
  const isLast = daysLeft <= 1
  return {
    subject: isLast ? `Last reminder: your membership ends on ${endsDay}` : `Your card could not be charged ${amount}`,
    preview: `Your membership stays active until ${endsDay}. Please update your card.`,
    heading: isLast ? `Your membership ends on ${endsDay}` : 'Your renewal did not go through',
    blocks: [
      text(
        `On ${aboutDay} your card could not be charged ${amount} for your membership as ${levelName}. You keep everything until ${endsDay}${nextAttemptDay ? `, and we try again on ${nextAttemptDay}` : ''}.`,
      ),
      facts([
        ['Amount', amount],
        ['Card', card ? cardWords(card) : 'None'],
        ['Next try', nextAttemptDay ?? 'None: please pay it yourself'],
        ['Active until', endsDay ?? ''],
      ]),
      text('Open your account, choose Manage billing and update your card: what is due is then paid at once.'),
      button('Update my card', accountUrl),
      note(
        'The most frequent reason is a card that has expired or was replaced. If you no longer wish to be a member, choose Cancel subscription there.',
      ),
    ],
  }
}

function recovered({ levelName }: NoticeWords, { accountUrl }: Places): Contents {
  return {
    subject: 'Your renewal is paid',
    preview: `Your membership as ${levelName} goes on.`,
    heading: 'All is well again',
    blocks: [
      text(
        `The payment that failed has gone through, and your membership as ${levelName} goes on without a gap. The receipt comes in a letter of its own.`,
      ),
      button('Open my account', accountUrl),
    ],
  }
}

function stopped({ levelName, endsDay }: NoticeWords, { accountUrl }: Places): Contents {
  return {
    subject: `Your membership will not renew and ends on ${endsDay}`,
    preview: 'Nothing more will be charged.',
    heading: `Your membership ends on ${endsDay}`,
    blocks: [
      text(
        `As you asked, your membership as ${levelName} will not renew. You keep it until ${endsDay}, and nothing more is charged.`,
      ),
      text(
        `Should you change your mind: until ${endsDay} you can resume it under Manage billing on your account page.`,
      ),
      button('Open my account', accountUrl),
    ],
  }
}

function resumed({ levelName, aboutDay, endsDay }: NoticeWords, { accountUrl }: Places): Contents {
  return {
    subject: 'Your membership renews again',
    preview: `Your membership as ${levelName} goes on.`,
    heading: 'Good to have you with us',
    blocks: [
      text(
        `Your membership as ${levelName} renews automatically again, next on ${endsDay ?? aboutDay}. We write to you 45 days and 7 days before.`,
      ),
      button('Open my account', accountUrl),
    ],
  }
}

function levelChanged({ levelName }: NoticeWords, { accountUrl }: Places): Contents {
  return {
    subject: `You are now ${levelName}`,
    preview: 'Your membership has changed.',
    heading: `You are now ${levelName}`,
    blocks: [
      text(
        `Your membership has changed to ${levelName}. What was paid for the rest of the term before counts towards it; your account page shows every payment and the next billing date.`,
      ),
      button('Open my account', accountUrl),
      note('If you did not ask for this, please answer this letter.'),
    ],
  }
}

function ended({ levelName, aboutDay }: NoticeWords, { plansUrl }: Places): Contents {
  return {
    subject: 'Your membership has ended',
    preview: 'You can come back at any time.',
    heading: 'Your membership has ended',
    blocks: [
      text(
        `Your membership as ${levelName} ended on ${aboutDay}. Nothing more is charged. Thank you for the time you were with us.`,
      ),
      text('Your account stays: you can log in and take up a membership again whenever you like.'),
      button('Choose a membership', plansUrl),
    ],
  }
}

function refunded(words: NoticeWords, { accountUrl, plansUrl }: Places): Contents {
  const amount = amountOf(words)
  return {
    subject: `We returned ${amount} to your card`,
    preview: 'Your bank shows it within 5 to 10 days.',
    heading: `${amount} is on its way back`,
    blocks: [
      text(`We returned ${amount} of your dues to the card you paid with. Your bank shows it within 5 to 10 days.`),
      text(LEFT[words.left](words)),
      isOver(words) ? button('Choose a membership', plansUrl) : button('Open my account', accountUrl),
    ],
  }
}

function disputeOpened(words: NoticeWords, { accountUrl }: Places): Contents {
  const amount = amountOf(words)
  return {
    subject: `Your bank asks about your payment of ${amount}`,
    preview: 'Your membership goes on while this is looked into.',
    heading: 'A payment is being looked into',
    blocks: [
      text(
        `Your bank told us that your payment of ${amount} to us is disputed. While it looks into this your membership as ${words.levelName} goes on as before.`,
      ),
      text(
        'If this is a mistake, please call your bank and take the dispute back. If something is wrong with the payment, answer this letter: we will put it right.',
      ),
      button('Open my account', accountUrl),
    ],
  }
}

function disputeClosed(words: NoticeWords, { accountUrl, plansUrl }: Places): Contents {
  const amount = amountOf(words)
  if (words.left === 'goes on') {
    return {
      subject: 'The question about your payment is settled',
      preview: 'Your membership goes on.',
      heading: 'The question is settled',
      blocks: [
        text(
          `Your bank has settled the question about your payment of ${amount}. Your membership as ${words.levelName} goes on, and there is nothing for you to do.`,
        ),
        button('Open my account', accountUrl),
      ],
    }
  }
  return {
    subject: 'Your payment went back to you',
    preview: isOver(words) ? 'Your membership has ended with it.' : 'Your membership ends sooner with it.',
    heading: 'Your payment went back to you',
    blocks: [
      text(`Your bank decided that your payment of ${amount} goes back to you. ${LEFT[words.left](words)}`),
      ...(isOver(words)
        ? [text('You are welcome to come back at any time.'), button('Choose a membership', plansUrl)]
        : [button('Open my account', accountUrl)]),
    ],
  }
}

/** What a payment that came back leaves of the membership. */
const LEFT: Record<NoticeWords['left'], (words: NoticeWords) => string> = {
  'goes on': ({ levelName }) => `Your membership as ${levelName} is not affected.`,
  'ends sooner': ({ levelName, endsDay }) => `Your membership as ${levelName} now ends on ${endsDay}.`,
  'has ended': ({ levelName }) => `With that your membership as ${levelName} has ended, and nothing more is charged.`,
  'had ended before': ({ levelName }) =>
    `It came after your membership as ${levelName} had ended. Nothing more is charged.`,
}

function isOver({ left }: NoticeWords): boolean {
  return left === 'has ended' || left === 'had ended before'
}

function amountOf({ amount }: NoticeWords): string {
  return amount ? formatMoney(amount.minorUnits, amount.currency) : 'what is due'
}

const text = (words: string): Block => ({ kind: 'text', text: words })
const note = (words: string): Block => ({ kind: 'note', text: words })
const facts = (lines: [string, string][]): Block => ({ kind: 'facts', facts: lines })
const button = (label: string, url: string): Block => ({ kind: 'button', label, url })
