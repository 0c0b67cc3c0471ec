import { NEWS_CATEGORIES } from '#contract/public/news.ts'
import type { PageMetadata } from '#server/pages/page-metadata.ts'
import { isIndexed } from './indexed.ts'
import { accountPath, contentPaths, paths } from './paths.ts'

/** One entry for each path of the route table. */
const entries: Omit<PageMetadata, 'indexed'>[] = [
  { path: paths.home() },
  { path: paths.events() },
  { path: contentPaths.event(':id') },
  { path: paths.news(), queryParameters: { category: [...NEWS_CATEGORIES, 'other'] } },
  { path: contentPaths.article(':id') },
  { path: paths.about() },
  { path: paths.faqs() },
  { path: paths.executiveCommittee() },
  { path: paths.boardDirectors() },
  { path: paths.boardTrustees() },
  { path: paths.committees() },
  { path: paths.pastPresidents() },
  { path: paths.scholarshipsAwards() },
  { path: paths.contact() },
  { path: paths.newsletter() },
  { path: paths.subscribe() },
  { path: paths.unsubscribe(), hasSecretUrl: true },
  { path: paths.confirmNewsletter(), hasSecretUrl: true },
  { path: paths.newsletterSuccess() },
  { path: paths.newsletterUnsubscribed() },
  { path: paths.topicUnsubscribe(), hasSecretUrl: true },
  { path: paths.stillHere(), hasSecretUrl: true },
  { path: paths.clinic() },
  { path: paths.studentsResidents() },
  { path: paths.sponsorUs() },
  { path: paths.findAMember(), isLive: true },
  { path: paths.becomeAMember() },
  { path: paths.privacyPolicy() },
  { path: paths.termsConditions() },
  { path: paths.setup(), hasSecretUrl: true, queryParameters: { code: 'present' } },
  { path: paths.login() },
  { path: paths.demo() },
  { path: paths.account() },
  ...['profile', 'membership', 'emails', 'security', 'data', 'directory'].map((section) => ({
    path: accountPath(section),
  })),
  { path: paths.card(), worker: true },
  { path: paths.scannedCard(), hasSecretUrl: true },
  { path: paths.console(), hasSubpaths: true, camera: true, worker: true },
  { path: paths.rsvp(), hasSecretUrl: true },
  { path: paths.confirmEmail(), hasSecretUrl: true },
  { path: paths.stopEmailChange(), hasSecretUrl: true },
  { path: paths.emailVerification(), hasSecretUrl: true, queryParameters: { token: 'present' } },
  {
    path: paths.resetPassword(),
    hasSecretUrl: true,
    queryParameters: { token: 'present', userId: 'present' },
  },
  {
    path: paths.stripeSuccess(),
    hasSecretUrl: true,
    queryParameters: { free: ['1'], session_id: 'present', nonce: 'present' },
  },
  { path: paths.stripeCancel(), hasSecretUrl: true },
  {
    path: paths.sponsorSuccess(),
    hasSecretUrl: true,
    queryParameters: { session_id: 'present', nonce: 'present' },
  },
  { path: paths.sponsorCancel(), hasSecretUrl: true },
  { path: contentPaths.addedPage(':address') },
]

/** The server reads this from the build to decide caching, sitemap and headers. */
export const pageData: PageMetadata[] = entries.map((page) => ({ ...page, indexed: isIndexed(page.path) }))
