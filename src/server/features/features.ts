import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import { dayOf } from '#contract/dates.ts'
import type { Config } from '../config/config.ts'
import type { Schema } from '../db/schema.ts'
import type { Caller, Server } from '../http/serve.ts'
import type { OutgoingLetter } from '../mail/letter.ts'
import type { PaymentGateway } from '../payments/payment-gateway.ts'
import type { Alarms } from '../platform/alarms.ts'
import type { BotCheck } from '../platform/bot-check.ts'
import type { Clock } from '../platform/clock.ts'
import type { Job } from '../platform/job-runner.ts'
import type { Log } from '../platform/logger.ts'
import type { RateLimiter } from '../platform/rate-limiter.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { FindDocument } from '../pages/documents.ts'
import { accountRoutes } from './account/account.routes.ts'
import { createAccountService } from './account/account.service.ts'
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
import { contactRoutes } from './contact/contact.routes.ts'
import { createContactService } from './contact/contact.service.ts'
import { eventDocuments } from './events/event-documents.ts'
import { createCheckoutService } from './membership/checkout.service.ts'
import { credentialRoutes } from './membership/credential.routes.ts'
import { createCredentialService } from './membership/credential.service.ts'
import { findLevel } from './membership/level.repository.ts'
import { createMembershipEffects } from './membership/membership.effects.ts'
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
import { newsletterRoutes } from './newsletter/newsletter.routes.ts'
import { createNewsletterService } from './newsletter/newsletter.service.ts'
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
  authenticate(token: string): Promise<Caller>
  letters: Record<string, (payload: Payload) => Promise<OutgoingLetter | null>>
  effects: Record<string, (payload: Payload) => Promise<void>>
  /** Work that comes round again. */
  jobs: Job[]
  /** For the admin commands. */
  reconciler: Reconciler
  notices: NoticeService
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

  const sessions = createSessionService({ ...shared, sessionDays: () => cache.content().settings.session.days })
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
  const accounts = createAccountService({ db, subscriptionOf: mine })
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
  const resets = createResetService({ ...shared, letterLimit: () => limits().lettersPerEmail })

  const contact = createContactService({
    ...shared,
    officersEmail: tools.config.officersEmail,
    limits: { hourly: () => limits().sendMessageHourly, acknowledgements: () => limits().acknowledgementsPerEmail },
  })

  const newsletter = createNewsletterService({ ...shared, letterLimit: () => limits().newsletterLettersPerEmail })

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
      accountRoutes(server, accounts)
      contactRoutes(server, contact)
      newsletterRoutes(server, newsletter)
      mediaRoutes(server, tools.pictures)
      sponsorsRoutes(server, {
        sponsors: () => cache.content().sponsors,
        sponsorships,
        contentVersion: cache.version,
      })
    },
    rawRoutes: (server) => webhookRoutes(server, webhooks),
    authenticate: sessions.authenticate,
    letters: {
      ...authLetters.letters,
      ...membershipEffects.letters,
      ...credentials.letters,
      ...createNoticeLetters({ ...shared, subscriptions }),
      ...contact.letters,
      ...newsletter.letters,
      ...sponsorLetters,
    },
    effects: { ...authLetters.effects, ...membershipEffects.effects, ...newsletter.effects, ...webhooks.effects },
    jobs: [reconciler, notices.job],
    reconciler,
    notices,
    findDocument: (path) => findCalendar(path) ?? findFeed(path),
  }
}
