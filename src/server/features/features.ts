import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import { dayOf } from '#contract/dates.ts'
import type { Config } from '../config/config.ts'
import type { Schema } from '../db/schema.ts'
import type { Caller, Server, ServeTools } from '../http/serve.ts'
import type { OutgoingLetter } from '../mail/letter.ts'
import type { MediaStore } from '../media/media-store.ts'
import type { PictureWorkshop } from '../media/picture-workshop.ts'
import type { PaymentGateway } from '../payments/payment-gateway.ts'
import type { Alarms } from '../platform/alarms.ts'
import type { BotCheck } from '../platform/bot-check.ts'
import type { Clock } from '../platform/clock.ts'
import type { Job } from '../platform/job-runner.ts'
import type { EffectHandler } from '../platform/outbox-worker.ts'
import type { Log } from '../platform/logger.ts'
import type { RateLimiter } from '../platform/rate-limiter.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { FindDocument } from '../pages/documents.ts'
import { createAccountFeatures } from './account/account-features.ts'
import { withholdFromEnded } from './account/ended-accounts.ts'
import { createPasswordProof } from './account/password-proof.ts'
import type { ContentCache } from './association/content-cache.ts'
import { createAuthFeatures } from './auth/auth-features.ts'
import { createSessionService } from './auth/session.service.ts'
import { billingRoutes, webhookRoutes } from './billing/billing.routes.ts'
import { createBillingService } from './billing/billing.service.ts'
import { couponsRoutes } from './billing/coupons.routes.ts'
import { createCouponsService } from './billing/coupons.service.ts'
import { duesRoutes } from './billing/dues.routes.ts'
import { createDuesService } from './billing/dues.service.ts'
import { createLevelPrices } from './billing/level-prices.ts'
import { createPaymentsService } from './billing/payments.service.ts'
import { createPriceMoves } from './billing/price-moves.ts'
import { createWebhookService } from './billing/webhook.service.ts'
import { mediaRoutes } from './media/media.routes.ts'
import type { PicturesService } from './media/pictures.service.ts'
import { createActGuard } from './console/act-guard.ts'
import { createConsole } from './console/create-console.ts'
import { createHeldWork } from './console/held-work.ts'
import { consoleRoutes } from './console/console.routes.ts'
import { createCorrespondence } from './console/correspondence.ts'
import { createContentFeature } from './content/content-feature.ts'
import { createContentReading } from './content/content-reading.ts'
import { contactRoutes } from './contact/contact.routes.ts'
import { createContactService } from './contact/contact.service.ts'
import { eventDocuments } from './events/event-documents.ts'
import { createRsvpFeatures } from './events/rsvp-features.ts'
import { findAccount } from './account/account.repository.ts'
import { hasRights } from './membership/membership.rules.ts'
import { createCheckoutService } from './membership/checkout.service.ts'
import { credentialRoutes } from './membership/credential.routes.ts'
import { createCredentialService } from './membership/credential.service.ts'
import { createMembershipEffects } from './membership/membership.effects.ts'
import { createMembersConsole, type MembersConsole } from './membership/members-console.ts'
import { membershipRoutes } from './membership/membership.routes.ts'
import { createMembershipService } from './membership/membership.service.ts'
import { createReconciler, type Reconciler } from './membership/reconciler.ts'
import { createNoticeLetters } from './membership/notice.letters.ts'
import { createNoticeService, type NoticeService } from './membership/notice.service.ts'
import { createOfferService } from './membership/offer.service.ts'
import { allReturns } from './billing/all-returns.ts'
import { createPaymentReturnService } from './membership/payment-return.service.ts'
import { createReceiptService } from './membership/receipt.service.ts'
import { createSettlementService, type SettlementService } from './membership/settlement.service.ts'
import { createSubscriptionService } from './membership/subscription.service.ts'
import { createNewsletterFeatures } from './newsletter/newsletter-features.ts'
import type { MailingWorker } from './newsletter/mailing.worker.ts'
import { subscriptionOf } from './membership/subscription-view.ts'
import { newsDocuments } from './news/news-documents.ts'
import { rollOverRoutes } from './roll-over/roll-over.routes.ts'
import { createRollOverService } from './roll-over/roll-over.service.ts'
import { createSponsorFeatures } from './sponsors/sponsor-features.ts'
import { createSponsorReturns } from './sponsors/sponsor-returns.service.ts'
import { createSponsorSettlementService } from './sponsors/sponsor-settlement.service.ts'

