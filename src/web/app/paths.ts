/** Every page of the site; URLs are written only here. */
export const paths = {
  home: () => '/',
  events: () => '/events',
  news: () => '/news',
  about: () => '/about',
  faqs: () => '/faqs',
  executiveCommittee: () => '/executive-committee',
  boardDirectors: () => '/board-directors',
  boardTrustees: () => '/board-trustees',
  committees: () => '/committees',
  pastPresidents: () => '/past-presidents',
  scholarshipsAwards: () => '/scholarships-awards',
  clinic: () => '/clinic',
  studentsResidents: () => '/students-residents',
  becomeAMember: () => '/become-a-member',
  /** The public listing; settings may add a second address, such as /find-a-member. */
  findAMember: () => '/find-a-member',
  sponsorUs: () => '/sponsor-us',
  sponsorSuccess: () => '/sponsor/success',
  sponsorCancel: () => '/sponsor/cancel',
  contact: () => '/contact',
  newsletter: () => '/newsletter',
  subscribe: () => '/newsletter/subscribe',
  unsubscribe: () => '/newsletter/unsubscribe',
  topicUnsubscribe: () => '/member-emails/unsubscribe',
  confirmNewsletter: () => '/newsletter/confirm',
  newsletterSuccess: () => '/newsletter/success',
  newsletterUnsubscribed: () => '/newsletter/unsubscribed',
  rsvp: () => '/rsvp',
  login: () => '/auth/login',
  setup: () => '/setup',
  /** The people of a demo to log in as; no other site has it. */
  demo: () => '/demo',
  account: () => '/auth/account',
  card: () => '/auth/account/card',
  /** What the QR code of a membership card leads to; the code is after a `#`, which no request contains. */
  scannedCard: () => '/card',
  /** Where the link of a roll call leads. */
  stillHere: () => '/still-here',
  console: () => '/console',
  confirmEmail: () => '/auth/confirm-email',
  stopEmailChange: () => '/auth/stop-email-change',
  resetPassword: () => '/reset-password',
  emailVerification: () => '/email-verification',
  stripeSuccess: () => '/stripe/success',
  stripeCancel: () => '/stripe/cancel',
  privacyPolicy: () => '/privacy-policy',
  termsConditions: () => '/terms-conditions',
}

/** Whether an address is the console or within it; an added page may be at '/console-help'. */
export function isInConsole(pathname: string): boolean {
  return pathname === paths.console() || pathname.startsWith(`${paths.console()}/`)
}

/** The contact form with a prefilled subject. */
export function contactWithSubject(
  subject: 'Sponsorship Inquiry' | 'Sponsorship Payment Verification' | 'Sponsorship Question' | `Committee: ${string}`,
): string {
  return `${paths.contact()}?${new URLSearchParams({ subject })}`
}

/** A page of the account below its first one, such as 'profile'. */
export const accountPath = (section: string) => `/auth/account/${section}`

/** Pages whose URL contains a content id. */
export const contentPaths = {
  addedPage: (address: string) => `/${address}`,
  event: (id: string) => `/events/${id}`,
  article: (id: string) => `/news/${id}`,
}

/** Calendars and feeds are not pages: link to them with a plain `<a>`. */
export const documentPaths = {
  eventsCalendar: () => '/events.ics',
  eventCalendar: (id: string) => `/events/${id}.ics`,
  newsFeed: () => '/news.rss',
  newsletterFeed: () => '/newsletter.rss',
}
