import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { alertWindowMs, hasIndividualEmail, MAX_INDIVIDUAL_EMAILS_PER_DAY } from './alert-limits.rules.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'

const SENTENCES: Record<string, { heading: string; advice: string }> = {
  'bot-check-unavailable': {
    heading: 'The bot check is not responding',
    advice:
      'Login and password reset work without it; registrations are rejected until it is back. If this continues, check the status page of the bot-check provider.',
  },
  'bot-check-misconfigured': {
    heading: 'The bot check rejects our key',
    advice: 'RECAPTCHA_SECRET_KEY does not belong to this site. Until it is corrected, no one can register.',
  },
  'double-payment': {
    heading: 'A membership was paid for twice',
    advice:
      'The later payment is being refunded and its subscription canceled. Please check this in the Stripe dashboard.',
  },
  'payment-mismatch': {
    heading: 'A payment does not match its order',
    advice: 'The amount that Stripe reports differs from the order, so nothing was activated. Please look into it.',
  },
  'effect-given-up': {
    heading: 'Something could not be delivered',
    advice:
      'The site retried for days and then gave up. "npm run admin -- outbox" lists failed deliveries and can retry them.',
  },
  'card-testing': {
    heading: 'Someone may be testing stolen cards',
    advice:
      'Many sponsor payments were rejected within an hour, because they came too fast or from a script. Sponsors who use the form can still pay. Look for declined payments in the Stripe dashboard.',
  },
  'payment-disputed': {
    heading: 'A payment is disputed',
    advice:
      'A member, a guest or a sponsor disputes a payment at their bank. The Stripe dashboard shows the deadline for a response and the evidence needed. Nothing changes while the dispute is open. If it is lost, a membership ends, and a sponsor’s benefits are no longer due.',
  },
  'credit-owed': {
    heading: 'A credited payment was refunded or lost',
    advice:
      'Part of an earlier payment was credited toward a new membership, but that earlier payment has now been refunded or lost in a dispute. The member has the new membership and owes the amount below. The console shows both payments on the member’s page. Please ask the member to pay it, or refund the new membership.',
  },
  'credit-gone': {
    heading: 'A payment used a credit that is no longer valid',
    advice:
      'A member paid a price that was lowered by a credit, but the payment behind the credit was refunded, disputed or canceled in the meantime. The new payment is being refunded, and the member is notified. The member can buy the membership again at its current price.',
  },
  reconciled: {
    heading: 'Differences with Stripe were corrected',
    advice:
      'Webhook events from Stripe were missing or late, and the regular comparison with Stripe corrected the affected records. If this happens often, check the webhook in the Stripe dashboard. The log lists each one.',
  },
  'stray-subscription': {
    heading: 'A subscription has no membership',
    advice:
      'It is being canceled now. Please check in the Stripe dashboard whether any of its charges need to be refunded.',
  },
  'mailing-refused': {
    heading: 'The mail server rejects a newsletter or an email to members',
    advice:
      'It rejected every copy of a batch, so sending is paused; no one was unsubscribed. Fix the problem below, then resume on its page in the console, or with "npm run admin -- newsletter resume".',
  },
  'mailing-waits': {
    heading: 'Sending is waiting for the mail server',
    advice:
      'The mail server has failed several times in a row. Sending resumes automatically when it responds; no one gets two copies.',
  },
  'backup-failed': {
    heading: 'The backup failed',
    advice:
      'The site retries every 15 minutes, and older backups are kept. Check whether the disk of BACKUP_DIR is full or missing; "npm run admin -- backup" makes a backup now and shows the error.',
  },
  'backup-overdue': {
    heading: 'Backups are overdue',
    advice:
      'At least two scheduled backups are missing, so recent data would be lost in a failure. Please fix this soon; "npm run admin -- backup" shows the error.',
  },
  'passkey-copied': {
    heading: 'A passkey may have been copied',
    advice:
      'An officer’s passkey was rejected because its counter had been used before, as with a copy. The audit log in the console shows whose it was and when (passkey.out-of-turn). Call that officer and ask them to remove the passkey under My access. If they did not use it, run "npm run admin -- officers forget-app NAME".',
  },
  'unknown-payment': {
    heading: 'Stripe has payments that are not in the database',
    advice:
      'Stripe has payments for this site that are missing in the database, as can happen after restoring a backup. Look up each one in the Stripe dashboard by its id to see who paid. Ask them to join again and refund the payment, or add them with "npm run admin -- members import" and ask them to use "Forgot password". The log lists each one.',
  },
  'webhook-refused': {
    heading: 'Stripe webhooks are being rejected',
    advice:
      'Many webhook events had an invalid signature. STRIPE_WEBHOOK_SECRET may belong to another endpoint, or the clock of this machine is wrong (/readyz shows that).',
  },
  'letters-wait': {
    heading: 'Emails could not be sent',
    advice:
      'Emails or calls have waited for over half an hour, because the mail server or the card provider did not respond. Nothing is lost: the site keeps retrying for four days. If you are reading this, the problem may be over; “npm run admin -- mail test” checks the mail server now.',
  },
  'webhook-silent': {
    heading: 'Stripe webhooks are not arriving',
    advice:
      'Stripe accepted payments but sent no webhook events. It disables an endpoint that has failed for days. Memberships are still updated within 15 minutes, by polling. Please open Developers, Webhooks in the Stripe dashboard and enable the endpoint again; late events do no harm.',
  },
  'disk-low': {
    heading: 'The disk is nearly full',
    advice:
      'The site works until the disk is full; then pages are still shown, but nothing can be saved, and users see an error. Please free up space, starting with old backups and logs, or use a larger disk. No restart is needed.',
  },
  'clock-off': {
    heading: 'The server’s clock is wrong',
    advice:
      'It differs from Stripe’s by minutes. As a result, Stripe webhooks are rejected, links in emails expire too early or too late, and events may show on the wrong day. Please turn on time synchronization (NTP) on the server. No restart is needed.',
  },
  'job-failing': {
    heading: 'A background job keeps failing',
    advice:
      'The site retries automatically. The log has a line “job failed” with the reason for each failure. If it continues, please show it to the person who runs the server.',
  },
  'storage-away': {
    heading: 'The picture storage is not responding',
    advice:
      'Pages keep showing the pictures they have, or placeholders, and retry automatically. Please check the status of the storage and whether its keys are still valid.',
  },
  'event-dates': {
    heading: 'An event’s date cannot be read',
    advice:
      'The events below are listed as past until their date is corrected, such as “December 12-14, 2026”. Change it with “npm run admin -- content export” and “import”.',
  },
}

