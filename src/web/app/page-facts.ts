import type { PageFacts } from '#server/pages/page-facts.ts'
import { paths } from './paths.ts'

/** One entry for each path of the route table. The server takes this from the build: it decides caching, sitemap and headers. */
export const pageFacts: PageFacts[] = [
  { path: paths.home(), indexed: true },
  { path: paths.about(), indexed: true },
  { path: paths.faqs(), indexed: true },
  { path: paths.executiveCommittee(), indexed: true },
  { path: paths.boardDirectors(), indexed: true },
  { path: paths.boardTrustees(), indexed: true },
  { path: paths.committees(), indexed: true },
  { path: paths.pastPresidents(), indexed: true },
  { path: paths.scholarshipsAwards(), indexed: true },
  { path: paths.becomeAMember(), indexed: true },
  { path: paths.privacyPolicy(), indexed: true },
  { path: paths.termsConditions(), indexed: true },
  { path: paths.login(), indexed: false },
  { path: paths.account(), indexed: false },
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
]

/** False for what search engines should leave alone, unknown paths included. */
export function isIndexed(pathname: string): boolean {
  return pageFacts.some((page) => page.path === pathname && page.indexed)
}