type Payload = Record<string, unknown>

/** What the features give to the application. */
export interface Features {
  routes(server: Server): void
  /** Of endpoints whose body is signed. */
  rawRoutes(server: Server): void
  /** Of endpoints whose body is a file. */
  uploadRoutes(server: Server): void
  /** Addresses that are neither pages nor calls of the API. */
  otherRoutes(app: FastifyInstance): Promise<void>
  authenticate(token: string): Promise<Caller>
  views: ServeTools['views']
  admitOfficer: ServeTools['admitOfficer']
  letters: Record<string, (payload: Payload) => Promise<OutgoingLetter | null>>
  effects: Record<string, EffectHandler>
  /** Work that comes round again. */
  jobs: Job[]
  /** For the admin commands. */
  reconciler: Reconciler
  notices: NoticeService
  members: Pick<MembersConsole, 'memberAccounts' | 'adding'>
  settlements: SettlementService
  /** Sends newsletters, from now on by itself when it polls. */
  startMailings(polling: boolean): MailingWorker
  /** Calendars and feeds. */
  findDocument: FindDocument
}

const DAY_MS = 86_400_000

/** Makes the features and hands each the services of others that it needs. */
export function createFeatures(tools: {
  config: Config
  db: Kysely<Schema>
  clock: Clock
  log: Log
  secrets: Secrets
  alarms: Alarms
  botCheck: BotCheck
  limiter: RateLimiter
  gateway: PaymentGateway
  cache: ContentCache
  pictures: PicturesService
  store: MediaStore
  workshop: PictureWorkshop
  association(): Promise<Association>
  wakeOutbox(): void
  /** What is wrong with the site itself, each in a sentence. */
  siteWarnings(): Promise<{ reason: string }[]>
}): Features {
  const { db, clock, cache } = tools
  const { siteUrl, timeZone } = tools.config
  const limits = () => cache.content().settings.rateLimits
  const graceMs = () => cache.content().settings.membership.graceDays * DAY_MS
  const mine = (accountId: string) => subscriptionOf(db, accountId, { now: clock.now(), graceMs: graceMs() })
  const yearOf = (instant: number) => dayOf(instant, timeZone).slice(0, 4)
  const recheckMonths = () => cache.content().settings.membership.recheckMonths
  const guard = createActGuard({ clock, timeZone })
  const heldWork = createHeldWork({ db, clock, timeZone })
  const shared = { ...tools, siteUrl, timeZone, graceMs, yearOf, guard, heldWork }

  const sessionDays = () => cache.content().settings.session.days
  const sessions = createSessionService({ ...shared, sessionDays })
  const notices = createNoticeService({ ...shared, syncSubscription: (id) => subscriptions.sync(id) })
  const settlements = createSettlementService(shared)
  const subscriptions = createSubscriptionService({ ...shared, notices })
  const paymentReturns = createPaymentReturnService({ ...shared, notices })
  const receipts = createReceiptService(shared)
  const offers = createOfferService(shared)
  const levelPrices = createLevelPrices(shared)
  const credentials = createCredentialService(shared)
  const coupons = createCouponsService(shared)
  const checkouts = createCheckoutService({ ...shared, levelPrices, settlements, takesCodes: coupons.takesCodes })
  const sponsorSettlements = createSponsorSettlementService(shared)
  const memberships = createMembershipService({
    ...shared,
    sessions,
    checkouts,
    offers,
    settlements,
    sponsorSettlements,
  })
  const billing = createBillingService({ ...shared, levelPrices, memberships })
  const payments = createPaymentsService({ ...shared, offers, receipts, levelPrices })
  const priceMoves = createPriceMoves({ ...shared, levelPrices, subscriptions })
  const dues = createDuesService({ ...shared, moves: priceMoves })
  const rsvps = createRsvpFeatures({
    ...shared,
    accountEmail: async (accountId) => (await findAccount(db, accountId))?.email ?? null,
    async memberEmail(accountId) {
      const [account, held] = [await findAccount(db, accountId), await mine(accountId)]
      return account && held && hasRights(held.status) ? account.email : null
    },
  })
  const returns = allReturns([paymentReturns, rsvps.returns, createSponsorReturns(shared)])
  const webhooks = createWebhookService({
    ...shared,
    settlements: [settlements, sponsorSettlements, rsvps.settlements],
    subscriptions,
    paymentReturns: returns,
  })
  const proof = createPasswordProof({ ...shared, wrongPasswordLimit: () => limits().loginWrongPassword })
  const console = createConsole({
    ...shared,
    proof,
    contentTitles: createContentReading(shared).titles,
    countCredentialsAgain: () => membersConsole.countCredentialsAgain(),
    rollOverTask: () => rollOver.task(),
    approvalActs: () => membersConsole.memberAccounts.acts,
  })
  const { officers } = console
  const members = { settlements, subscriptions, paymentReturns, receipts, sessionDays, subscriptionOf: mine }
  const account = createAccountFeatures({
    ...shared,
    sessions,
    sessionDays,
    proof,
    subscriptionOf: mine,
    isOfficer: officers.isOfficer,
    letterLimit: () => limits().lettersPerEmail,
  })
  const membersConsole = createMembersConsole({
    ...shared,
    ...console,
    ...members,
    ...account,
    recheckMonths,
    events: () => cache.content().events,
  })
  const auth = createAuthFeatures({ ...shared, sessions, subscriptionOf: mine, isOfficer: officers.isOfficer })

  const contact = createContactService({
    ...shared,
    officersEmail: tools.config.officersEmail,
    limits: { hourly: () => limits().sendMessageHourly, acknowledgements: () => limits().acknowledgementsPerEmail },
  })

  const newsletters = createNewsletterFeatures(shared)
  const correspondence = createCorrespondence({ ...shared, ...newsletters, officers })
  const content = createContentFeature({ ...shared, users: [correspondence.pictureUser] })
  const yearBeginsOn = () => cache.content().settings.year.beginsOn
  const rollOver = createRollOverService({ ...shared, content: content.many, yearBeginsOn })

  const sponsors = createSponsorFeatures({ ...shared, sponsorSettlements })
  const membershipEffects = createMembershipEffects({ ...shared, settlements, subscriptions, receipts })

  const reconciler = createReconciler({
    ...shared,
    settlements,
    sponsorSettlements,
    rsvpSettlements: rsvps.settlements,
    subscriptions,
    paymentReturns: returns,
  })

  const aboutContent = { siteUrl, timeZone, name: () => cache.content().settings.association.name }
  const findCalendar = eventDocuments({ ...aboutContent, today: cache.today, events: () => cache.content().events })
  const findFeed = newsDocuments({ ...aboutContent, news: () => cache.content().news.values() })

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
    admitOfficer: officers.admit,
    letters: withholdFromEnded(db, {
      ...auth.letters,
      ...account.letters,
      ...membershipEffects.letters,
      ...membersConsole.letters,
      ...credentials.letters,
      ...officers.letters,
      ...console.approvals.letters,
      ...createNoticeLetters({ ...shared, subscriptions }),
      ...contact.letters,
      ...correspondence.letters,
      ...newsletters.letters,
      ...sponsors.letters,
      ...rsvps.letters,
    }),
    effects: {
      ...auth.effects,
      ...account.effects,
      ...membershipEffects.effects,
      ...membersConsole.effects,
      ...priceMoves.effects,
      ...coupons.effects,
      ...newsletters.effects,
      ...webhooks.effects,
      ...rsvps.effects,
    },
    jobs: [
      reconciler,
      notices.job,
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
    notices,
    members: membersConsole,
    settlements,
    startMailings: newsletters.startMailings,
    findDocument: (path) => findCalendar(path) ?? findFeed(path) ?? newsletters.findDocument(path),
  }
}
