import type { Association } from '#contract/association.ts'
import { alarmWindowMs, isToldSingly, SINGLE_LETTERS_A_DAY } from '../platform/alarms.ts'
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
      'The bank of a member, a guest or a sponsor takes a payment back. The Stripe dashboard says until when it can be answered and with what. While it is open all goes on as before; if it is lost, a membership ends, and what a sponsor was promised is to be kept no more.',
  },
  'credit-owed': {
    heading: 'A credited payment was returned',
    advice:
      'Part of an earlier payment was credited toward another membership, and now that payment was refunded or lost to the bank all the same. The member holds the new membership and owes what is named below. The console shows both payments on the page of the member. Please ask the member to pay it, or refund the new membership.',
  },
  'credit-gone': {
    heading: 'A payment relied on a credit that is gone',
    advice:
      'A member paid a price that was lowered by a credit, but the payment behind the credit was refunded, disputed or canceled meanwhile. The new payment is being refunded, and the member is told. The member can buy the membership again at its present price.',
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
      'The mail server has failed several times in a row. Sending goes on automatically as soon as it answers; nobody gets two.',
  },
  'backup-failed': {
    heading: 'The backup could not be made',
    advice:
      'The site tries again every quarter of an hour, and older backups are kept. See whether the disk of BACKUP_DIR is full or away; "npm run admin -- backup" makes one now and says what is wrong.',
  },
  'backup-overdue': {
    heading: 'There has been no backup for too long',
    advice:
      'For two periods or more none could be made: what happens to the site now could not be undone. Please do not leave it so; "npm run admin -- backup" says what is wrong.',
  },
  'passkey-copied': {
    heading: 'A passkey may have been copied',
    advice:
      'An officer’s passkey answered with a count that was used before, as a copy of it would, and was refused. History in the console says whose and when (passkey.out-of-turn). Ask that officer, by voice, to remove the passkey under My access; if they know nothing of it, run "npm run admin -- officers forget-app NAME".',
  },
  'unknown-payment': {
    heading: 'Somebody paid whom this site does not know',
    advice:
      'Stripe holds payments for this site that the database knows nothing of, as after the restore of a backup. Look each up in the Stripe dashboard by its id: it names the person. Let them join again and return the payment, or enter them with "npm run admin -- members import" and tell them to use "Forgot password". The log names each.',
  },
  'webhook-refused': {
    heading: "Stripe's notices are refused",
    advice:
      'Many notices came with a signature that does not fit. STRIPE_WEBHOOK_SECRET may be that of another endpoint, or the clock of this machine is wrong (/readyz says so).',
  },
  'letters-wait': {
    heading: 'Letters could not be sent',
    advice:
      'Letters or calls waited for over half an hour, because the mail server or the card provider did not answer. Nothing is lost: they go out automatically as soon as it does, and are given up after four days. That you read this may mean it is over; “npm run admin -- mail test” says what the mail server answers now.',
  },
  'webhook-silent': {
    heading: 'Stripe’s notices do not arrive',
    advice:
      'Stripe took payments and did not tell us. It switches an endpoint off that failed for days. Memberships are brought up to date all the same, within 15 minutes, by asking. Please open Developers, Webhooks in the Stripe dashboard and switch the endpoint on again; notices that come late do no harm.',
  },
  'disk-low': {
    heading: 'The disk is nearly full',
    advice:
      'The site goes on as long as there is room; then pages are shown but nothing can be saved, and what could not be saved is said to whoever sent it. Please make room or a larger disk: old backups and logs first. Nothing need be restarted afterwards.',
  },
  'clock-off': {
    heading: 'The clock of the server is wrong',
    advice:
      'It differs from Stripe’s by minutes. Stripe’s notices are refused then, links in letters end too early or too late, and events may be shown on the wrong side of midnight. Please switch on the synchronization of the time (NTP) on the server; nothing need be restarted.',
  },
  'job-failing': {
    heading: 'Regular work has failed several times',
    advice:
      'The site tries again automatically. The log has a line “job failed” with the reason for each time. If it does not end, please show it to whoever looks after the server.',
  },
  'storage-away': {
    heading: 'The storage of the pictures does not answer',
    advice:
      'Pages show the pictures they had, or their own, and ask again by themselves. Please look at the status of the storage and whether its keys still hold.',
  },
  'event-dates': {
    heading: 'The date of an event cannot be read',
    advice:
      'The events named below are shown as past until their date is written differently, such as “December 12-14, 2026”. Change it with “npm run admin -- content export” and “import”.',
  },
}

const HOW_OFTEN = new Map([
  [86_400_000, 'a day'],
  [7 * 86_400_000, 'a week'],
])

export interface RungAlarm {
  kind: string
  /** Ids and codes only. */
  details: Record<string, string | number>
  /** There are too many for a letter each: this one names the first of several. */
  isOfMany?: boolean
}

/** To the officers and the webmaster: what happened and what to do. */
export function alarmLetter(alarm: RungAlarm, association: Association): Letter {
  const { heading, advice } = SENTENCES[alarm.kind] ?? { heading: alarm.kind, advice: 'Please look at the log.' }
  return printLetter(
    {
      subject: `Website alarm: ${heading}`,
      preview: advice,
      heading,
      blocks: [
        { kind: 'text', text: advice },
        {
          kind: 'facts',
          facts: Object.entries(alarm.details).map(([label, value]): [string, string] => [label, String(value)]),
        },
        { kind: 'note', text: howOften(alarm) },
      ],
    },
    association,
  )
}

function howOften({ kind, isOfMany = false }: RungAlarm): string {
  if (isOfMany) {
    return `There were more than ${SINGLE_LETTERS_A_DAY} of this kind today, so this letter names only the first of those that came within 15 minutes. The log names each, in a line with "alarm":"${kind}".`
  }
  if (isToldSingly(kind)) return 'Each is told by a letter of its own, once a day at most.'
  return `At most one letter of this kind is sent ${HOW_OFTEN.get(alarmWindowMs(kind)) ?? 'in 15 minutes'}.`
}
