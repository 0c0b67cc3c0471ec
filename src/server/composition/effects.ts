import { sendAlert } from '#server/alerts/alert.emails.ts'
import {
  sendAlreadyRegistered,
  sendPasswordChanged,
  sendPasswordReset,
  sendVerification,
} from '#server/features/auth/auth.emails.ts'
import { sendMessageReply } from '#server/features/contact/answer.emails.ts'
import { sendContactMessage, sendContactReceived } from '#server/features/contact/contact.emails.ts'
import { sendCredentialDecision, sendCredentialQuestion } from '#server/features/credentials/credential.emails.ts'
import { sendDirectoryMessageEmail, sendReportedMessage } from '#server/features/directory/directory-message.emails.ts'
import { sendPlantedMessage } from '#server/features/directory/planted/planted-message.emails.ts'
import { sendRenewalLink } from '#server/features/member-admin/bulk/renewal-link.emails.ts'
import { sendInvitation } from '#server/features/member-admin/import/import-invitation.emails.ts'
import { sendAccountsMerged, sendAccountsSeparated } from '#server/features/member-admin/merge/merge.emails.ts'
import {
  sendReceipt,
  sendReceiptCanceled,
  sendRefund,
  sendWelcome,
} from '#server/features/memberships/membership.emails.ts'
import { sendMembershipReminder } from '#server/features/memberships/reminders/reminder.emails.ts'
import {
  sendAccountDeleted,
  sendDeletionFailed,
  sendEndingFailed,
} from '#server/features/my-account/deletion/deletion.emails.ts'
import {
  sendEmailChange,
  sendEmailChangeAnnouncement,
  sendEmailChangeStopped,
  sendEmailChanged,
} from '#server/features/my-account/email-change/email-change.emails.ts'
import { sendAccountReopened, sendDeathReported } from '#server/features/person-state/person-state.emails.ts'
import { sendWordingTest } from '#server/features/email-wordings/wording-test.emails.ts'
import { sendTestNewsletter } from '#server/features/newsletter/composing/newsletter-test.emails.ts'
import { sendMailingFinished } from '#server/features/newsletter/sending/mailing.emails.ts'
import {
  sendNewsletterConfirmation,
  sendNewsletterUnsubscribed,
} from '#server/features/newsletter/subscribers/newsletter.emails.ts'
import { sendApprovalDecided, sendApprovalWanted } from '#server/features/officers/approvals/approval.emails.ts'
import { sendFactorChanged } from '#server/features/officers/factors/factor.emails.ts'
import { sendRoleGiven } from '#server/features/officers/officer.emails.ts'
import {
  sendSeatReceipt,
  sendSeatRefund,
  sendSeatRefundFailed,
} from '#server/features/rsvps/orders/rsvp-money.emails.ts'
import { sendRsvpEmail } from '#server/features/rsvps/rsvp.emails.ts'
import { sendSponsorPaid, sendSponsorRefund, sendSponsorThanks } from '#server/features/sponsors/sponsors.emails.ts'
import { sendOrderReceiptCanceled } from '#server/features/treasury/payment/order-receipt.emails.ts'
import { queueStatements } from '#server/features/treasury/year/statement.effects.ts'
import { sendStatement } from '#server/features/treasury/year/statement.emails.ts'
import { queueRollCall } from '#server/features/roll-call/roll-call.effects.ts'
import { sendRollCall } from '#server/features/roll-call/roll-call.emails.ts'
import { importSubscription } from '#server/features/treasury/subscriptions/subscription-import.effects.ts'
import { processEvent } from '#server/features/orders/stripe-event.effects.ts'
import { forgotPassword, resendVerification } from '#server/features/auth/auth.effects.ts'
import {
  deactivateCoupon,
  ensurePrice,
  makeCoupon,
  movePrice,
  renameLevel,
} from '#server/features/dues/dues.effects.ts'
import { importContent, undoContentImportEffect } from '#server/features/content-import/content-import.effects.ts'
import { runBulk } from '#server/features/member-admin/bulk/bulk.effects.ts'
import { importMembers, undoImport } from '#server/features/member-admin/import/member-import.effects.ts'
import {
  endSubscription,
  expireCheckout,
  refundPayment,
  stopRenewal,
  syncSubscription,
} from '#server/features/memberships/membership.effects.ts'
import { finishDeletion, stopSubscription, updateProvider } from '#server/features/my-account/account.effects.ts'
import { askToSubscribe, confirmUnsubscription } from '#server/features/newsletter/subscribers/newsletter.effects.ts'
import { messageGuests } from '#server/features/rsvps/console/guest-message.effects.ts'
import { sendGuestMessageEmail } from '#server/features/rsvps/console/guest-message.emails.ts'
import { makeRefund } from '#server/features/orders/payments/order-refund.effects.ts'

/** Every email that the site sends through the outbox. */
export const EMAILS = [
  sendAlert,
  sendVerification,
  sendAlreadyRegistered,
  sendPasswordReset,
  sendPasswordChanged,
  sendMessageReply,
  sendContactMessage,
  sendContactReceived,
  sendCredentialDecision,
  sendCredentialQuestion,
  sendDirectoryMessageEmail,
  sendReportedMessage,
  sendPlantedMessage,
  sendInvitation,
  sendRenewalLink,
  sendAccountsMerged,
  sendAccountsSeparated,
  sendWelcome,
  sendReceipt,
  sendReceiptCanceled,
  sendRefund,
  sendMembershipReminder,
  sendRollCall,
  sendDeathReported,
  sendAccountReopened,
  sendAccountDeleted,
  sendEndingFailed,
  sendDeletionFailed,
  sendEmailChange,
  sendEmailChangeAnnouncement,
  sendEmailChanged,
  sendEmailChangeStopped,
  sendTestNewsletter,
  sendWordingTest,
  sendMailingFinished,
  sendNewsletterConfirmation,
  sendNewsletterUnsubscribed,
  sendApprovalWanted,
  sendApprovalDecided,
  sendFactorChanged,
  sendRoleGiven,
  sendSeatReceipt,
  sendSeatRefund,
  sendSeatRefundFailed,
  sendRsvpEmail,
  sendGuestMessageEmail,
  sendSponsorThanks,
  sendSponsorPaid,
  sendSponsorRefund,
  sendOrderReceiptCanceled,
  sendStatement,
] as const

export const EMAIL_NAMES: ReadonlyMap<string, string> = new Map(EMAILS.map(({ kind, name }) => [kind, name]))

/** All other work for the outbox. */
export const EFFECTS = [
  resendVerification,
  forgotPassword,
  makeCoupon,
  deactivateCoupon,
  ensurePrice,
  renameLevel,
  movePrice,
  importMembers,
  undoImport,
  importContent,
  undoContentImportEffect,
  runBulk,
  refundPayment,
  endSubscription,
  expireCheckout,
  stopRenewal,
  syncSubscription,
  finishDeletion,
  stopSubscription,
  updateProvider,
  askToSubscribe,
  confirmUnsubscription,
  messageGuests,
  makeRefund,
  importSubscription,
  queueStatements,
  queueRollCall,
  processEvent.checkout,
  processEvent.subscription,
  processEvent.payment,
] as const
