import { paths } from './paths.ts'

/** Pages that are personal or part of a flow; search engines should not index them. */
const HIDDEN: readonly string[] = [
  paths.confirmNewsletter(),
  paths.newsletterSuccess(),
  paths.newsletterUnsubscribed(),
  paths.topicUnsubscribe(),
  paths.stillHere(),
  paths.rsvp(),
  paths.scannedCard(),
  paths.setup(),
  paths.login(),
  paths.demo(),
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

/** Every page below these, too. */
const BELOW = [`${paths.console()}/`, `${paths.account()}/`]

/**
 * Whether search engines may index a page of the route table. A module of its own because the browser needs only this
 * part of `page-data.ts`.
 */
export function isIndexed(pathname: string): boolean {
  const path = pathname.toLowerCase().replace(/\/$/, '')
  return !HIDDEN.includes(path) && !BELOW.some((start) => path.startsWith(start))
}
