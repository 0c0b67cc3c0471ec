import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import { dayOf } from '#contract/dates.ts'
import type { Config } from '../config/config.ts'
import type { Schema } from '../db/schema.ts'
import type { Caller, Server, ServeTools } from '../http/serve.ts'
import type { OutgoingLetter } from '../mail/letter.ts'
import type { MediaStore } from '../media/media-store.ts'
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
import { createAccountLetters } from './account/account.letters.ts'
import { accountRoutes } from './account/account.routes.ts'
import { createAccountService } from './account/account.service.ts'
import { createDeletionService } from './account/deletion.service.ts'
import { createDevicesService } from './account/devices.service.ts'
import { createEmailChangeService } from './account/email-change.service.ts'
import { createPasswordProof } from './account/password-proof.ts'
import { createPersonalDataService } from './account/personal-data.service.ts'
import type { ContentCache } from './association/content-cache.ts'
import { createAuthLetters } from './auth/auth.letters.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { createLoginService } from './auth/login.service.ts'
import { createRegistrationService } from './auth/registration.service.ts'
import { createResetService } from './auth/reset.service.ts'
import { createSessionService } from './auth/session.service.ts'
import { createVerificationService } from './auth/verification.service.ts'
import { billingRoutes, webhookRoutes } from './billing/billing.routes.ts'
import { createBillingService } from './billing/billing.service.ts'
import { createLevelPrices } from './billing/level-prices.ts'
import { createPaymentsService } from './billing/payments.service.ts'
import { createWebhookService } from './billing/webhook.service.ts'
import { mediaRoutes } from './media/media.routes.ts'
import type { PicturesService } from './media/pictures.service.ts'
import { withPresentPictures } from './media/present-pictures.ts'
import { createConsole } from './console/create-console.ts'
import { consoleRoutes } from './console/console.routes.ts'
import { createCorrespondence } from './console/correspondence.ts'
import { createContentFeature } from './content/content-feature.ts'
import { contactRoutes } from './contact/contact.routes.ts'
import { createContactService } from './contact/contact.service.ts'
import { eventDocuments } from './events/event-documents.ts'
import { createRsvpFeatures } from './events/rsvp-features.ts'
import { createCheckoutService } from './membership/checkout.service.ts'
import { credentialRoutes } from './membership/credential.routes.ts'
import { createCredentialService } from './membership/credential.service.ts'
import { findLevel } from './membership/level.repository.ts'
import { createMembershipEffects } from './membership/membership.effects.ts'
import { createMembersConsole } from './membership/members-console.ts'
import { membershipRoutes } from './membership/membership.routes.ts'
import { createMembershipService } from './membership/membership.service.ts'
import { createReconciler, type Reconciler } from './membership/reconciler.ts'
import { createNoticeLetters } from './membership/notice.letters.ts'
import { createNoticeService, type NoticeService } from './membership/notice.service.ts'
import { createOfferService } from './membership/offer.service.ts'
import { createPaymentReturnService } from './membership/payment-return.service.ts'
import { createReceiptService } from './membership/receipt.service.ts'
import { createSettlementService } from './membership/settlement.service.ts'
import { createSubscriptionService } from './membership/subscription.service.ts'
import { createNewsletterFeatures } from './newsletter/newsletter-features.ts'
import type { MailingWorker } from './newsletter/mailing.worker.ts'
import { subscriptionOf } from './membership/subscription-view.ts'
import { newsDocuments } from './news/news-documents.ts'
import { createSponsorCheckoutService } from './sponsors/sponsor-checkout.service.ts'
import { createSponsorSettlementService } from './sponsors/sponsor-settlement.service.ts'
import { createSponsorLetters } from './sponsors/sponsors.letters.ts'
import { sponsorsRoutes } from './sponsors/sponsors.routes.ts'
import { createSponsorshipService } from './sponsors/sponsorship.service.ts'

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
  admitOfficer: ServeTools['admitOfficer']
  letters: Record<string, (payload: Payload) => Promise<OutgoingLetter | null>>
  effects: Record<string, EffectHandler>
  /** Work that comes round again. */
  jobs: Job[]
  /** For the admin commands. */
  reconciler: Reconciler
  notices: NoticeService
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
  association(): Promise<Association>
  wakeOutbox(): void
}): Features {
  const { db, clock, cache } = tools
  const { siteUrl, timeZone } = tools.config
  const limits = () => cache.content().settings.rateLimits
  const graceMs = () => cache.content().settings.membership.graceDays * DAY_MS
  const mine = (accountId: string) => subscriptionOf(db, accountId, { now: clock.now(), graceMs: graceMs() })
  const yearOf = (instant: number) => dayOf(instant, timeZone).slice(0, 4)
  const shared = { ...tools, siteUrl, timeZone, graceMs, yearOf }

  const sessionDays = () => cache.content().settings.session.days
  const sessions = createSessionService({ ...shared, sessionDays })
  const notices = createNoticeService(shared)
  const settlements = createSettlementService(shared)
  const subscriptions = createSubscriptionService({ ...shared, notices })
  const paymentReturns = createPaymentReturnService({ ...shared, notices })
  const receipts = createReceiptService(shared)
  const offers = createOfferService(shared)
  const levelPrices = createLevelPrices(shared)
  const credentials = createCredentialService(shared)
  const checkouts = createCheckoutService({ ...shared, levelPrices, settlements })
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
  const webhooks = createWebhookService({
    ...shared,
    settlements: [settlements, sponsorSettlements],
    subscriptions,
    paymentReturns,
  })
  const proof = createPasswordProof({ ...shared, wrongPasswordLimit: () => limits().loginWrongPassword })
  const console = createConsole({ ...shared, proof })
  const { officers } = console
  const members = { settlements, subscriptions, paymentReturns, receipts, sessionDays, subscriptionOf: mine }
  const membersConsole = createMembersConsole({ ...shared, ...console, ...members })
  const accounts = createAccountService({
    ...shared,
    sessions,
    proof,
    subscriptionOf: mine,
    isOfficer: officers.isOfficer,
  })
  const emailChanges = createEmailChangeService({ ...shared, proof, letterLimit: () => limits().lettersPerEmail })
  const devices = createDevicesService({ ...shared, sessions, sessionDays })
  const personalData = createPersonalDataService({ ...shared, accounts })
  const deletions = createDeletionService({ ...shared, proof })
  const registrations = createRegistrationService({
    ...shared,
    limits: { registerEmail: () => limits().registerPerEmail, letters: () => limits().lettersPerEmail },
    isLevelOnSale: async (key) => (await findLevel(db, key))?.isOnSale ?? false,
    termsVersion: async () => cache.content().pages.get('terms-conditions')?.version ?? '',
  })
  const verification = createVerificationService({
    ...shared,
    codeLimit: () => limits().verificationCodePerEmail,
    passwordLimit: () => limits().loginWrongPassword,
  })
  const logins = createLoginService({
    ...shared,
    sessions,
    wrongPasswordLimit: () => limits().loginWrongPassword,
    subscriptionOf: mine,
  })
  const resets = createResetService({
    ...shared,
    letterLimit: () => limits().lettersPerEmail,
    isOfficer: officers.isOfficer,
  })

  const contact = createContactService({
    ...shared,
    officersEmail: tools.config.officersEmail,
    limits: { hourly: () => limits().sendMessageHourly, acknowledgements: () => limits().acknowledgementsPerEmail },
  })

  const newsletters = createNewsletterFeatures(shared)
  const correspondence = createCorrespondence({ ...shared, ...newsletters, officers })
  const content = createContentFeature({ ...shared, users: [correspondence.pictureUser] })

  const sponsorships = createSponsorshipService({
    ...shared,
    limits,
    tiers: () => cache.content().tiers,
    logoMonths: () => cache.content().settings.sponsorship.logoMonths,
    sponsorCheckouts: createSponsorCheckoutService({ ...shared, sponsorSettlements }),
  })
  const sponsorLetters = createSponsorLetters({
    ...shared,
    officersEmail: tools.config.officersEmail,
    taxWording: () => cache.content().settings.sponsorship.taxWording,
  })

  const rsvps = createRsvpFeatures(shared)

  const authLetters = createAuthLetters({
    ...shared,
    levelName: async (key) => (await findLevel(db, key))?.name ?? key,
  })
  const membershipEffects = createMembershipEffects({ ...shared, subscriptions, receipts })

  const reconciler = createReconciler({ ...shared, settlements, sponsorSettlements, subscriptions, paymentReturns })

  const aboutContent = { siteUrl, timeZone, name: () => cache.content().settings.association.name }
  const findCalendar = eventDocuments({ ...aboutContent, today: cache.today, events: () => cache.content().events })
  const findFeed = newsDocuments({ ...aboutContent, news: () => cache.content().news.values() })

  return {
    routes(server) {
      authRoutes(server, { registrations, verification, logins, sessions, resets })
      membershipRoutes(server, memberships, cache.version)
      billingRoutes(server, billing, payments)
      credentialRoutes(server, credentials)
      consoleRoutes(server, console)
      content.routes(server)
      correspondence.routes(server)
      membersConsole(server)
      accountRoutes(server, { accounts, emailChanges, devices, personalData, deletions })
      contactRoutes(server, contact)
      newsletters.routes(server)
      rsvps.routes(server)
      mediaRoutes(server, tools.pictures)
      sponsorsRoutes(server, {
        sponsors: () => withPresentPictures(tools.pictures, cache.content().sponsors),
        sponsorships,
        contentVersion: () => `${cache.version()} ${tools.pictures.version()}`,
      })
    },
    rawRoutes(server) {
      webhookRoutes(server, webhooks)
      newsletters.rawRoutes(server)
    },
    uploadRoutes: content.uploadRoutes,
    async otherRoutes(app) {
      correspondence.otherRoutes(app)
      await newsletters.otherRoutes(app)
    },
    authenticate: sessions.authenticate,
    admitOfficer: officers.admit,
    letters: {
      ...authLetters.letters,
      ...createAccountLetters(shared),
      ...membershipEffects.letters,
      ...credentials.letters,
      ...officers.letters,
      ...createNoticeLetters({ ...shared, subscriptions }),
      ...contact.letters,
      ...correspondence.letters,
      ...newsletters.letters,
      ...sponsorLetters,
      ...rsvps.letters,
    },
    effects: {
      ...authLetters.effects,
      ...emailChanges.effects,
      ...deletions.effects,
      ...membershipEffects.effects,
      ...newsletters.effects,
      ...webhooks.effects,
    },
    jobs: [reconciler, notices.job, content.job, rsvps.reminders, ...correspondence.jobs],
    reconciler,
    notices,
    startMailings: newsletters.startMailings,
    findDocument: (path) => findCalendar(path) ?? findFeed(path) ?? newsletters.findDocument(path),
  }
}