const WINDOW_LABELS = new Map([
  [86_400_000, 'per day'],
  [7 * 86_400_000, 'per week'],
])

const alert = z.object({
  kind: z.string(),
  /** Ids and codes only. */
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  /** There are too many for one email each: this email reports the first of several. */
  isOfMany: z.boolean().optional(),
})
type RaisedAlert = z.infer<typeof alert>

/** Sent to the officers and the webmaster: what happened and what to do. */
function alertEmail(alarm: RaisedAlert, association: Association): Email {
  const { heading, advice } = SENTENCES[alarm.kind] ?? { heading: alarm.kind, advice: 'Please check the log.' }
  return renderEmail(
    {
      subject: `Website alert: ${heading}`,
      preview: advice,
      heading,
      blocks: [
        { kind: 'text', text: advice },
        {
          kind: 'details',
          details: Object.entries(alarm.details).map(([label, value]): [string, string] => [label, String(value)]),
        },
        { kind: 'note', text: frequencyNote(alarm) },
      ],
    },
    association,
  )
}

function frequencyNote({ kind, isOfMany = false }: RaisedAlert): string {
  if (isOfMany) {
    return `There were more than ${MAX_INDIVIDUAL_EMAILS_PER_DAY} alerts of this kind today, so this email shows only the first of those within 15 minutes. The log lists each, in a line with "alarm":"${kind}".`
  }
  if (hasIndividualEmail(kind)) return 'Each is reported in its own email, at most once per day.'
  return `At most one email of this kind is sent ${WINDOW_LABELS.get(alertWindowMs(kind)) ?? 'per 15 minutes'}.`
}

/** To the officers. */
export const sendAlert = defineEmail({
  kind: 'email.alert',
  name: 'Alert',
  isFixed: true,
  samples: (name, association) => ({
    alert: alertEmail({ kind: 'double-payment', details: { checkout: name } }, association),
    'alert of many': alertEmail({ kind: 'payment-disputed', details: { payment: name }, isOfMany: true }, association),
    'unknown alert': alertEmail({ kind: name, details: {} }, association),
  }),
  payload: alert,
  subject: null,
  priority: 'security',
  compose: async (raised, { config, association }: AppContext) => ({
    ...alertEmail(raised, await association()),
    to: config.officersEmail,
  }),
})
