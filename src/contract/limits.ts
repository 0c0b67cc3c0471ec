import { sessionLimits } from './session-limits.ts'

/** Limits shared by browser and server. */
export const limits = {
  username: { min: 3, max: 30 },
  personName: { max: 50 },
  password: { min: 6, max: 128 },
  email: { max: 254 },
  contact: { nameMax: 100, subjectMax: 200, message: { min: 10, max: 5_000 }, bannerMs: 5_000 },
  directory: {
    queryMax: 100,
    filterMax: 200,
    peopleAPage: 20,
    /** Further people are found by a narrower search. */
    pagesMax: 5,
    subjectMax: 100,
    message: { min: 10, max: 2_000 },
    messageDays: 30,
    plantedMax: 5,
    /** Characters of a copy that officers check, so that the request stays small. */
    copyMax: 20_000,
  },
  codeDigits: 6,
  botCheckThreshold: 0.5,
  session: sessionLimits,
  checkoutAutoStartMs: 1_200,
  payment: { pollAttempts: 45, pollIntervalMs: 2_000 },
  levels: { retries: 2, retryDelayMs: 1_000 },
  profileCheck: { retries: 2, retryDelayMs: 1_000 },
  refreshSpinnerMs: 1_000,
  /** Page size of the archive. */
  campaignsAPage: 10,
  profileSaved: { shownMs: 5_000, fadeMs: 300 },
} as const

/** The actions of bot-check tokens, including that of the sponsor form. */
/** The site key, and every token, of a site that is being set up and has no bot check yet. */
export const WITHOUT_BOT_CHECK = 'none'

export type BotCheckAction =
  | 'registration'
  | 'login'
  | 'resend_verification'
  | 'password_reset'
  | 'contact_form'
  | 'newsletter_subscribe'
  | 'sponsor_checkout'
  | 'event_rsvp'
