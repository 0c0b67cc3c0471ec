import { paths } from './paths.ts'

/** Pages for one person, or for one moment: search engines should leave them alone. */
const HIDDEN: readonly string[] = [
  paths.confirmNewsletter(),
  paths.newsletterSuccess(),
  paths.newsletterUnsubscribed(),
  paths.rsvp(),
  paths.login(),
  paths.account(),
  paths.console(),
  paths.confirmEmail(),
  paths.stopEmailChange(),
  paths.emailVerification(),
  paths.resetPassword(),
  paths.stripeSuccess(),
  paths.stripeCancel(),
  paths.sponsorSuccess(),
  paths.sponsorCancel(),
]

/** Whether search engines may keep a page of the route table. The only one of `page-facts.ts` that the browser needs. */
export function isIndexed(pathname: string): boolean {
  const path = pathname.toLowerCase().replace(/\/$/, '')
  return !HIDDEN.includes(path) && !path.startsWith(`${paths.console()}/`)
}
