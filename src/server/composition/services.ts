import { findAccount } from '#server/features/accounts/account.queries.ts'
import { createAuditService } from '#server/features/audit/audit.service.ts'
import { createPasswordCheck } from '#server/features/auth/password-proof.service.ts'
import { createRegistrationService } from '#server/features/auth/registration/registration.service.ts'
import { createVerificationService } from '#server/features/auth/registration/verification.service.ts'
import { createRequestedEmails } from '#server/features/auth/requested-emails.service.ts'
import { createResetService } from '#server/features/auth/reset.service.ts'
import { createLoginService } from '#server/features/auth/sessions/login.service.ts'
import { createSessionService } from '#server/features/auth/sessions/session.service.ts'
import { createContactService } from '#server/features/contact/contact.service.ts'
import { createInboxService } from '#server/features/contact/inbox.service.ts'
import { createTemplateService } from '#server/features/contact/template.service.ts'
import { createContentService } from '#server/features/content/content.service.ts'
import { createCredentialReviewService } from '#server/features/credentials/credential-review.service.ts'
import { createCredentialService } from '#server/features/credentials/credential.service.ts'
import { createCouponsService } from '#server/features/dues/coupons.service.ts'
import { createDuesService } from '#server/features/dues/dues.service.ts'
import { createPriceMoves } from '#server/features/dues/price-moves.service.ts'
import { createLevelPrices } from '#server/features/levels/set-level-price.service.ts'
import { createMediaConsoleService } from '#server/features/media/media-console.service.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import { createAccountChecks } from '#server/features/member-admin/account/account-checks.service.ts'
import { createAddMemberService } from '#server/features/member-admin/account/add-member.service.ts'
import { createApprovableActs } from '#server/features/member-admin/account/approvable-acts.service.ts'
import { createMemberAccountService } from '#server/features/member-admin/account/member-account.service.ts'
import { createImportInvitations } from '#server/features/member-admin/import/import-invitation.service.ts'
import { createMemberImportRun } from '#server/features/member-admin/import/member-import-run.service.ts'
import { createMemberImportUndo } from '#server/features/member-admin/import/member-import-undo.service.ts'
import { createMemberImportService } from '#server/features/member-admin/import/member-import.service.ts'
import { createMemberActionsService } from '#server/features/member-admin/member-actions.service.ts'
import { createMemberListService } from '#server/features/member-admin/member-list.service.ts'
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
import { createMembershipPriceService } from '#server/features/memberships/membership-price.service.ts'
import { hasRights } from '#server/features/memberships/membership.rules.ts'
import { createMembershipService } from '#server/features/memberships/membership.service.ts'
import { createManualPayments } from '#server/features/memberships/payments/manual-payment.service.ts'
import { createMembershipPayments } from '#server/features/memberships/payments/payment-refunds.service.ts'
import { createProviderEffects } from '#server/features/memberships/provider-effects.service.ts'
import { createReminderJob } from '#server/features/memberships/reminders/reminder.job.ts'
import { createReminderService } from '#server/features/memberships/reminders/reminder.service.ts'
import { createSubscriptionService } from '#server/features/memberships/subscription.service.ts'
import { findSubscriptionView } from '#server/features/memberships/subscription-view.service.ts'
import { createAccountService } from '#server/features/my-account/account.service.ts'
import { createDeletionService } from '#server/features/my-account/deletion/deletion.service.ts'
import { createDevicesService } from '#server/features/my-account/devices.service.ts'
import { createEmailChangeService } from '#server/features/my-account/email-change/email-change.service.ts'
import { createPersonalDataService } from '#server/features/my-account/personal-data.service.ts'
import { createArchiveService } from '#server/features/newsletter/archive.service.ts'
import { createComposingService } from '#server/features/newsletter/composing/composing.service.ts'
import { createNewsletterPictures } from '#server/features/newsletter/composing/newsletter-pictures.service.ts'
import { createBlockRenderer } from '#server/features/newsletter/composing/render-blocks.service.ts'
import { createMailingService } from '#server/features/newsletter/sending/mailing.service.ts'
import { createSendingService } from '#server/features/newsletter/sending/sending.service.ts'
import { createBouncesService } from '#server/features/newsletter/subscribers/bounces.service.ts'
import { createNewsletterService } from '#server/features/newsletter/subscribers/newsletter.service.ts'
import { createSubscribersService } from '#server/features/newsletter/subscribers/subscriber-list.service.ts'
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
import { createSeatRefunds } from '#server/features/rsvps/orders/rsvp-refunds.service.ts'
import { createSeatsOrder } from '#server/features/rsvps/orders/seats.order.ts'
import { createWaitlist } from '#server/features/rsvps/orders/waitlist.service.ts'
import { createRsvpRequests } from '#server/features/rsvps/requests/rsvp-requests.service.ts'
import { createRsvpConsoleService } from '#server/features/rsvps/rsvp-console.service.ts'
import { createRsvpReminderJob } from '#server/features/rsvps/rsvp-reminders.job.ts'
import { createRsvpService } from '#server/features/rsvps/rsvp.service.ts'
import { createRsvpQueries } from '#server/features/rsvps/rsvp-view.service.ts'
import { createHeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { createBenefitsService } from '#server/features/sponsors/benefits.service.ts'
import { createSponsorshipOrder } from '#server/features/sponsors/orders/sponsorship.order.ts'
import { createRunOfShowService } from '#server/features/sponsors/run-of-show.service.ts'
import { createSponsorshipService } from '#server/features/sponsors/sponsorship.service.ts'
import { createMonthPaymentsService } from '#server/features/treasury/month-payments.service.ts'
import { createPayoutsService } from '#server/features/treasury/payouts.service.ts'
import { createRollOverService } from '#server/features/year-rollover/roll-over.service.ts'
import type { AppContext } from '#server/app-context.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import type { PictureQueue } from '#server/media-store/pictures/picture-queue.ts'
import { EMAIL_NAMES } from './effects.ts'

export interface MediaTools {
  pictures: PicturesService
  store: MediaStore
  workshop: PictureQueue
}

/** Creates every service, each after the ones it uses. */
export function createServices(ctx: AppContext, media: MediaTools) {
  const { db, clock, graceMs } = ctx
  const { pictures } = media
  const subscriptionOf = (accountId: string) =>
    findSubscriptionView(db, accountId, { now: clock.now(), graceMs: graceMs() })
  /** The confirmed address of an account; null if there is no such account. */
  const accountEmail = async (accountId: string) => (await findAccount(db, accountId))?.email ?? null
  /** The same for an account with an active membership. */
  async function memberEmail(accountId: string): Promise<string | null> {
    const subscription = await subscriptionOf(accountId)
    return subscription && hasRights(subscription.status) ? accountEmail(accountId) : null
  }

  const guard = createActAuthorizer(ctx)
  const heldWork = createHeldWork(ctx)
  const proof = createPasswordCheck(ctx)
  const officers = createOfficerService(ctx, { guard, heldWork })
  const { isOfficer } = officers
  const factors = createSecondFactors(ctx, { proof, officers })
  const secondFactors = createSecondFactorService(ctx, { factors, officers })
  const passkeys = createPasskeyService(ctx, { factors, officers })
  const views = createViewAsService(ctx, { officers, guard })

  const sessions = createSessionService(ctx)
  const registrations = createRegistrationService(ctx)
  const verification = createVerificationService(ctx)
  const logins = createLoginService(ctx, { sessions, subscriptionOf })
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
  const takesCodes = coupons.acceptsCodes
  const checkouts = createCheckoutService(ctx, { orders, kind: kinds.membership, takesCodes })
  const memberships = createMembershipService(ctx, { sessions, checkouts, prices, freeMemberships, orders })
  const billing = createBillingService(ctx, { levelPrices, memberships })
  const payments = createPaymentsService(ctx, { prices, receipts, levelPrices })
  const priceMoves = createPriceMoves(ctx, { levelPrices, subscriptions })
  const dues = createDuesService(ctx, { moves: priceMoves })
  const credentials = createCredentialService(ctx)
  const credentialReviews = createCredentialReviewService(ctx, { guard })

  const rsvpPayments = createRsvpPayments(ctx, { orders, kind: kinds.seats, waitlist })
  const reading = createRsvpQueries(ctx, { memberEmail })
  const requests = createRsvpRequests(ctx, { reading, waitlist })
  const rsvps = createRsvpService(ctx, {
    reading,
    requests,
    waitlist,
    checkouts: createRsvpCheckoutService(ctx, { orders, kind: kinds.seats }),
    orders,
    memberEmail,
    accountEmail,
  })
  const certificates = createCertificateService(ctx)
  const rsvpConsole = createRsvpConsoleService(ctx, { waitlist })
  const checkIns = createCheckInService(ctx, { waitlist, console: rsvpConsole })
  const rsvpMoney = createRsvpMoneyService(ctx, { waitlist, guard })
  const eventCancellations = createEventCancellationService(ctx, { console: rsvpConsole, orders })

  const sponsorships = createSponsorshipService(ctx, { orders, kind: kinds.sponsorship })
  const benefits = createBenefitsService(ctx)
  const runs = createRunOfShowService(ctx)

  const webhooks = createWebhookService(ctx, { orders, subscriptions })
  const reconciler = createReconciler(ctx, { orders, subscriptions })
  const providerEffects = createProviderEffects(ctx, { orders, subscriptions })

  const accounts = createAccountService(ctx, { sessions, proof, subscriptionOf, isOfficer })
  const emailChanges = createEmailChangeService(ctx, { proof })
  const deletions = createDeletionService(ctx, { proof, heldWork })
  const devices = createDevicesService(ctx, { sessions })
  const personalData = createPersonalDataService(ctx, { accounts })

  const checks = createAccountChecks(ctx, { guard })
  const approvableActs = createApprovableActs({ emailChanges, deletions, checks })
  const approvals = createApprovalService(ctx, { acts: approvableActs })
  const memberAccounts = createMemberAccountService(ctx, { emailChanges, deletions, approvals, checks, guard })
  const pairs = createPairReader(ctx, { guard })
  const merges = createMergeService(ctx, { pairs, guard, heldWork })
  const invitations = createImportInvitations(ctx)

  const newsletter = createNewsletterService(ctx)
  const mailings = createMailingService(ctx)
  const renderBlocks = createBlockRenderer(ctx, media)
  const composing = createComposingService(ctx, { mailings, renderBlocks })

  const content = createContentService(ctx, { heldWork })
  const audit = createAuditService(ctx, { contentTitles: content.titles })

  return {
    heldWork,
    officers,
    factors,
    secondFactors,
    passkeys,
    views,
    approvals,
    approvableActs,
    audit,

    sessions,
    registrations,
    verification,
    logins,
    resets,
    requestedEmails,
    accounts,
    emailChanges,
    deletions,
    devices,
    personalData,

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

    memberList: createMemberListService(ctx),
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
    invitations,
    memberAdding: createAddMemberService(ctx, { manualPayments, invitations }),
    memberImports: createMemberImportService(ctx),
    memberImportRun: createMemberImportRun(ctx, { invitations, guard }),
    memberImportUndo: createMemberImportUndo(ctx),
    merges,
    mergePlans: createMergePlanService(ctx, { pairs }),
    monthPayments: createMonthPaymentsService(ctx),
    payouts: createPayoutsService(ctx),

    reading,
    rsvps,
    requests,
    certificates,
    rsvpPayments,
    seatRefunds: createSeatRefunds(ctx, { orders }),
    rsvpReminders: createRsvpReminderJob(ctx),
    rsvpConsole,
    checkIns,
    rsvpMoney,
    eventCancellations,

    sponsorships,
    benefits,
    runs,
    contact: createContactService(ctx),
    inbox: createInboxService(ctx, { officers }),
    templates: createTemplateService(ctx),

    newsletter,
    archive: createArchiveService(ctx),
    subscribers: createSubscribersService(ctx, { newsletter }),
    bounces: createBouncesService(ctx),
    mailings,
    composing,
    sending: createSendingService(ctx, { composing, mailings, heldWork }),

    content,
    pictures,
    media: createMediaConsoleService(ctx, {
      ...media,
      users: [content, createNewsletterPictures(ctx, { renderBlocks })],
    }),
    rollOver: createRollOverService(ctx, { content: content.bulk, guard, heldWork }),
  }
}

export type Services = ReturnType<typeof createServices>
