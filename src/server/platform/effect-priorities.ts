/** How urgent an effect is; a smaller number runs first. */
export const PRIORITIES = {
  /** Somebody waits for it to log in, or must hear at once what happened to an account; and alarms. */
  security: 0,
  /** Follows from what one person just did: receipts, seats, answers, and the calls behind them. */
  personal: 1,
  /** Sent because a day has come. */
  reminder: 2,
  /** One for each of many people. */
  bulk: 3,
} as const

export type Priority = (typeof PRIORITIES)[keyof typeof PRIORITIES]
type Level = keyof typeof PRIORITIES
type Payload = Readonly<Record<string, unknown>>

/** Every kind of effect with its priority. A kind that is missing here cannot be queued: the compiler says so. */
const LEVELS = {
  'letter.verification': 'security',
  'letter.already_registered': 'security',
  'letter.password_reset': 'security',
  'letter.password_changed': 'security',
  'letter.email_change': 'security',
  'letter.email_changed': 'security',
  'letter.factor_changed': 'security',
  'letter.role_given': 'security',
  'letter.email_change_announced': 'security',
  'letter.email_change_stopped': 'security',
  'letter.accounts_merged': 'security',
  'letter.accounts_separated': 'security',
  'letter.account_deleted': 'security',
  'letter.deletion_failed': 'security',
  'letter.ending_failed': 'security',
  'letter.alarm': 'security',
  'auth.forgot_password': 'security',
  'auth.resend_verification': 'security',

  'letter.welcome': 'personal',
  'letter.approval_wanted': 'personal',
  'letter.approval_decided': 'personal',
  'letter.receipt': 'personal',
  'letter.receipt_canceled': 'personal',
  'letter.given_back': 'personal',
  'letter.credentials': 'personal',
  // One email about a seat, but a reminder or a certificate for everybody who comes.
  'letter.rsvp': ({ about }) => (about === 'reminder' || about === 'certificate' ? 'reminder' : 'personal'),
  'letter.rsvp_receipt': 'personal',
  'letter.rsvp_refund': 'personal',
  'letter.rsvp_refund_failed': 'personal',
  'letter.sponsor_thanks': 'personal',
  'letter.sponsor_paid': 'personal',
  'letter.contact_message': 'personal',
  'letter.contact_received': 'personal',
  'letter.message_answer': 'personal',
  'letter.newsletter_asked': 'personal',
  'letter.newsletter_left': 'personal',
  'letter.newsletter_test': 'personal',
  'letter.mailing_finished': 'personal',
  'account.finish_deletion': 'personal',
  'account.stop_subscription': 'personal',
  'account.tell_provider': 'personal',
  'newsletter.asked': 'personal',
  'newsletter.left': 'personal',
  'payment.end_coupon': 'personal',
  'payment.end_subscription': 'personal',
  'payment.ensure_price': 'personal',
  'payment.expire_checkout': 'personal',
  'payment.give_back': 'personal',
  'payment.make_coupon': 'personal',
  'payment.rename_level': 'personal',
  'payment.rsvp_refund': 'personal',
  'payment.stop_renewal': 'personal',
  'payment.sync_subscription': 'personal',
  'stripe.checkout': 'personal',
  'stripe.payment': 'personal',
  'stripe.subscription': 'personal',

  'letter.membership_notice': 'reminder',
  'letter.credentials_question': 'reminder',

  'letter.invitation': 'bulk',
  'members.import': 'bulk',
  'members.import_undo': 'bulk',
  'payment.move_price': 'bulk',
} as const satisfies Record<string, Level | ((payload: Payload) => Level)>

export type EffectKind = keyof typeof LEVELS

export const EFFECT_KINDS = Object.keys(LEVELS) as EffectKind[]

export function priorityOf(kind: EffectKind, payload: Payload): Priority {
  // A row of another release may be of a kind that this one does not know.
  const level: Level | ((payload: Payload) => Level) = LEVELS[kind] ?? 'personal'
  return PRIORITIES[typeof level === 'function' ? level(payload) : level]
}

/** Emails wait for a mail server, the rest mostly for the card provider: neither lane holds the other up. */
export type Lane = 'letters' | 'rest'

export function laneOf(kind: string): Lane {
  return kind.startsWith('letter.') ? 'letters' : 'rest'
}
