import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from './letter.ts'

const SENTENCES: Record<string, { heading: string; advice: string }> = {
  'bot-check-unavailable': {
    heading: 'The bot check does not answer',
    advice:
      'Log-in and password reset go on without it; registrations are refused until it is back. If this lasts, look at the status page of the bot-check provider.',
  },
  'bot-check-misconfigured': {
    heading: 'The bot check refuses our key',
    advice:
      'RECAPTCHA_SECRET_KEY is not the one that belongs to this site. Until it is corrected, nobody can register.',
  },
  'double-payment': {
    heading: 'A membership was paid for twice',
    advice:
      'The later payment is being refunded and its subscription cancelled. Please check this in the Stripe dashboard.',
  },
  'payment-mismatch': {
    heading: 'A payment does not fit its order',
    advice: 'The amount Stripe reports differs from what was ordered, so nothing was activated. Please look into it.',
  },
  'effect-given-up': {
    heading: 'Something could not be delivered',
    advice:
      'It was tried for days and given up. "npm run admin -- outbox" lists what lies there and can send it again.',
  },
  'card-testing': {
    heading: 'Somebody may be trying out stolen cards',
    advice:
      'Many sponsor payments were refused within an hour, because they came too fast or from a program. Sponsors who use the form are still served. Look for declined payments in the Stripe dashboard.',
  },
  'payment-disputed': {
    heading: 'A payment is disputed',
    advice:
      'A member’s bank takes a payment back. The Stripe dashboard says until when it can be answered and with what. While it is open the membership goes on; if it is lost, it ends.',
  },
  reconciled: {
    heading: 'Differences with Stripe were repaired',
    advice:
      'Notices from Stripe did not arrive or came late, and the regular comparison made good what they should have told. If this comes often, look at the webhook in the Stripe dashboard. The log names each.',
  },
  'stray-subscription': {
    heading: 'A subscription charged for no membership',
    advice:
      'It is being ended now. Please look in the Stripe dashboard whether something it charged has to be returned.',
  },
  'mailing-refused': {
    heading: 'The mail server refuses the newsletter',
    advice:
      'It refused every copy of a batch, so sending was stopped; nobody was taken off the list. Put right what it complains of, then let it go on with "npm run admin -- newsletter resume".',
  },
  'mailing-waits': {
    heading: 'The newsletter waits for the mail server',
    advice:
      'The mail server has failed several times in a row. Sending goes on by itself as soon as it answers; nobody gets two.',
  },
  'webhook-refused': {
    heading: "Stripe's notices are refused",
    advice:
      'Many notices came with a signature that does not fit. STRIPE_WEBHOOK_SECRET may be that of another endpoint.',
  },
}

/** To the officers and the webmaster: what happened and what to do. `details` hold ids and codes only. */
export function alarmLetter(
  { kind, details }: { kind: string; details: Record<string, string | number> },
  association: Association,
): Letter {
  const { heading, advice } = SENTENCES[kind] ?? { heading: kind, advice: 'Please look at the log.' }
  return printLetter(
    {
      subject: `Website alarm: ${heading}`,
      preview: advice,
      heading,
      blocks: [
        { kind: 'text', text: advice },
        {
          kind: 'facts',
          facts: Object.entries(details).map(([label, value]): [string, string] => [label, String(value)]),
        },
        { kind: 'note', text: 'At most one letter of this kind is sent in 15 minutes.' },
      ],
    },
    association,
  )
}
