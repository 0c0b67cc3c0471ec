/** Errors of setting up a new site, and of a site that is not open yet. */
export const setupErrors = {
  SETUP_CODE_WRONG: {
    status: 404,
    message: 'This set-up code is wrong, was already used or has expired. The webmaster can make a new one.',
  },
  SETUP_HAS_OFFICER: { status: 409, message: 'The first officer exists already. Log in to continue in the console.' },
  SETUP_STEP_EARLY: { status: 409, message: 'This step cannot be confirmed yet. Finish what it asks for first.' },
  SETUP_UNFINISHED: { status: 409, message: 'The site cannot open yet. The list shows which steps are left.' },
  NOT_OPEN_YET: { status: 503, message: 'This site is being set up and is not open yet.' },
  PROVIDER_IN_ENVIRONMENT: {
    status: 409,
    message: 'The webmaster set this on the server, so it cannot be changed here.',
  },
  MAIL_SERVER_REFUSED: {
    status: 409,
    message: 'The mail server did not accept this. Check its name, the port, the user and the password.',
  },
  CARD_PROVIDER_REFUSED: {
    status: 409,
    message: 'Stripe did not accept this, or cannot be reached. Check the keys and try again.',
  },
  BOT_CHECK_REFUSED: {
    status: 409,
    message: 'Google did not accept the secret key, or cannot be reached. Check the keys and try again.',
  },
} as const
