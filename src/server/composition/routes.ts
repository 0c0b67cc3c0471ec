import { isOff } from '#contract/parts.ts'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#server/app-context.ts'
import type { Server } from '#server/http/serve.ts'
import { auditRoutes } from '#server/features/audit/audit.routes.ts'
import { authRoutes } from '#server/features/auth/auth.routes.ts'
import { cardRoutes } from '#server/features/card/card.routes.ts'
import { consoleSearchRoutes } from '#server/features/console-search/console-search.routes.ts'
import { contactRoutes } from '#server/features/contact/contact.routes.ts'
import { inboxRoutes } from '#server/features/contact/inbox.routes.ts'
import { emailWordingRoutes } from '#server/features/email-wordings/email-wordings.routes.ts'
import { contentRoutes } from '#server/features/content/content.routes.ts'
import {
  contentImportRoutes,
  contentImportUploadRoutes,
} from '#server/features/content-import/content-import.routes.ts'
import { credentialReviewRoutes } from '#server/features/credentials/credential-review.routes.ts'
import { credentialRoutes } from '#server/features/credentials/credential.routes.ts'
import { couponsRoutes } from '#server/features/dues/coupons.routes.ts'
import { demoRoutes } from '#server/features/demo/demo.routes.ts'
import {
  documentRoutes,
  documentUploadRoutes,
  publicDocumentRoutes,
} from '#server/features/documents/document.routes.ts'
import { duesRoutes } from '#server/features/dues/dues.routes.ts'
import { eventDocuments } from '#server/features/events/event.documents.ts'
import { mediaConsoleRoutes, uploadRoutes as mediaUploadRoutes } from '#server/features/media/media-console.routes.ts'
import { directoryRoutes } from '#server/features/directory/directory.routes.ts'
import { mediaRoutes } from '#server/features/media/media.routes.ts'
import { memberAccountRoutes } from '#server/features/member-admin/account/member-account.routes.ts'
import {
  memberImportRoutes,
  memberImportUploadRoutes,
} from '#server/features/member-admin/import/member-import.routes.ts'
import { memberDetailRoutes } from '#server/features/member-admin/member-detail.routes.ts'
import { memberRecordRoutes } from '#server/features/member-record/member-record.routes.ts'
import { memberListRoutes } from '#server/features/member-admin/member-list.routes.ts'
import { bulkRoutes } from '#server/features/member-admin/bulk/bulk.routes.ts'
import { mergeRoutes } from '#server/features/member-admin/merge/merge.routes.ts'
import { personStateRoutes } from '#server/features/person-state/person-state.routes.ts'
import { noteRoutes } from '#server/features/member-admin/notes/note.routes.ts'
import { timelineRoutes } from '#server/features/member-admin/timeline/timeline.routes.ts'
import { billingRoutes, webhookRoutes } from '#server/features/memberships/billing/billing.routes.ts'
import { membershipRoutes } from '#server/features/memberships/membership.routes.ts'
import { accountRoutes } from '#server/features/my-account/account.routes.ts'
import { newsDocuments } from '#server/features/news/news.documents.ts'
import { campaignViewRoutes, emailFrameRoute, previewRoutes } from '#server/features/newsletter/campaign-view.routes.ts'
import { composingRoutes, subscriberUploadRoutes } from '#server/features/newsletter/composing/composing.routes.ts'
import { memberEmailRoutes } from '#server/features/member-email/member-email.routes.ts'
import { TOPIC_ONE_CLICK_PATH } from '#server/features/member-email/member-mailing.service.ts'
import { newsletterDocuments } from '#server/features/newsletter/newsletter.documents.ts'
import { bounceRoutes, newsletterRoutes } from '#server/features/newsletter/subscribers/newsletter.routes.ts'
import { ONE_CLICK_PATH } from '#server/features/newsletter/newsletter-paths.rules.ts'
import { oneClickRoutes } from '#server/features/newsletter/subscribers/one-click.routes.ts'
import { approvalRoutes } from '#server/features/officers/approvals/approval.routes.ts'
import { passkeyRoutes } from '#server/features/officers/factors/passkey.routes.ts'
import { officerRoutes } from '#server/features/officers/officer.routes.ts'
import { eventsRoutes } from '#server/features/rsvps/console/events.routes.ts'
import { savedViewRoutes } from '#server/features/officers/saved-views/saved-views.routes.ts'
import { reportsRoutes } from '#server/features/reports/reports.routes.ts'
import { rsvpConsoleRoutes } from '#server/features/rsvps/rsvp-console.routes.ts'
import { rsvpRoutes } from '#server/features/rsvps/rsvp.routes.ts'
import { setupRoutes } from '#server/features/setup/setup.routes.ts'
import { sponsorsConsoleRoutes } from '#server/features/sponsors/sponsors-console.routes.ts'
import { sponsorsRoutes } from '#server/features/sponsors/sponsors.routes.ts'
import { todayRoutes } from '#server/features/today/today.routes.ts'
import type { TodayService } from '#server/features/today/today.service.ts'
import { paymentImportRoutes, paymentUploadRoutes } from '#server/features/treasury/import/payment-import.routes.ts'
import { subscriptionImportRoutes } from '#server/features/treasury/subscriptions/subscription-import.routes.ts'
import { treasurerRoutes } from '#server/features/treasury/treasurer.routes.ts'
import { rollRoutes } from '#server/features/roll/roll.routes.ts'
import { rollCallRoutes } from '#server/features/roll-call/roll-call.routes.ts'
import { rollOverRoutes } from '#server/features/year-rollover/roll-over.routes.ts'
import type { MediaArchive } from '#server/media-store/media-archive.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import type { Services } from './services.ts'

