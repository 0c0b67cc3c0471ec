import { changePassword, deleteAccount, updateProfile } from './account-changes.ts'
import { downloadData } from './account-data.ts'
import { listDevices, signOutDevice, signOutEverywhere } from './account-devices.ts'
import { changeEmail, confirmEmail, stopEmailChange } from './account-email.ts'
import { getProfile } from './account.ts'
import { forgotPassword, login, refresh, register, resendVerification, resetPassword, verifyEmail } from './auth.ts'
import { downloadReceipt, listLevelChanges, listMemberPayments, openPortal, stripeWebhook } from './billing.ts'
import { listCampaigns } from './campaigns.ts'
import { sendMessage } from './contact.ts'
import { getCredentials, giveCredentials, giveTraining } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
import { listImages } from './media.ts'
import { listLevels, paymentStatus, startCheckout, verifyCheckoutSession } from './membership.ts'
import { confirmSubscription, leaveNewsletter, mailBounces, subscribe, unsubscribe } from './newsletter.ts'
import {
  cancelRsvp,
  changeRsvp,
  confirmRsvp,
  downloadCertificate,
  giveUpRsvpPayment,
  payRsvp,
  readOwnRsvp,
  readRsvpOffer,
  sendRsvp,
  verifyRsvpPayment,
} from './rsvp.ts'
import { listSponsors, sponsorFormToken, startSponsorship } from './sponsors.ts'
import { consoleEndpoints } from './console-endpoints.ts'

/** Every call there is. The OpenAPI document and the tests that walk all doors are made from this list. */
export const endpoints: readonly Endpoint[] = [
  register,
  verifyEmail,
  resendVerification,
  login,
  refresh,
  forgotPassword,
  resetPassword,
  getProfile,
  updateProfile,
  changePassword,
  deleteAccount,
  changeEmail,
  confirmEmail,
  stopEmailChange,
  listDevices,
  signOutDevice,
  signOutEverywhere,
  downloadData,
  listLevels,
  listSponsors,
  sponsorFormToken,
  startSponsorship,
  listImages,
  startCheckout,
  verifyCheckoutSession,
  paymentStatus,
  openPortal,
  listMemberPayments,
  downloadReceipt,
  listLevelChanges,
  getCredentials,
  giveCredentials,
  giveTraining,
  stripeWebhook,
  sendMessage,
  subscribe,
  unsubscribe,
  confirmSubscription,
  leaveNewsletter,
  mailBounces,
  listCampaigns,
  readRsvpOffer,
  sendRsvp,
  readOwnRsvp,
  changeRsvp,
  confirmRsvp,
  cancelRsvp,
  payRsvp,
  verifyRsvpPayment,
  giveUpRsvpPayment,
  downloadCertificate,
  ...consoleEndpoints,
]
