import { matchPath } from 'react-router'
import { NEWS_CATEGORIES } from '#contract/news.ts'
import type { PageFacts } from '#server/pages/page-facts.ts'
import { contentPaths, paths } from './paths.ts'

/** One entry for each path of the route table. The server takes this from the build: it decides caching, sitemap and headers. */
export const pageFacts: PageFacts[] = [
  { path: paths.home(), indexed: true },
  { path: paths.events(), indexed: true },
  { path: contentPaths.event(':id'), indexed: true },
  { path: paths.news(), indexed: true, queries: { category: NEWS_CATEGORIES } },
  { path: contentPaths.article(':id'), indexed: true },
  { path: paths.about(), indexed: true },
  { path: paths.faqs(), indexed: true },
  { path: paths.executiveCommittee(), indexed: true },
  { path: paths.boardDirectors(), indexed: true },
  { path: paths.boardTrustees(), indexed: true },
  { path: paths.committees(), indexed: true },
  { path: paths.pastPresidents(), indexed: true },
  { path: paths.scholarshipsAwards(), indexed: true },
  { path: paths.contact(), indexed: true },
  { path: paths.newsletter(), indexed: true },
  { path: paths.subscribe(), indexed: true },
  { path: paths.leaveNewsletter(), indexed: true, secretAddress: true },
  { path: paths.confirmNewsletter(), indexed: false, secretAddress: true },
  { path: paths.newsletterSuccess(), indexed: false },
  { path: paths.newsletterUnsubscribed(), indexed: false },
  { path: paths.clinic(), indexed: true },
  { path: paths.studentsResidents(), indexed: true },
  { path: paths.sponsorUs(), indexed: true },
  { path: paths.becomeAMember(), indexed: true },
  { path: paths.privacyPolicy(), indexed: true },
  { path: paths.termsConditions(), indexed: true },
  { path: paths.login(), indexed: false },
  { path: paths.account(), indexed: false },
  { path: paths.confirmEmail(), indexed: false, secretAddress: true },
  { path: paths.emailVerification(), indexed: false, secretAddress: true, queries: { token: 'present' } },
  {
    path: paths.resetPassword(),
    indexed: false,
    secretAddress: true,
    queries: { token: 'present', userId: 'present' },
  },
  {
    path: paths.stripeSuccess(),
    indexed: false,
    secretAddress: true,
    queries: { free: ['1'], session_id: 'present', nonce: 'present' },
  },
  { path: paths.stripeCancel(), indexed: false, secretAddress: true },
  {
    path: paths.sponsorSuccess(),
    indexed: false,
    secretAddress: true,
    queries: { session_id: 'present', nonce: 'present' },
  },
  { path: paths.sponsorCancel(), indexed: false, secretAddress: true },
]

/** False for what search engines should leave alone, unknown paths included. */
export function isIndexed(pathname: string): boolean {
  return pageFacts.some(({ path, indexed }) => indexed && matchPath(path, pathname) !== null)
}
