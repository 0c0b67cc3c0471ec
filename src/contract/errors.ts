import { visitorErrors } from './visitor-errors.ts'
import { demoErrors } from './demo/demo-errors.ts'
import { setupErrors } from './setup/setup-errors.ts'
import { directoryErrors } from './public/my-account/directory-errors.ts'
import { rollErrors } from './console/people/roll-errors.ts'
import type { BotCheckAction } from './limits.ts'

/**
 * Every request error: its code, HTTP status and message. 401 means a missing or invalid bearer token and 403 a deactivated account, since both log
 * the browser out (docs/product-rules.md#when-a-session-ends). Exceptions are login, a checkout without proof
 * (docs/product-rules.md#proof-before-a-session) and a return link (docs/product-rules.md#return-from-payment), which are requests without a bearer
 * token.
 */
export const errors = {
  INVALID_INPUT: { status: 400, message: 'Please check the highlighted fields.' },
  BAD_JSON: { status: 400, message: 'The request could not be read. Please try again.' },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not support that method.' },
  TOO_LARGE: { status: 413, message: 'This is too large. Please shorten it.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Please send JSON.' },
  TOO_SLOW: { status: 408, message: 'The request took too long to arrive. Please try again.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The address or headers of this request are too long.' },
  RATE_LIMITED: { status: 429, message: 'Too many attempts. Please wait a little and try again.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  UNAVAILABLE: { status: 503, message: 'The site is temporarily unavailable. Please try again in a minute.' },

  INVALID_CREDENTIALS: { status: 401, message: 'Invalid email/username or password.' },
  REFRESH_TOO_EARLY: { status: 409, message: 'This session does not need refreshing yet.' },

  BOT_CHECK_UNAVAILABLE: {
    status: 503,
    message: 'Security verification failed. Please refresh the page and try again.',
  },

  USERNAME_TAKEN: { status: 409, message: 'This username is already taken. Please choose another.' },
  RESET_LINK_INVALID: { status: 400, message: 'Invalid reset link. Please request a new password reset.' },

  NOT_AN_OFFICER: { status: 403, message: 'This part of the site is for officers of the association.' },
  NOT_ALLOWED: { status: 403, message: 'Your role does not allow this. Ask the president if it should.' },
  SECOND_FACTOR_REQUIRED: { status: 403, message: 'Please confirm your identity with your passkey or a code.' },
  SECOND_FACTOR_AGAIN: { status: 403, message: 'Please confirm your identity again to do this.' },
  // Not 403: a rejection within a view must not log anyone out (docs/product-rules.md#when-a-session-ends).
  VIEW_READ_ONLY: { status: 409, message: 'You are viewing the site as a member. Nothing can be changed here.' },
  VIEW_HIDES: {
    status: 409,
    message: 'This is hidden while you view the site as a member: it is private, or your role does not allow it.',
  },
  VIEW_OVER: { status: 401, message: 'This view has ended. Open it again from the member’s page in the console.' },
  VIEW_OF_OFFICER: {
    status: 409,
    message: 'This person holds a role in this console. You cannot view the site as an officer.',
  },
  SECOND_FACTOR_EXISTS: {
    status: 409,
    message: 'This account already has a passkey or an authenticator app. Open the console with it first.',
  },
  PASSKEY_REFUSED: {
    status: 400,
    message: 'This passkey was not accepted. Try again, or use another method.',
  },
  PASSKEY_TOO_LATE: { status: 410, message: 'That took too long or was already used. Please try again.' },
  PASSKEY_OUT_OF_TURN: {
    status: 409,
    message:
      'This passkey may have been copied, so it was not accepted, and the officers were notified. Use another method, and remove this passkey.',
  },
  PASSKEY_KNOWN: { status: 409, message: 'This passkey is already on your list.' },
  PASSKEYS_FULL: { status: 409, message: 'You have ten passkeys. First remove one that you no longer use.' },
  LAST_FACTOR: {
    status: 409,
    message:
      'This is your only way to open the console. Add another passkey or set up an authenticator app before you remove it.',
  },
  PASSWORD_TOO_SHORT: {
    status: 409,
    message: 'Officers need a password of at least 12 characters. Please change yours on the account page first.',
  },
  CHANGED_MEANWHILE: {
    status: 409,
    message: 'Someone else changed this in the meantime. Check the current version, then save again to replace it.',
  },
  VIEWS_FULL: { status: 409, message: 'There are 20 saved views already. Delete one that is no longer needed first.' },
  LAST_PRESIDENT: {
    status: 409,
    message: 'At least one officer must be able to manage roles. Make someone else president first.',
  },

  ...visitorErrors,
  ...setupErrors,
  ...demoErrors,

  ROLL_OVER_BLOCKED: {
    status: 409,
    message: 'The new term cannot start yet. The overview lists what has to be fixed first.',
  },
  ROLL_OVER_CHANGED: {
    status: 409,
    message: 'This can no longer be undone as a whole. Each record can still be restored from its own versions.',
  },

  MESSAGE_IS_SPAM: {
    status: 409,
    message: 'This message is marked as spam and cannot be answered. Mark it as not spam first.',
  },

  EVENT_AWAITED: {
    status: 409,
    message:
      'This event has guests. Contact them, remove each one under RSVPs, and refund those who paid; then you can delete it.',
  },
  PICTURES_BUSY: {
    status: 503,
    message: 'Many images are being processed right now. This one was not saved. Please try again in a minute.',
  },
  PICTURE_IN_USE: { status: 409, message: 'This image is in use. Replace it with another one first.' },
  DOCUMENT_IN_USE: { status: 409, message: 'This document is in use. Remove the links to it first.' },
  NEWSLETTER_FIXED: {
    status: 409,
    message: 'This newsletter was sent or is about to be, so it can no longer be changed.',
  },
  NOBODY_SUBSCRIBED: { status: 409, message: 'There are no subscribers to send this to.' },
  NO_RECIPIENTS: { status: 409, message: 'No one on this list can be reached by email or by post.' },
  NOTICE_OUTSIDE_WINDOW: {
    status: 409,
    message: 'This is outside the time for a notice of the meeting. Choose another day, or write the reason down.',
  },
  NOTHING_TO_POST: { status: 409, message: 'There is nothing to post.' },
  STILL_SENDING: { status: 409, message: 'It is still being sent. Seal the proof when it is finished.' },
  SUPPRESSED: {
    status: 409,
    message: 'This address unsubscribed, or email to it bounced. Only its owner can subscribe again, on the website.',
  },
  IS_AN_OFFICER: {
    status: 409,
    message: 'This person holds a role in this console. Remove the role first, on the officers page.',
  },
  OWN_ACCOUNT: { status: 409, message: 'Ask another officer to do this for your own account.' },
  OFFICER_ACCOUNT: {
    status: 409,
    message:
      'This person holds a role in this console. Only an officer who manages roles, such as the president, can do this.',
  },
  ...rollErrors,
  ENDING_UNDER_WAY: { status: 409, message: 'This account is already being ended. Check again in a minute or two.' },
  APPROVAL_WAITING: {
    status: 409,
    message: 'This was already requested and is waiting for a second officer. See the requests page.',
  },
  APPROVAL_OWN: {
    status: 409,
    message: 'You requested this yourself, or it concerns your own account. Another officer has to approve it.',
  },
  APPROVAL_CLOSED: { status: 409, message: 'This request has already been decided or withdrawn, or it has expired.' },
  APPROVAL_STALE: {
    status: 409,
    message:
      'The officer who requested this no longer holds a role that allows it. Decline it; another officer can request it again.',
  },
  NO_SECOND_OFFICER: {
    status: 409,
    message:
      'This person holds a role, so a second officer who manages roles has to approve this, and there is none. Make someone else president, or ask the webmaster.',
  },
  NPI_UNLIKELY: {
    status: 409,
    message: 'This NPI is not valid: its check digit is wrong. Ask the member, or revoke the approval.',
  },
  MERGE_REFUSED: { status: 409, message: 'These two accounts cannot be merged as they are.' },
  UNDO_REFUSED: { status: 409, message: 'This merge can no longer be undone.' },
  IS_MERGED: {
    status: 409,
    message:
      'This account was merged with another account of the same person. Undo the merge on its page first, if that is still possible.',
  },
  RENEWS_BY_CARD: {
    status: 409,
    message: 'This membership renews automatically by card. Stop the renewal first; then you can change its end.',
  },
  ACCOUNT_CLOSED: { status: 409, message: 'This account is disabled. Enable it first.' },
  PROVIDER_AWAY: {
    status: 502,
    message: 'Our card provider is not responding. Please try again in a few minutes.',
  },
  NOT_REFUNDABLE: { status: 409, message: 'This payment cannot be refunded here.' },
  NOT_BY_HAND: { status: 409, message: 'This was paid by card, so there is no record to cancel. Refund it instead.' },
  PROVIDER_FAILED: {
    status: 502,
    message: 'Our card provider did not complete this. Check this page again in a minute before you retry.',
  },

  LAST_LEVEL: {
    status: 409,
    message: 'This is the only level on sale. Put another on sale first, so that people can join.',
  },
  PRICE_CHANGE_PLANNED: {
    status: 409,
    message: 'Another price change is already planned for this level. Withdraw it first, or wait for its start date.',
  },
  PRICE_CHANGE_BEGUN: {
    status: 409,
    message: 'Members have already been moved to this price. Change the price again after its start date.',
  },

  // Unlike other 403s, it does not log out: the account stays usable.
  ACTIVE_MEMBERSHIP_REQUIRED: {
    status: 403,
    message: 'The directory is for members with an active membership.',
  },
  ...directoryErrors,
  PROFILE_CHANGED: {
    status: 409,
    message:
      'Your profile was changed elsewhere in the meantime. Check the current version, then save again to replace it.',
  },
  EMAIL_LINK_INVALID: {
    status: 410,
    message: 'This link no longer works. Please request the change of your email address again.',
  },
  EMAIL_STOP_INVALID: {
    status: 410,
    message:
      'This link no longer works: the change was already stopped, confirmed or withdrawn, or the link has expired. If your address was changed without your consent, contact us immediately.',
  },
  DELETION_UNDER_WAY: { status: 409, message: 'Your account is already being deleted. This takes a minute or two.' },
  DELETION_FAILED: {
    status: 502,
    message:
      'We could not cancel your membership with our card provider, so your account was not deleted. Please try again.',
  },

  PLAN_NOT_FOUND: { status: 404, message: 'Plan not found' },
  VERIFICATION_REQUIRED: { status: 403, message: 'Please verify your email address before paying.' },
  LIFETIME_MEMBERSHIP: { status: 409, message: 'You have a lifetime membership. There is nothing to change or renew.' },
  SUBSCRIPTION_EXISTS: {
    status: 409,
    message: 'You already have a membership that renews. Use Manage Subscription/Billing to change it.',
  },
  ALREADY_A_MEMBER: { status: 409, message: 'You are already a member. Please log in.' },
  NO_MEMBERSHIP: { status: 409, message: 'There is no membership to manage yet. Please choose one first.' },
  RECEIPT_NOT_FOUND: { status: 404, message: 'There is no receipt with this number.' },
  REGISTRY_UNAVAILABLE: {
    status: 502,
    message: 'The registry did not answer. Try again in a minute, or open the registry with the link.',
  },
  CHECKOUT_FAILED: { status: 502, message: 'Checkout failed' },
  FORM_TOKEN_INVALID: { status: 400, message: 'This form was open too long. Please close it and open it again' },
  PORTAL_FAILED: { status: 502, message: 'Failed to open billing portal' },
  NEWSLETTER_LINK_EXPIRED: {
    status: 410,
    message: 'This link has expired. Please subscribe again.',
  },
  NEWSLETTER_LINK_INVALID: {
    status: 410,
    message: 'This link does not match any subscription. Please type your address instead.',
  },
  RSVP_FULL: {
    status: 409,
    message: 'There are not that many seats left. Choose fewer guests, or join the waitlist.',
  },
  RSVP_EXISTS: { status: 409, message: 'This address already has an RSVP for this event.' },
  NO_GUESTS: { status: 409, message: 'No one with an email address would get this message.' },
  RSVP_MAILBOX_FULL: {
    status: 409,
    message:
      'This mailbox already has seats at this event under another spelling of its address. Change that RSVP instead.',
  },
  RSVP_CLOSED: {
    status: 409,
    message: 'RSVPs for this event are closed. Please contact us if you would like to come.',
  },
  RSVP_IS_PAID: {
    status: 409,
    message:
      'This party has paid. The treasurer or the president can refund it on the payments page and remove it from the list there.',
  },
  RSVP_LINK_INVALID: {
    status: 410,
    message: 'This link does not match any RSVP. Please open the link in the latest email about the event.',
  },
  EVENT_IS_OVER: { status: 409, message: 'This event is over and can no longer be canceled.' },
  EVENT_IS_PAID: {
    status: 409,
    message: 'Guests have paid for this event. Only the president can cancel it, since that refunds all payments.',
  },
  EVENT_NOT_OVER: { status: 409, message: 'This event is not over yet. Certificates can be sent after it ends.' },
  WEBHOOK_REFUSED: { status: 400, message: 'The signature does not match.' },
} as const satisfies Record<string, { status: number; message: string }>

const REFRESH_AND_RETRY = errors.BOT_CHECK_FAILED.message
const RETRY = 'reCAPTCHA verification failed. Please try again.'

/** The message of each form when its bot check fails or is unavailable. */
export const botCheckMessages: Record<BotCheckAction, string> = {
  registration: REFRESH_AND_RETRY,
  contact_form: REFRESH_AND_RETRY,
  sponsor_checkout: REFRESH_AND_RETRY,
  event_rsvp: REFRESH_AND_RETRY,
  newsletter_subscribe: 'Security verification failed. Please try again.',
  login: RETRY,
  password_reset: RETRY,
  resend_verification: RETRY,
}

export type ErrorCode = keyof typeof errors

/** The body of every error response. */
export interface ErrorBody {
  message: string
  code: ErrorCode
  /** Messages by field name, for INVALID_INPUT and USERNAME_TAKEN; nested as `name.first`. */
  errors?: Record<string, string>
  /** Seconds; with RATE_LIMITED. */
  retryAfter?: number
  limit?: number
  window?: number
  /** Only if the endpoint sets `reportsSuccess`. */
  success?: false
  error?: string
}
