import type { BotCheckAction } from './limits.ts'

/**
 * Every failure of a whole request: its code, its HTTP status and its sentence, once.
 * 401 is kept for a missing or bad bearer and 403 for a deactivated account, since both log the browser out (docs/product-rules.md#when-a-session-ends); the exceptions are those of log-in,
 * of a checkout without proof (docs/product-rules.md#proof-before-a-session) and of a return link (docs/product-rules.md#return-from-payment), which are calls without a bearer.
 */
export const errors = {
  INVALID_INPUT: { status: 400, message: 'Please check the highlighted fields.' },
  BAD_JSON: { status: 400, message: 'The request could not be read. Please try again.' },
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not answer that method.' },
  TOO_LARGE: { status: 413, message: 'That is more than we can take at once. Please shorten it.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Please send JSON.' },
  TOO_SLOW: { status: 408, message: 'The request took too long to arrive. Please try again.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The address or headers of this request are too long.' },
  RATE_LIMITED: { status: 429, message: 'Too many attempts. Please wait a little and try again.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  UNAVAILABLE: { status: 503, message: 'We cannot answer right now. Please try again in a minute.' },

  AUTHENTICATION_REQUIRED: { status: 401, message: 'Authentication required' },
  SESSION_EXPIRED: { status: 401, message: 'Session expired. Please log in again.' },
  ACCOUNT_INACTIVE: { status: 403, message: 'Account is not active.' },
  INVALID_CREDENTIALS: { status: 401, message: 'Invalid email/username or password.' },
  REFRESH_TOO_EARLY: { status: 409, message: 'This session does not need refreshing yet.' },

  BOT_CHECK_FAILED: { status: 400, message: 'Security verification failed. Please refresh the page and try again.' },
  BOT_CHECK_UNAVAILABLE: {
    status: 503,
    message: 'Security verification failed. Please refresh the page and try again.',
  },

  USERNAME_TAKEN: { status: 409, message: 'This username is already taken. Please choose another.' },
  LINK_EXPIRED: { status: 410, message: 'This verification link has expired. Please request a new one.' },
  REGISTRATION_EXPIRED: { status: 410, message: 'Your registration has expired. Please register again.' },
  RESET_LINK_INVALID: { status: 400, message: 'Invalid reset link. Please request a new password reset.' },

  NOT_AN_OFFICER: { status: 403, message: 'This part of the site is for officers of the association.' },
  NOT_ALLOWED: { status: 403, message: 'Your role does not allow this. Ask the president if it should.' },
  SECOND_FACTOR_REQUIRED: { status: 403, message: 'Please confirm that it is you, with your passkey or a code.' },
  SECOND_FACTOR_AGAIN: { status: 403, message: 'To do this, please confirm again that it is you.' },
  // Not 403: a refusal within a view must not log anybody out (docs/product-rules.md#when-a-session-ends).
  VIEW_READ_ONLY: { status: 409, message: 'You see the site as a member does. Nothing can be changed here.' },
  VIEW_HIDES: {
    status: 409,
    message: 'This is not shown while you see the site as a member: it is theirs alone, or your role does not open it.',
  },
  VIEW_OVER: { status: 401, message: 'This view is over. Open it again from the member’s page in the console.' },
  VIEW_OF_OFFICER: {
    status: 409,
    message: 'This person holds a role in this console. The site is never shown as an officer sees it.',
  },
  SECOND_FACTOR_EXISTS: {
    status: 409,
    message: 'This account has a passkey or an authenticator app already. Open the console with it first.',
  },
  PASSKEY_REFUSED: {
    status: 400,
    message: 'This passkey was not accepted. Try once more, or use another way.',
  },
  PASSKEY_TOO_LATE: { status: 410, message: 'That took too long, or was answered before. Please try again.' },
  PASSKEY_OUT_OF_TURN: {
    status: 409,
    message:
      'This passkey answered as a copy of it would, so it was not accepted and the officers were told. Use another way, and remove this passkey.',
  },
  PASSKEY_KNOWN: { status: 409, message: 'This passkey is on your list already.' },
  PASSKEYS_FULL: { status: 409, message: 'You have ten passkeys. Remove one that you no longer use first.' },
  LAST_FACTOR: {
    status: 409,
    message:
      'Nothing else would open the console for you. Add another passkey, or set up an authenticator app, before you remove this.',
  },
  PASSWORD_TOO_SHORT: {
    status: 409,
    message:
      'Officers sign in with a password of at least 12 characters. Please change yours on the account page first.',
  },
  CHANGED_MEANWHILE: {
    status: 409,
    message: 'Somebody else changed this meanwhile. Look at what it says now, then save again to replace it.',
  },
  LAST_PRESIDENT: {
    status: 409,
    message: 'Somebody must be able to manage the officers. Give another person the role of president first.',
  },

  ROLL_OVER_BLOCKED: {
    status: 409,
    message: 'The year cannot be moved on yet. The overview says what stands in the way.',
  },
  ROLL_OVER_CHANGED: {
    status: 409,
    message: 'This can no longer be undone as a whole. Each record can still be brought back from its own versions.',
  },

  MESSAGE_IS_SPAM: {
    status: 409,
    message: 'This message is marked as spam, which is never answered. Put it back on the list first.',
  },

  EVENT_AWAITED: {
    status: 409,
    message:
      'People have said that they are coming to this event. Write to them, take each off under RSVPs first, and return the money of those who paid; then it can be deleted.',
  },
  PICTURES_BUSY: {
    status: 503,
    message: 'Many pictures are being prepared right now. This one was not stored: please try again in a minute.',
  },
  PICTURE_IN_USE: { status: 409, message: 'This picture is in use. Put another in its place first.' },
  NEWSLETTER_FIXED: {
    status: 409,
    message: 'This newsletter was sent or is about to be, so it can no longer be changed.',
  },
  NOBODY_SUBSCRIBED: { status: 409, message: 'Nobody is subscribed, so there is nobody to send it to.' },
  SUPPRESSED: {
    status: 409,
    message:
      'This address asked not to be written to, or letters to it came back. Only its owner can subscribe again, on the website.',
  },
  IS_AN_OFFICER: {
    status: 409,
    message: 'This person holds a role in this console. End the role first, on the page of the officers.',
  },
  OWN_ACCOUNT: { status: 409, message: 'Ask another officer to do this for your own account.' },
  OFFICER_ACCOUNT: {
    status: 409,
    message:
      'This person holds a role in this console. Only somebody who manages the officers, such as the president, can do this.',
  },
  ENDING_UNDER_WAY: { status: 409, message: 'This account is being ended already. Look again in a minute or two.' },
  APPROVAL_WAITING: {
    status: 409,
    message: 'This was asked for already and waits for a second officer. It is listed on the page of the requests.',
  },
  APPROVAL_OWN: {
    status: 409,
    message: 'You asked for this yourself, or it is about your own account. Another officer has to approve it.',
  },
  APPROVAL_CLOSED: { status: 409, message: 'This request was decided or withdrawn already, or it has expired.' },
  APPROVAL_STALE: {
    status: 409,
    message:
      'The officer who asked for this no longer holds a role that allows it. Decline it; another officer can ask again.',
  },
  NO_SECOND_OFFICER: {
    status: 409,
    message:
      'This person holds a role, so a second officer who may manage the officers has to approve it, and there is nobody else who can. Give another person the role of president, or ask the webmaster.',
  },
  NPI_UNLIKELY: {
    status: 409,
    message: 'This NPI cannot be right: its check digit does not fit. Ask the member, or withdraw the approval.',
  },
  MERGE_REFUSED: { status: 409, message: 'These two accounts cannot be merged as they are.' },
  UNDO_REFUSED: { status: 409, message: 'This merge can no longer be undone.' },
  IS_MERGED: {
    status: 409,
    message:
      'This account was merged with another one of the same person. Undo that on its page, as long as it can be.',
  },
  RENEWS_BY_CARD: {
    status: 409,
    message:
      'This membership is paid by card and renews automatically. Stop the renewal first; then its end can be moved.',
  },
  ACCOUNT_CLOSED: { status: 409, message: 'This account is closed. Enable it first.' },
  PROVIDER_AWAY: {
    status: 502,
    message: 'Our card provider does not answer right now. Please try again in a few minutes.',
  },
  NOT_REFUNDABLE: { status: 409, message: 'This payment cannot be refunded here.' },
  NOT_BY_HAND: { status: 409, message: 'A card paid this, so there is no record to cancel. Refund it instead.' },
  PROVIDER_FAILED: {
    status: 502,
    message: 'Our card provider did not carry it out. Look at the page again in a minute before you try once more.',
  },

  LAST_LEVEL: {
    status: 409,
    message: 'This is the only level on sale. Put another on sale first, so that people can join.',
  },
  PRICE_CHANGE_PLANNED: {
    status: 409,
    message: 'Another price is planned for this level already. Take that one back first, or wait for its day.',
  },
  PRICE_CHANGE_BEGUN: {
    status: 409,
    message: 'Members were moved to this price already. Once its day has come, change the price again.',
  },

  PROFILE_CHANGED: {
    status: 409,
    message:
      'Your profile was changed somewhere else meanwhile. Look at what it says now, then save again to replace it.',
  },
  EMAIL_LINK_INVALID: {
    status: 410,
    message: 'This link no longer works. Please ask for the change of your email address again.',
  },
  EMAIL_STOP_INVALID: {
    status: 410,
    message:
      'This link no longer works: the change was stopped, confirmed or withdrawn already, or is too long ago. If your account was moved without you, write to us at once.',
  },
  DELETION_UNDER_WAY: { status: 409, message: 'Your account is being deleted already. This takes a minute or two.' },
  DELETION_FAILED: {
    status: 502,
    message: 'We could not end your membership with our card provider, so your account was kept. Please try again.',
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
  CHECKOUT_FAILED: { status: 502, message: 'Checkout failed' },
  FORM_TOKEN_INVALID: { status: 400, message: 'This form was open too long. Please close it and open it again' },
  PORTAL_FAILED: { status: 502, message: 'Failed to open billing portal' },
  PAYMENT_LINK_INVALID: {
    status: 403,
    message: 'This link is invalid or expired. Please return to the checkout page and try again.',
  },
  PAYMENT_CHECK_FAILED: { status: 502, message: 'Failed to verify payment. Please contact support.' },
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
  RSVP_MAILBOX_FULL: {
    status: 409,
    message:
      'This mailbox has seats at this event already, under another spelling of its address. Change that RSVP instead.',
  },
  RSVP_CLOSED: {
    status: 409,
    message: 'RSVPs for this event are closed. Please write to us if you would like to come.',
  },
  RSVP_IS_PAID: {
    status: 409,
    message:
      'This party has paid. The treasurer or the president gives the money back on the page of the payments; that can take it off the list as well.',
  },
  RSVP_LINK_INVALID: {
    status: 410,
    message: 'This link does not match any RSVP. Please open the link in the newest letter about the event.',
  },
  EVENT_IS_OVER: { status: 409, message: 'This event is over and can no longer be called off.' },
  EVENT_IS_PAID: {
    status: 409,
    message:
      'Guests have paid for this event. Only the president can call it off, since all of their money goes back with it.',
  },
  EVENT_NOT_OVER: { status: 409, message: 'This event is not over yet. Certificates go out after it.' },
  WEBHOOK_REFUSED: { status: 400, message: 'The signature does not match.' },
} as const satisfies Record<string, { status: number; message: string }>

const REFRESH_AND_RETRY = errors.BOT_CHECK_FAILED.message
const RETRY = 'reCAPTCHA verification failed. Please try again.'

/** The sentence of each form when its bot check fails or cannot be made. */
export const botCheckSentences: Record<BotCheckAction, string> = {
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

/** The body of every answer that is not a success. */
export interface ErrorBody {
  message: string
  code: ErrorCode
  /** Sentences by field name, for INVALID_INPUT and USERNAME_TAKEN; of a field within a field as `name.first`. */
  errors?: Record<string, string>
  /** Seconds; with RATE_LIMITED. */
  retryAfter?: number
  limit?: number
  window?: number
  /** Only where the endpoint `reportsSuccess`. */
  success?: false
  error?: string
}
