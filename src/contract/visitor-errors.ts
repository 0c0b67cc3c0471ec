/** Errors whose sentences pages for visitors and members show by themselves: apart from the others, so that such a page does not bring all of them. */
export const visitorErrors = {
  AUTHENTICATION_REQUIRED: { status: 401, message: 'Authentication required' },
  SESSION_EXPIRED: { status: 401, message: 'Session expired. Please log in again.' },
  ACCOUNT_INACTIVE: { status: 403, message: 'Account is not active.' },
  BOT_CHECK_FAILED: { status: 400, message: 'Security verification failed. Please refresh the page and try again.' },
  LINK_EXPIRED: { status: 410, message: 'This verification link has expired. Please request a new one.' },
  REGISTRATION_EXPIRED: { status: 410, message: 'Your registration has expired. Please register again.' },
  PAYMENT_LINK_INVALID: {
    status: 403,
    message: 'This link is invalid or expired. Please return to the checkout page and try again.',
  },
  PAYMENT_CHECK_FAILED: { status: 502, message: 'Failed to verify payment. Please contact support.' },
} as const
