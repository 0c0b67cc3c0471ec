import { NEWS_CATEGORIES } from '#contract/news.ts'
import type { PageFacts } from '#server/pages/page-facts.ts'
import { isIndexed } from './indexed.ts'
import { contentPaths, paths } from './paths.ts'

/** One entry for each path of the route table. */
const facts: Omit<PageFacts, 'indexed'>[] = [
  { path: paths.home() },
  { path: paths.events() },
  { path: contentPaths.event(':id') },
  { path: paths.news(), queries: { category: NEWS_CATEGORIES } },
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
  { path: paths.leaveNewsletter(), secretAddress: true },
  { path: paths.confirmNewsletter(), secretAddress: true },
  { path: paths.newsletterSuccess() },
  { path: paths.newsletterUnsubscribed() },
  { path: paths.clinic() },
  { path: paths.studentsResidents() },
  { path: paths.sponsorUs() },
  { path: paths.becomeAMember() },
  { path: paths.privacyPolicy() },
  { path: paths.termsConditions() },
  { path: paths.login() },
  { path: paths.account() },
  { path: paths.console(), below: true, camera: true, worker: true },
  { path: paths.rsvp(), secretAddress: true },
  { path: paths.confirmEmail(), secretAddress: true },
  { path: paths.stopEmailChange(), secretAddress: true },
  { path: paths.emailVerification(), secretAddress: true, queries: { token: 'present' } },
  {
    path: paths.resetPassword(),
    secretAddress: true,
    queries: { token: 'present', userId: 'present' },
  },
  {
    path: paths.stripeSuccess(),
    secretAddress: true,
    queries: { free: ['1'], session_id: 'present', nonce: 'present' },
  },
  { path: paths.stripeCancel(), secretAddress: true },
  {
    path: paths.sponsorSuccess(),
    secretAddress: true,
    queries: { session_id: 'present', nonce: 'present' },
  },
  { path: paths.sponsorCancel(), secretAddress: true },
]

/** The server takes this from the build: it decides caching, sitemap and headers. */
export const pageFacts: PageFacts[] = facts.map((page) => ({ ...page, indexed: isIndexed(page.path) }))
