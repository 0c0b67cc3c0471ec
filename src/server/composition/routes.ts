import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#server/app-context.ts'
import type { Server } from '#server/http/serve.ts'
import { auditRoutes } from '#server/features/audit/audit.routes.ts'
import { authRoutes } from '#server/features/auth/auth.routes.ts'
import { contactRoutes } from '#server/features/contact/contact.routes.ts'
import { inboxRoutes } from '#server/features/contact/inbox.routes.ts'
import { contentRoutes } from '#server/features/content/content.routes.ts'
import { credentialReviewRoutes } from '#server/features/credentials/credential-review.routes.ts'
import { credentialRoutes } from '#server/features/credentials/credential.routes.ts'
import { couponsRoutes } from '#server/features/dues/coupons.routes.ts'
import { duesRoutes } from '#server/features/dues/dues.routes.ts'
import { eventDocuments } from '#server/features/events/event.documents.ts'
import { mediaConsoleRoutes, uploadRoutes as mediaUploadRoutes } from '#server/features/media/media-console.routes.ts'
import { mediaRoutes } from '#server/features/media/media.routes.ts'
import { memberAccountRoutes } from '#server/features/member-admin/account/member-account.routes.ts'
import {
  memberImportRoutes,
  memberImportUploadRoutes,
} from '#server/features/member-admin/import/member-import.routes.ts'
import { memberDetailRoutes } from '#server/features/member-admin/member-detail.routes.ts'
import { memberListRoutes } from '#server/features/member-admin/member-list.routes.ts'
import { mergeRoutes } from '#server/features/member-admin/merge/merge.routes.ts'
import { billingRoutes, webhookRoutes } from '#server/features/memberships/billing/billing.routes.ts'
import { membershipRoutes } from '#server/features/memberships/membership.routes.ts'
import { accountRoutes } from '#server/features/my-account/account.routes.ts'
import { newsDocuments } from '#server/features/news/news.documents.ts'
import { campaignViewRoutes, previewRoutes } from '#server/features/newsletter/campaign-view.routes.ts'
import { composingRoutes, subscriberUploadRoutes } from '#server/features/newsletter/composing/composing.routes.ts'
import { newsletterDocuments } from '#server/features/newsletter/newsletter.documents.ts'
import { bounceRoutes, newsletterRoutes } from '#server/features/newsletter/subscribers/newsletter.routes.ts'
import { oneClickRoutes } from '#server/features/newsletter/subscribers/one-click.routes.ts'
import { approvalRoutes } from '#server/features/officers/approvals/approval.routes.ts'
import { passkeyRoutes } from '#server/features/officers/factors/passkey.routes.ts'
import { officerRoutes } from '#server/features/officers/officer.routes.ts'
import { rsvpConsoleRoutes } from '#server/features/rsvps/rsvp-console.routes.ts'
import { rsvpRoutes } from '#server/features/rsvps/rsvp.routes.ts'
import { sponsorsConsoleRoutes } from '#server/features/sponsors/sponsors-console.routes.ts'
import { sponsorsRoutes } from '#server/features/sponsors/sponsors.routes.ts'
import { todayRoutes } from '#server/features/today/today.routes.ts'
import type { TodayService } from '#server/features/today/today.service.ts'
import { treasurerRoutes } from '#server/features/treasury/treasurer.routes.ts'
import { rollOverRoutes } from '#server/features/year-rollover/roll-over.routes.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import type { Services } from './services.ts'

/** Serves every endpoint with a JSON body, or none. */
export function apiRoutes(server: Server, ctx: AppContext, services: Services & { today: TodayService }): void {
  const { cache } = ctx
  authRoutes(server, services)
  membershipRoutes(server, services.memberships, cache.version)
  billingRoutes(server, services.billing, services.payments)
  duesRoutes(server, services.dues)
  couponsRoutes(server, services.coupons)
  credentialRoutes(server, services.credentials)
  officerRoutes(server, services)
  passkeyRoutes(server, services)
  approvalRoutes(server, services.approvals)
  todayRoutes(server, services.today)
  auditRoutes(server, services.audit)
  contentRoutes(server, services.content)
  mediaConsoleRoutes(server, services.media)
  mediaRoutes(server, services.pictures, cache)
  rollOverRoutes(server, services.rollOver)
  composingRoutes(server, services)
  inboxRoutes(server, services)
  sponsorsConsoleRoutes(server, services)
  memberListRoutes(server, services.memberList)
  memberImportRoutes(server, services.memberImports)
  memberDetailRoutes(server, services)
  memberAccountRoutes(server, services)
  mergeRoutes(server, services)
  credentialReviewRoutes(server, services.credentialReviews)
  treasurerRoutes(server, services.monthPayments, services.payouts)
  accountRoutes(server, services)
  contactRoutes(server, services.contact)
  newsletterRoutes(server, services.newsletter, services.archive, cache.version)
  rsvpRoutes(server, services)
  rsvpConsoleRoutes(server, services)
  sponsorsRoutes(server, ctx, services)
}

/** Routes that need the raw body, such as signed webhooks. */
export function rawRoutes(server: Server, { webhooks, bounces }: Services): void {
  webhookRoutes(server, webhooks)
  bounceRoutes(server, bounces)
}

/** Endpoints whose body is a file. */
export function uploadRoutes(server: Server, { media, memberImports, subscribers }: Services): void {
  mediaUploadRoutes(server, media)
  memberImportUploadRoutes(server, memberImports)
  subscriberUploadRoutes(server, subscribers)
}

/** Routes that are neither pages nor API endpoints. */
export async function otherRoutes(app: FastifyInstance, ctx: AppContext, services: Services): Promise<void> {
  previewRoutes(app, ctx, services.composing)
  campaignViewRoutes(app, services.archive, ctx.siteUrl)
  await oneClickRoutes(app, services.newsletter)
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
  return (path) => findCalendar(path) ?? findNewsFeed(path) ?? findNewsletterFeed(path)
}
