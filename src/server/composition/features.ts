import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Config } from '#server/config/config.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Caller, Server, ServeTools } from '#server/http/serve.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import type { PictureQueue } from '#server/media-store/pictures/picture-queue.ts'
import type { PaymentGateway } from '#server/stripe/payment-gateway.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import type { BotCheck } from '#server/limits/bot-check.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import type { ToolsOf } from '#server/emails/define-email.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { EMAIL_NAMES, type EFFECTS, type EMAILS } from './effects.ts'
import type { Log } from '#server/lib/logger.ts'
import type { RateLimiter } from '#server/limits/rate-limiter.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import { createAccountFeatures } from './account-features.ts'
import { createPasswordCheck } from '#server/features/auth/password-proof.service.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import { createAuthFeatures } from './auth-features.ts'
import { createSessionService } from '#server/features/auth/sessions/session.service.ts'
import { billingRoutes, webhookRoutes } from '#server/features/memberships/billing/billing.routes.ts'
import { createBillingService } from '#server/features/memberships/billing/billing.service.ts'
import { couponsRoutes } from '#server/features/dues/coupons.routes.ts'
import { createCouponsService } from '#server/features/dues/coupons.service.ts'
import { duesRoutes } from '#server/features/dues/dues.routes.ts'
import { createDuesService } from '#server/features/dues/dues.service.ts'
import { createLevelPrices } from '#server/features/levels/set-level-price.service.ts'
import { createPaymentsService } from '#server/features/memberships/billing/payments.service.ts'
import { createPriceMoves } from '#server/features/dues/price-moves.service.ts'
import { createWebhookService } from '#server/features/payment-sync/webhook.service.ts'
import { mediaRoutes } from '#server/features/media/media.routes.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import { createActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { createConsoleFeatures } from './create-console.ts'
import { createHeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { consoleRoutes } from './console.routes.ts'
import { createOutreachFeatures } from './correspondence.ts'
import { createContentFeature } from './content-feature.ts'
import { createContentQueries } from '#server/features/content/content.queries.ts'
import { contactRoutes } from '#server/features/contact/contact.routes.ts'
import { createContactService } from '#server/features/contact/contact.service.ts'
import { eventDocuments } from '#server/features/events/event.documents.ts'
import { createRsvpFeatures } from './rsvp-features.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { hasRights } from '#server/features/memberships/membership.rules.ts'
import { createCheckoutService } from '#server/features/memberships/checkout/checkout.service.ts'
import { credentialRoutes } from '#server/features/credentials/credential.routes.ts'
import { createCredentialService } from '#server/features/credentials/credential.service.ts'
import { createProviderEffects } from '#server/features/memberships/provider-effects.service.ts'
import { createMemberAdmin, type MemberAdmin } from './members-console.ts'
import { membershipRoutes } from '#server/features/memberships/membership.routes.ts'
import { createMembershipService } from '#server/features/memberships/membership.service.ts'
import { createReconciler, type Reconciler } from '#server/features/payment-sync/reconciler.job.ts'
import { createReminderService, type ReminderService } from '#server/features/memberships/reminders/reminder.service.ts'
import { createMembershipPriceService } from '#server/features/memberships/membership-price.service.ts'
import { combineRefundSyncs } from '#server/features/payment-sync/refund-handlers.service.ts'
import { createRefundSyncService } from '#server/features/memberships/payments/refund-sync.service.ts'
import { createReceiptService } from '#server/features/memberships/billing/receipt.service.ts'
import {
  createOrderCompletionService,
  type OrderCompletionService,
} from '#server/features/memberships/checkout/order-completion.service.ts'
import { createSubscriptionService } from '#server/features/memberships/subscription.service.ts'
import { createNewsletterFeatures } from './newsletter-features.ts'
import type { MailingWorker } from '#server/features/newsletter/sending/mailing.worker.ts'
import { findSubscriptionView as findSubscription } from '#server/features/memberships/subscription-view.service.ts'
import { newsDocuments } from '#server/features/news/news.documents.ts'
import { rollOverRoutes } from '#server/features/year-rollover/roll-over.routes.ts'
import { createRollOverService } from '#server/features/year-rollover/roll-over.service.ts'
import { createSponsorFeatures } from './sponsor-features.ts'
import { createSponsorRefundSync } from '#server/features/sponsors/orders/sponsor-refunds.service.ts'
import { createSponsorCompletionService } from '#server/features/sponsors/orders/sponsor-completion.service.ts'

export interface Features {
  routes(server: Server): void
  /** Routes that need the raw body, such as signed webhooks. */
  rawRoutes(server: Server): void
  /** Routes for file uploads. */
  uploadRoutes(server: Server): void
  /** Routes that are neither pages nor API endpoints. */
  otherRoutes(app: FastifyInstance): Promise<void>
  authenticate(token: string): Promise<Caller>
  views: ServeTools['views']
  admitOfficer: ServeTools['admitOfficer']
  /** What the composers of emails need. */
  emailTools: ToolsOf<(typeof EMAILS)[number]>
  effects: HandlersOf<(typeof EFFECTS)[number]>
  /** Recurring jobs. */
  jobs: Job[]
  /** For the admin CLI, like the next three. */
  reconciler: Reconciler
  reminders: ReminderService
  members: Pick<MemberAdmin, 'memberAccounts' | 'adding'>
  completions: OrderCompletionService
  /** Starts the mailing worker; without polling it sends only when drained. */
  startMailings(polling: boolean): MailingWorker
  /** Finds calendars and feeds. */
  findDocument: FindDocument
}

const DAY_MS = 86_400_000

/** Creates the features and wires them together. */
export function createFeatures(tools: {
  config: Config
  db: Kysely<Schema>
  clock: Clock
  log: Log
  secrets: Secrets
  alerts: Alerts
  botCheck: BotCheck
  limiter: RateLimiter
  gateway: PaymentGateway
  cache: ContentCache
  pictures: PicturesService
  store: MediaStore
  workshop: PictureQueue
  association(): Promise<Association>
  wakeOutbox(): void
  /** Problems of the site itself, such as a failing backup. */
  siteWarnings(): Promise<{ reason: string }[]>
}): Features {
  const { db, clock, cache } = tools
  const { siteUrl, timeZone } = tools.config
  const limits = () => cache.content().settings.rateLimits
  const graceMs = () => cache.content().settings.membership.graceDays * DAY_MS
  const subscriptionOf = (accountId: string) =>
    findSubscription(db, accountId, { now: clock.now(), graceMs: graceMs() })
  const yearOf = (instant: number) => dayOf(instant, timeZone).slice(0, 4)
  const recheckMonths = () => cache.content().settings.membership.recheckMonths
  const guard = createActAuthorizer({ clock, timeZone })
  const heldWork = createHeldWork({ db, clock, timeZone })
  const shared = { ...tools, siteUrl, timeZone, graceMs, yearOf, guard, heldWork }

  const sessionDays = () => cache.content().settings.session.days
  const sessions = createSessionService({ ...shared, sessionDays })
  const reminders = createReminderService({ ...shared, syncSubscription: (id) => subscriptions.sync(id) })
  const completions = createOrderCompletionService(shared)
  const subscriptions = createSubscriptionService({ ...shared, reminders })
  const refundSync = createRefundSyncService({ ...shared, reminders })
  const receipts = createReceiptService(shared)
  const prices = createMembershipPriceService(shared)
  const levelPrices = createLevelPrices(shared)
  const credentials = createCredentialService(shared)
  const coupons = createCouponsService(shared)
  const checkouts = createCheckoutService({ ...shared, levelPrices, completions, takesCodes: coupons.acceptsCodes })
  const sponsorCompletions = createSponsorCompletionService(shared)
  const memberships = createMembershipService({
    ...shared,
    sessions,
    checkouts,
    prices,
    completions,
    sponsorCompletions,
  })
  const billing = createBillingService({ ...shared, levelPrices, memberships })
  const payments = createPaymentsService({ ...shared, prices, receipts, levelPrices })
  const priceMoves = createPriceMoves({ ...shared, levelPrices, subscriptions })
  const dues = createDuesService({ ...shared, moves: priceMoves })
  const rsvps = createRsvpFeatures({
    ...shared,
    accountEmail: async (accountId) => (await findAccount(db, accountId))?.email ?? null,
    async memberEmail(accountId) {
      const [account, subscription] = [await findAccount(db, accountId), await subscriptionOf(accountId)]
      return account && subscription && hasRights(subscription.status) ? account.email : null
    },
  })
  const refundSyncs = combineRefundSyncs([refundSync, rsvps.refundSync, createSponsorRefundSync(shared)])
  const webhooks = createWebhookService({
    ...shared,
    subscriptions,
    refundSync: refundSyncs,
    completions: [completions, sponsorCompletions, rsvps.completions],
  })
  const proof = createPasswordCheck({ ...shared, wrongPasswordLimit: () => limits().loginWrongPassword })
  const console = createConsoleFeatures({
    ...shared,
    proof,
    contentTitles: createContentQueries(shared).titles,
    countCredentialRechecks: () => membersConsole.countCredentialsDue(),
    rollOverTask: () => rollOver.task(),
    approvalActs: () => membersConsole.memberAccounts.approvableActions,
  })
  const members = { completions, subscriptions, refundSync, receipts, sessionDays, subscriptionOf }
  const logins = { sessions, subscriptionOf, isOfficer: console.officers.isOfficer }
  const account = createAccountFeatures({
    ...shared,
    ...logins,
    sessionDays,
    proof,
    emailLimit: () => limits().lettersPerEmail,
  })
  const membersConsole = createMemberAdmin({
    ...shared,
    ...console,
    ...members,
    ...account,
    recheckMonths,
    emailNames: EMAIL_NAMES,
    events: () => cache.content().events,
  })
  const auth = createAuthFeatures({ ...shared, ...logins })

  const contact = createContactService({
    ...shared,
    limits: { hourly: () => limits().sendMessageHourly, acknowledgements: () => limits().acknowledgementsPerEmail },
  })

  const newsletters = createNewsletterFeatures(shared)
  const correspondence = createOutreachFeatures({ ...shared, ...newsletters, officers: console.officers })
  const content = createContentFeature({ ...shared, users: [correspondence.pictureUser] })
  const yearBeginsOn = () => cache.content().settings.year.beginsOn
  const rollOver = createRollOverService({ ...shared, content: content.many, yearBeginsOn })

  const sponsors = createSponsorFeatures({ ...shared, sponsorCompletions })
  const emailTools = {
    ...shared,
    subscriptions,
    receipts,
    mailings: newsletters.mailings,
    composing: correspondence.composing,
    certificates: rsvps.certificates,
    events: () => cache.content().events,
    approvalActs: () => membersConsole.memberAccounts.approvableActions,
    officersEmail: tools.config.officersEmail,
    taxWording: () => cache.content().settings.sponsorship.taxWording,
  }

  const reconciler = createReconciler({
    ...shared,
    completions,
    sponsorCompletions,
    rsvpCompletions: rsvps.completions,
    subscriptions,
    refundSync: refundSyncs,
  })

  const documentTools = { siteUrl, timeZone, name: () => cache.content().settings.association.name }
  const findCalendar = eventDocuments({ ...documentTools, today: cache.today, events: () => cache.content().events })
  const findFeed = newsDocuments({ ...documentTools, news: () => cache.content().news.values() })

  return {
    routes(server) {
      auth.routes(server)
      membershipRoutes(server, memberships, cache.version)
      billingRoutes(server, billing, payments)
      duesRoutes(server, dues)
      couponsRoutes(server, coupons)
      credentialRoutes(server, credentials)
      consoleRoutes(server, console)
      content.routes(server)
      rollOverRoutes(server, rollOver)
      correspondence.routes(server)
      membersConsole.routes(server)
      account.routes(server)
      contactRoutes(server, contact)
      newsletters.routes(server)
      rsvps.routes(server)
      mediaRoutes(server, tools.pictures, cache)
      sponsors.routes(server)
    },
    rawRoutes(server) {
      webhookRoutes(server, webhooks)
      newsletters.rawRoutes(server)
    },
    uploadRoutes(server) {
      content.uploadRoutes(server)
      membersConsole.uploadRoutes(server)
      correspondence.uploadRoutes(server)
    },
    async otherRoutes(app) {
      correspondence.otherRoutes(app)
      await newsletters.otherRoutes(app)
    },
    authenticate: sessions.authenticate,
    views: console.views,
    admitOfficer: console.officers.authorize,
    emailTools,
    effects: {
      ...auth.effects,
      ...account.effects,
      ...createProviderEffects({ ...shared, completions, subscriptions }),
      ...membersConsole.effects,
      ...priceMoves.effects,
      ...coupons.effects,
      ...newsletters.effects,
      ...webhooks.effects,
      ...rsvps.effects,
    },
    jobs: [
      reconciler,
      reminders.job,
      priceMoves.job,
      content.job,
      rollOver.job,
      console.views.job,
      console.approvals.job,
      credentials.job,
      ...rsvps.jobs,
      ...correspondence.jobs,
    ],
    reconciler,
    reminders,
    members: membersConsole,
    completions,
    startMailings: newsletters.startMailings,
    findDocument: (path) => findCalendar(path) ?? findFeed(path) ?? newsletters.findDocument(path),
  }
}
