import { createAuditService } from '#server/features/audit/audit.service.ts'
import { createPasswordCheck } from '#server/features/auth/password-proof.service.ts'
import { createRegistrationService } from '#server/features/auth/registration/registration.service.ts'
import { createVerificationService } from '#server/features/auth/registration/verification.service.ts'
import { createRequestedEmails } from '#server/features/auth/requested-emails.service.ts'
import { createResetService } from '#server/features/auth/reset.service.ts'
import { createLoginService } from '#server/features/auth/sessions/login.service.ts'
import { createSessionService } from '#server/features/auth/sessions/session.service.ts'
import { createConsoleSearchService } from '#server/features/console-search/console-search.service.ts'
import { createContactService } from '#server/features/contact/contact.service.ts'
import { createInboxService } from '#server/features/contact/inbox.service.ts'
import { createTemplateService } from '#server/features/contact/template.service.ts'
import { createEmailWordings } from '#server/features/email-wordings/email-wordings.service.ts'
import { createContentService } from '#server/features/content/content.service.ts'
import { createCredentialReviewService } from '#server/features/credentials/credential-review.service.ts'
import { createCredentialService } from '#server/features/credentials/credential.service.ts'
import { createBrandFiles } from '#server/features/brand/brand-files.service.ts'
import { createCouponsService } from '#server/features/dues/coupons.service.ts'
import { createDemoService } from '#server/features/demo/demo.service.ts'
import { createDocumentService } from '#server/features/documents/document.service.ts'
import { createDuesService } from '#server/features/dues/dues.service.ts'
import { createPriceMoves } from '#server/features/dues/price-moves.service.ts'
import { createLevelPrices } from '#server/features/levels/set-level-price.service.ts'
import { createMediaListService } from '#server/features/media/media-list.service.ts'
import { createMediaConsoleService } from '#server/features/media/media-console.service.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import { createAccountChecks } from '#server/features/member-admin/account/account-checks.service.ts'
import { createApprovableActs } from '#server/features/member-admin/account/approvable-acts.service.ts'
import { createMemberAccountService } from '#server/features/member-admin/account/member-account.service.ts'
import { createMemberActionsService } from '#server/features/member-admin/member-actions.service.ts'
import { createMemberPageService } from '#server/features/member-admin/member-page.service.ts'
import { createPairReader } from '#server/features/member-admin/merge/merge-pair.queries.ts'
import { createMergePlanService } from '#server/features/member-admin/merge/merge-plan.service.ts'
import { createMergeService } from '#server/features/member-admin/merge/merge.service.ts'
import { createBillingService } from '#server/features/memberships/billing/billing.service.ts'
import { createPaymentsService } from '#server/features/memberships/billing/payments.service.ts'
import { createReceiptService } from '#server/features/memberships/billing/receipt.service.ts'
import { createCheckoutService } from '#server/features/memberships/checkout/checkout.service.ts'
import { createFreeMemberships } from '#server/features/memberships/checkout/free-membership.service.ts'
import { createMembershipOrder } from '#server/features/memberships/checkout/membership.order.ts'
import { createMemberRecordService } from '#server/features/member-record/member-record.service.ts'
import { createMembershipPriceService } from '#server/features/memberships/membership-price.service.ts'
import { createMembershipService } from '#server/features/memberships/membership.service.ts'
import { createManualPayments } from '#server/features/memberships/payments/manual-payment.service.ts'
import { createMembershipPayments } from '#server/features/memberships/payments/payment-refunds.service.ts'
import { createProviderEffects } from '#server/features/memberships/provider-effects.service.ts'
import { createReminderJob } from '#server/features/memberships/reminders/reminder.job.ts'
import { createReminderService } from '#server/features/memberships/reminders/reminder.service.ts'
import { createSubscriptionService } from '#server/features/memberships/subscription.service.ts'
import { createAccountHomeService } from '#server/features/my-account/account-home.service.ts'
import { createAccountService } from '#server/features/my-account/account.service.ts'
import { createDeletionService } from '#server/features/my-account/deletion/deletion.service.ts'
import { createDevicesService } from '#server/features/my-account/devices.service.ts'
import { createEmailChangeService } from '#server/features/my-account/email-change/email-change.service.ts'
import { createMemberEmailsService } from '#server/features/my-account/member-emails.service.ts'
import { createPersonalDataService } from '#server/features/my-account/personal-data.service.ts'
import { createNewsletterPictures } from '#server/features/newsletter/composing/newsletter-pictures.service.ts'
import { createActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { createApprovalService } from '#server/features/officers/approvals/approval.service.ts'
import { createSecondFactors } from '#server/features/officers/factors/factors.service.ts'
import { createPasskeyService } from '#server/features/officers/factors/passkey.service.ts'
import { createSecondFactorService } from '#server/features/officers/factors/second-factor.service.ts'
import { createOfficerService } from '#server/features/officers/officer.service.ts'
import { createViewAsService } from '#server/features/officers/view-as/view-as.service.ts'
import { createOrders } from '#server/features/orders/order.service.ts'
import { createReconciler } from '#server/features/payment-sync/reconciler.job.ts'
import { createWebhookService } from '#server/features/payment-sync/webhook.service.ts'
import { createEventCancellationService } from '#server/features/rsvps/cancel-event.service.ts'
import { createCertificateService } from '#server/features/rsvps/check-in/certificate.service.ts'
import { createCheckInService } from '#server/features/rsvps/check-in/check-in.service.ts'
import { createRsvpCheckoutService } from '#server/features/rsvps/orders/rsvp-checkout.service.ts'
import { createRsvpPayments } from '#server/features/rsvps/orders/rsvp-payment.service.ts'
import { createRsvpMoneyService } from '#server/features/rsvps/orders/rsvp-money.service.ts'
import { createSeatsOrder } from '#server/features/rsvps/orders/seats.order.ts'
import { createMemberRsvps } from '#server/features/rsvps/of-member/member-rsvps.service.ts'
import { createWaitlist } from '#server/features/rsvps/orders/waitlist.service.ts'
import { createRsvpRequests } from '#server/features/rsvps/requests/rsvp-requests.service.ts'
import { createEventRecords } from '#server/features/content/event-records.service.ts'
import { createAttendees } from '#server/features/rsvps/console/attendees.service.ts'
import { createEventList } from '#server/features/rsvps/console/event-list.service.ts'
import { createGuestMessages } from '#server/features/rsvps/console/guest-messages.service.ts'
import { createRsvpConsoleService } from '#server/features/rsvps/rsvp-console.service.ts'
import { createRsvpReminderJob } from '#server/features/rsvps/rsvp-reminders.job.ts'
import { createRsvpService } from '#server/features/rsvps/rsvp.service.ts'
import { createRsvpQueries } from '#server/features/rsvps/rsvp-view.service.ts'
import { createHeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { createBenefitsService } from '#server/features/sponsors/benefits.service.ts'
import { createSponsorshipOrder } from '#server/features/sponsors/orders/sponsorship.order.ts'
import { createRunOfShowService } from '#server/features/sponsors/run-of-show.service.ts'
import { createSponsorshipService } from '#server/features/sponsors/sponsorship.service.ts'
import { createTreasury } from './treasury.ts'
import { createHomeFiguresService } from '#server/features/reports/home-figures.service.ts'
import { createMemberReportService } from '#server/features/reports/member-report.service.ts'
import { createRollOverService } from '#server/features/year-rollover/roll-over.service.ts'
import type { AppContext } from '#server/app-context.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import type { PictureQueue } from '#server/media-store/pictures/picture-queue.ts'
import { EMAIL_NAMES, EMAILS } from './effects.ts'
import { createContentImportServices, type ContentImportTools } from './content-import-services.ts'
import { createMemberAddingServices } from './member-adding-services.ts'
import { createMemberLookups } from './member-lookups.ts'
import { createNewsletterServices } from './newsletter-services.ts'
import { createPeopleServices } from './people-services.ts'
import { createSetupServices, type SetupTools } from '#server/features/setup/setup.service.ts'
import { createRollServices } from './roll-services.ts'

export interface MediaTools {
  pictures: PicturesService
  store: MediaStore
  workshop: PictureQueue
}

export type SiteTools = SetupTools & Pick<ContentImportTools, 'fetchPicture' | 'isKnownPath'>

/** Creates every service, each after the ones it uses. */
export function createServices(ctx: AppContext, media: MediaTools, site: SiteTools) {
  const { pictures } = media
  const { subscriptionOf, accountEmail, memberEmail, isMember, levelOf } = createMemberLookups(ctx)
  const guard = createActAuthorizer(ctx)
  const heldWork = createHeldWork(ctx)
  const proof = createPasswordCheck(ctx)
  const officers = createOfficerService(ctx, { guard, heldWork })
  const { isOfficer } = officers
  const factors = createSecondFactors(ctx, { proof, officers })
  const secondFactors = createSecondFactorService(ctx, { factors, officers })
  const views = createViewAsService(ctx, { officers, guard })

  const sessions = createSessionService(ctx)
  const registrations = createRegistrationService(ctx)
  const verification = createVerificationService(ctx)
  const resets = createResetService(ctx, { isOfficer })
  const requestedEmails = createRequestedEmails(ctx)

  const levelPrices = createLevelPrices(ctx)
  const prices = createMembershipPriceService(ctx)
  const receipts = createReceiptService(ctx)
  const coupons = createCouponsService(ctx)
  const reminders = createReminderService(ctx)
  const subscriptions = createSubscriptionService(ctx, { reminders })
  const waitlist = createWaitlist(ctx)
  const kinds = {
    membership: createMembershipOrder(ctx, { payments: createMembershipPayments(ctx, { reminders }), levelPrices }),
    sponsorship: createSponsorshipOrder(ctx),
    seats: createSeatsOrder(ctx, { waitlist }),
  }
  const orders = createOrders(ctx, Object.values(kinds))

  const freeMemberships = createFreeMemberships(ctx)
  const manualPayments = createManualPayments(ctx)
  const checkouts = createCheckoutService(ctx, { orders, kind: kinds.membership, takesCodes: coupons.acceptsCodes })
  const memberships = createMembershipService(ctx, { sessions, checkouts, prices, freeMemberships, orders })
  const billing = createBillingService(ctx, { levelPrices, memberships })
  const payments = createPaymentsService(ctx, { prices, receipts, levelPrices })
  const priceMoves = createPriceMoves(ctx, { levelPrices, subscriptions })
  const dues = createDuesService(ctx, { moves: priceMoves })
  const credentials = createCredentialService(ctx)
  const credentialReviews = createCredentialReviewService(ctx, { guard })

  const rsvpPayments = createRsvpPayments(ctx, { orders, kind: kinds.seats, waitlist })
  const reading = createRsvpQueries(ctx, { memberEmail, levelOf })
  const requests = createRsvpRequests(ctx, { reading, waitlist })
  const rsvps = createRsvpService(ctx, {
    reading,
    requests,
    waitlist,
    checkouts: createRsvpCheckoutService(ctx, { orders, kind: kinds.seats }),
    orders,
    memberEmail,
    accountEmail,
    levelOf,
  })
  const content = createContentService(ctx, { heldWork, ...site })
  const events = createEventRecords(ctx, { content })
  const rsvpConsole = createRsvpConsoleService(ctx, { waitlist, findDraft: events.findDraft })
  const checkIns = createCheckInService(ctx, { waitlist, console: rsvpConsole })
  const rsvpMoney = createRsvpMoneyService(ctx, { waitlist, guard })
  const eventCancellations = createEventCancellationService(ctx, { console: rsvpConsole, orders })

  const sponsorships = createSponsorshipService(ctx, { orders, kind: kinds.sponsorship })
  const benefits = createBenefitsService(ctx)

  const webhooks = createWebhookService(ctx, { orders, subscriptions })
  const reconciler = createReconciler(ctx, { orders, subscriptions })
  const providerEffects = createProviderEffects(ctx, { orders, subscriptions })

  const accounts = createAccountService(ctx, { sessions, proof, subscriptionOf, isOfficer })
  const emailChanges = createEmailChangeService(ctx, { proof })
  const deletions = createDeletionService(ctx, { proof, heldWork })
  const devices = createDevicesService(ctx, { sessions })
  const memberRecords = createMemberRecordService(ctx, { guard, levelOf })
  const personalData = createPersonalDataService(ctx, { accounts, records: memberRecords })
  const memberRsvps = createMemberRsvps(ctx)

  const checks = createAccountChecks(ctx, { guard })
  const approvableActs = createApprovableActs({ emailChanges, deletions, checks })
  const approvals = createApprovalService(ctx, { acts: approvableActs })
  const memberAccounts = createMemberAccountService(ctx, { emailChanges, deletions, approvals, checks, guard })
  const pairs = createPairReader(ctx, { guard })
  const merges = createMergeService(ctx, { pairs, guard, heldWork })

  const newsletters = createNewsletterServices(ctx, { ...media, heldWork })
  const { newsletter, renderBlocks } = newsletters

  const emailWordings = createEmailWordings(ctx, { content: content.bulk, emails: EMAILS })
  const users = [content, createNewsletterPictures(ctx, { renderBlocks })]
  const mediaConsole = createMediaConsoleService(ctx, { ...media, users })
  const memberReport = createMemberReportService(ctx)
  const paying = { guard, orders, kinds: Object.values(kinds), waitlist, rsvpMoney, manualPayments, receipts }
  const inbox = createInboxService(ctx, { officers })
  const audit = createAuditService(ctx, { content })
  const brandFiles = createBrandFiles(ctx, media)
  const people = createPeopleServices(ctx, { guard, audit, brandFiles, manualPayments, subscriptions, heldWork })
  const treasury = createTreasury(ctx, { ...paying, reminders, memberList: people.memberList, content: content.bulk })

  return {
    brandFiles,
    setup: createSetupServices(ctx, sessions, { ...site, ...media }),
    heldWork,
    officers,
    factors,
    secondFactors,
    passkeys: createPasskeyService(ctx, { factors, officers }),
    views,
    approvals,
    approvableActs,
    audit,

    sessions,
    registrations,
    verification,
    logins: createLoginService(ctx, { sessions, subscriptionOf }),
    demo: createDemoService(ctx, { sessions, subscriptionOf }),
    resets,
    requestedEmails,
    accounts,
    emailChanges,
    deletions,
    devices,
    personalData,
    memberRsvps,
    memberRecords,
    accountHome: createAccountHomeService(ctx, { memberRsvps }),
    memberEmails: createMemberEmailsService(ctx, { newsletter, emailNames: EMAIL_NAMES }),

    memberships,
    orders,
    manualPayments,
    subscriptions,
    billing,
    payments,
    receipts,
    reminders,
    reminderJob: createReminderJob(ctx, { reminders, subscriptions }),
    priceMoves,
    dues,
    coupons,
    credentials,
    credentialReviews,
    webhooks,
    reconciler,
    providerEffects,

    ...people,
    ...createRollServices(ctx, { ...people, audiences: newsletters.audiences, guard }),
    memberReport,
    memberPage: createMemberPageService(ctx, {
      audit,
      subscriptionOf,
      isOfficer,
      mergesOf: merges.describeMerges,
      accountOf: memberAccounts.describe,
      emailNames: EMAIL_NAMES,
    }),
    memberActions: createMemberActionsService(ctx, { manualPayments, subscriptions, orders, guard, heldWork }),
    memberAccounts,
    ...createMemberAddingServices(ctx, { guard, manualPayments }),
    merges,
    mergePlans: createMergePlanService(ctx, { pairs }),
    treasury,
    homeFigures: createHomeFiguresService(ctx, { memberReport }),

    reading,
    rsvps,
    requests,
    certificates: createCertificateService(ctx),
    rsvpPayments,
    rsvpReminders: createRsvpReminderJob(ctx),
    rsvpConsole,
    checkIns,
    rsvpMoney,
    eventCancellations,
    eventList: createEventList(ctx, { events }),
    attendees: createAttendees(ctx, { events, isMember }),
    guestMessages: createGuestMessages(ctx, { events }),

    sponsorships,
    benefits,
    runs: createRunOfShowService(ctx),
    contact: createContactService(ctx),
    inbox,
    templates: createTemplateService(ctx),
    consoleSearch: createConsoleSearchService(ctx, { memberList: people.memberList, inbox, content }),
    ...newsletters,

    content,
    ...createContentImportServices(ctx, { ...media, ...site, content: content.bulk, mediaConsole, heldWork }),
    emailWordings,
    pictures,
    media: mediaConsole,
    mediaList: createMediaListService(ctx, { ...media, media: mediaConsole }),
    documents: createDocumentService(ctx, { ...media, ...site, users }),
    rollOver: createRollOverService(ctx, { content: content.bulk, guard, heldWork }),
  }
}

export type Services = ReturnType<typeof createServices>
