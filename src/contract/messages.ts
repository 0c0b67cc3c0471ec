/** Sentences under a field, letter for letter from specification 5 and interface "Texts not given". */
export const messages = {
  email: {
    required: 'Email is required',
    invalid: 'Please enter a valid email address',
    same: 'This is your email address already.',
  },
  username: {
    required: 'Username is required',
    short: 'Username must be at least 3 characters',
    long: 'Username must be less than 30 characters',
    characters:
      'Username must contain only letters, numbers, hyphens, underscores, periods, and @ symbols, and must start with a letter or number',
    taken: 'This username is already taken. Please choose another.',
    foreignEmail: 'A username in the form of an email address must be your own email address.',
  },
  profileUsername: {
    short: 'Username must be at least 3 characters long',
    long: 'Username cannot exceed 30 characters',
  },
  firstName: { required: 'First name is required', long: 'First name cannot exceed 50 characters' },
  lastName: { required: 'Last name is required', long: 'Last name cannot exceed 50 characters' },
  name: { characters: 'Please use letters, spaces and common punctuation only.' },
  password: {
    required: 'Password is required',
    short: 'Password must be at least 6 characters',
    long: 'Password cannot exceed 128 characters',
    common: 'This password is too common. Please choose another.',
    personal: 'Please choose a password that is not your name, username or email address.',
    incorrect: 'Password is incorrect',
  },
  newPassword: {
    required: 'New password is required',
    short: 'Password must be at least 6 characters long',
  },
  changePassword: {
    current: { required: 'Current password is required', incorrect: 'Current password is incorrect' },
    short: 'New password must be at least 6 characters long',
    same: 'New password must be different from current password',
    mismatch: 'New passwords do not match',
  },
  confirmPassword: { required: 'Please confirm your password', mismatch: 'Passwords do not match' },
  agree: { required: 'You must agree to the terms and conditions' },
  contact: {
    name: 'Name is required',
    subject: 'Subject is required',
    message: {
      required: 'Message is required',
      short: 'Message must be at least 10 characters long',
      long: 'Message cannot exceed 5,000 characters',
    },
  },
  newsletter: { required: 'Please enter your email address' },
  sponsor: {
    name: 'Full name is required',
    company: 'Company/Organization name is required',
    message: { long: 'Message cannot exceed 2,000 characters' },
    amount: {
      required: 'Custom amount is required',
      invalid: 'Please enter a valid amount (minimum $1.00)',
      mismatch: 'This amount is not the price of the tier. Please choose the tier again.',
    },
    tier: 'Please choose a sponsorship tier.',
  },
  credentials: {
    npi: {
      required: 'NPI is required',
      invalid: 'Please enter the ten digits of your NPI. The last one is a check digit and does not fit.',
    },
    licenceState: {
      required: 'Licence state is required',
      invalid: 'Please enter the two letters of the state, such as GA.',
    },
  },
  levelKey: { required: 'Please choose a membership.' },
  login: { required: 'Please enter your email/username and password.' },
  code: { required: 'Please enter the 6-digit code from the email.', wrong: 'This code is not right or has expired.' },
  /** After the right password of an account that went into another one of the same person. */
  mergedAccount: (email: string) => `This account was merged with another one of yours. Please log in with ${email}.`,
  officer: {
    code: 'Please enter the 6 digits your authenticator app shows.',
    codeWrong: 'This code is not right. Wait for the next one in your app and enter that.',
    passwordShort: 'Officers need a password of at least 12 characters',
    unknown: 'Nobody has an account with this address. Ask the person to register first.',
  },
  link: { required: 'This link is incomplete. Please open the link in the email again.' },
  reset: { invalid: 'Invalid reset link. Please request a new password reset.' },
  payment: {
    missingSession: 'Missing session information. Please refresh the page.',
    missingNonce: 'This link is missing verification information. Please return to the checkout page and try again.',
  },
  rsvp: {
    guests: 'Please choose how many guests come with you',
    guestsFew: 'There are not so many seats left. Please choose fewer guests',
    meals: 'Please choose a meal for everybody',
    capacity: 'Please enter how many seats there are, or leave this empty',
    guestsMax: 'Please enter a number from 0 to 10',
    mealNames: 'Please give at most ten meals, each in a few words',
    closesOn: 'Please choose a day',
    creditHours: 'Please enter hours in quarters, such as 1.5',
  },
  text: { unreadable: 'Please use ordinary characters only.', number: 'Please use a whole number.' },
} as const
