/** Effect priorities; smaller numbers run first. */
export const PRIORITIES = {
  /** Blocks a login, reports a security event of an account, or alerts the officers. */
  security: 0,
  /** Follows from one person's action: receipts, seats, replies, and the provider calls behind them. */
  personal: 1,
  /** Triggered by a date. */
  reminder: 2,
  /** One of many, such as an import or a mailing to all members. */
  bulk: 3,
} as const

export type Priority = (typeof PRIORITIES)[keyof typeof PRIORITIES]
type Level = keyof typeof PRIORITIES
type Payload = Readonly<Record<string, unknown>>

/** The priority of every effect kind; queuing a missing kind is a compile error. */
const LEVELS = {
  'email.verification': 'security',
  'email.already_registered': 'security',
  'email.password_reset': 'security',
  'email.password_changed': 'security',
  'email.email_change': 'security',
  'email.email_changed': 'security',
  'email.factor_changed': 'security',
  'email.role_given': 'security',
  'email.email_change_announced': 'security',
  'email.email_change_stopped': 'security',
  'email.accounts_merged': 'security',
  'email.accounts_separated': 'security',
  'email.account_deleted': 'security',
  'email.deletion_failed': 'security',
  'email.ending_failed': 'security',
  'email.alert': 'security',
  'auth.forgot_password': 'security',
  'auth.resend_verification': 'security',

  'email.welcome': 'personal',
  'email.approval_wanted': 'personal',
  'email.approval_decided': 'personal',
  'email.receipt': 'personal',
  'email.receipt_canceled': 'personal',
  'email.refund': 'personal',
  'email.credentials': 'personal',
  // Confirmations go to one person; reminders and certificates go to every attendee.
  'email.rsvp': ({ about }) => (about === 'reminder' || about === 'certificate' ? 'reminder' : 'personal'),
  'email.rsvp_receipt': 'personal',
  'email.rsvp_refund': 'personal',
  'email.rsvp_refund_failed': 'personal',
  'email.sponsor_thanks': 'personal',
  'email.sponsor_paid': 'personal',
  'email.contact_message': 'personal',
  'email.contact_received': 'personal',
  'email.message_reply': 'personal',
  'email.newsletter_confirmation': 'personal',
  'email.newsletter_unsubscribed': 'personal',
  'email.newsletter_test': 'personal',
  'email.mailing_finished': 'personal',
  'account.finish_deletion': 'personal',
  'account.stop_subscription': 'personal',
  'account.update_provider': 'personal',
  'newsletter.asked': 'personal',
  'newsletter.left': 'personal',
  'payment.end_coupon': 'personal',
  'payment.end_subscription': 'personal',
  'payment.ensure_price': 'personal',
  'payment.expire_checkout': 'personal',
  'payment.refund': 'personal',
  'payment.make_coupon': 'personal',
  'payment.rename_level': 'personal',
  'payment.rsvp_refund': 'personal',
  'payment.stop_renewal': 'personal',
  'payment.sync_subscription': 'personal',
  'stripe.checkout': 'personal',
  'stripe.payment': 'personal',
  'stripe.subscription': 'personal',

  'email.membership_reminder': 'reminder',
  'email.credentials_question': 'reminder',

  'email.invitation': 'bulk',
  'members.import': 'bulk',
  'members.import_undo': 'bulk',
  'payment.move_price': 'bulk',
} as const satisfies Record<string, Level | ((payload: Payload) => Level)>

export type EffectKind = keyof typeof LEVELS

export const EFFECT_KINDS = Object.keys(LEVELS) as EffectKind[]

export function priorityOf(kind: EffectKind, payload: Payload): Priority {
  // A row written by another release may have a kind unknown to this one.
  const level: Level | ((payload: Payload) => Level) = LEVELS[kind] ?? 'personal'
  return PRIORITIES[typeof level === 'function' ? level(payload) : level]
}

/** Emails depend on the mail server, other effects mostly on the card provider; separate lanes keep one from blocking the other. */
export type Lane = 'emails' | 'rest'

export function laneOf(kind: string): Lane {
  return kind.startsWith('email.') ? 'emails' : 'rest'
}