/** Serves every endpoint with a JSON body, or none. */
export function apiRoutes(server: Server, ctx: AppContext, services: Services & { today: TodayService }): void {
  const { cache } = ctx
  authRoutes(server, services)
  membershipRoutes(server, services.memberships, cache.version)
  billingRoutes(server, services.billing, services.payments)
  duesRoutes(server, services.dues, services.treasury.newLevels)
  couponsRoutes(server, services.coupons)
  credentialRoutes(server, services.credentials)
  officerRoutes(server, services)
  passkeyRoutes(server, services)
  approvalRoutes(server, services.approvals)
  todayRoutes(server, services.today)
  auditRoutes(server, services.audit)
  reportsRoutes(server, services)
  consoleSearchRoutes(server, services.consoleSearch)
  contentRoutes(server, services.content)
  contentImportRoutes(server, services.contentImports)
  emailWordingRoutes(server, services.emailWordings)
  mediaConsoleRoutes(server, services.media, services.mediaList)
  documentRoutes(server, services.documents)
  mediaRoutes(server, services.pictures, cache)
  rollOverRoutes(server, services.rollOver)
  composingRoutes(server, services)
  memberEmailRoutes(server, services)
  inboxRoutes(server, services)
  sponsorsConsoleRoutes(server, services)
  memberListRoutes(server, services.memberList)
  savedViewRoutes(server, services.savedViews)
  noteRoutes(server, services.notes)
  timelineRoutes(server, services.timeline)
  bulkRoutes(server, services.bulk)
  memberImportRoutes(server, { imports: services.memberImports, reports: services.memberImportReports })
  memberDetailRoutes(server, services)
  memberAccountRoutes(server, services)
  personStateRoutes(server, services.personStates)
  rollCallRoutes(server, services)
  rollRoutes(server, services)
  mergeRoutes(server, services)
  credentialReviewRoutes(server, services.credentialReviews)
  treasurerRoutes(server, services.treasury)
  paymentImportRoutes(server, services.treasury.paymentImports)
  subscriptionImportRoutes(server, {
    reviews: services.treasury.subscriptionReviews,
    imports: services.treasury.subscriptionImports,
  })
  accountRoutes(server, services)
  memberRecordRoutes(server, services.memberRecords)
  directoryRoutes(server, services)
  cardRoutes(server, services)
  contactRoutes(server, services.contact)
  newsletterRoutes(server, services.newsletter, services.archive, cache.version)
  rsvpRoutes(server, services)
  rsvpConsoleRoutes(server, services)
  eventsRoutes(server, services)
  sponsorsRoutes(server, ctx, services)
  setupRoutes(server, services.setup)
  demoRoutes(server, services.demo)
}

/** Routes that need the raw body, such as signed webhooks. */
export function rawRoutes(server: Server, { webhooks, bounces }: Services): void {
  webhookRoutes(server, webhooks)
  bounceRoutes(server, bounces)
}

/** Endpoints whose body is a file. */
export function uploadRoutes(
  server: Server,
  { contentImports, documents, media, memberImports, subscribers, treasury }: Services,
): void {
  contentImportUploadRoutes(server, contentImports)
  mediaUploadRoutes(server, media)
  documentUploadRoutes(server, documents)
  memberImportUploadRoutes(server, memberImports)
  subscriberUploadRoutes(server, subscribers)
  paymentUploadRoutes(server, treasury.paymentImports)
}

/** Routes that are neither pages nor API endpoints. */
export async function otherRoutes(
  app: FastifyInstance,
  ctx: AppContext,
  services: Services & { mediaArchive: MediaArchive },
): Promise<void> {
  publicDocumentRoutes(app, ctx, services.mediaArchive)
  previewRoutes(app, ctx, services.previews)
  emailFrameRoute(app, ctx.siteUrl)
  campaignViewRoutes(app, services.archive, ctx.siteUrl)
  await oneClickRoutes(app, {
    path: ONE_CLICK_PATH,
    page: '/newsletter/unsubscribe',
    answer: 'You have been unsubscribed from the newsletter.',
    unsubscribe: services.newsletter.unsubscribeByToken,
  })
  await oneClickRoutes(app, {
    path: TOPIC_ONE_CLICK_PATH,
    page: '/member-emails/unsubscribe',
    answer: 'You have been unsubscribed.',
    unsubscribe: services.emailTopics.unsubscribeByToken,
  })
}

/** Finds calendars and feeds. */
export function documentFinder({ cache, settings, siteUrl, timeZone }: AppContext): FindDocument {
  const tools = { siteUrl, timeZone, name: () => settings().association.name }
  const findCalendar = eventDocuments({ ...tools, today: cache.today, events: () => cache.content().events })
  const findNewsFeed = newsDocuments({ ...tools, news: () => cache.content().news.values() })
  const findNewsletterFeed = newsletterDocuments({
    ...tools,
    campaigns: () => cache.content().archive.firstPage.campaigns,
  })
  return (path) =>
    isOff(path, cache.content().partsOff)
      ? null
      : (findCalendar(path) ?? findNewsFeed(path) ?? findNewsletterFeed(path))
}
