import { changePassword, deleteAccount, updateProfile } from './public/account-changes.ts'
import { downloadData } from './public/account-data.ts'
import { listDevices, signOutDevice, signOutEverywhere } from './public/account-devices.ts'
import { changeEmail, confirmEmail, stopEmailChange } from './public/account-email.ts'
import { getProfile } from './public/account.ts'
import {
  forgotPassword,
  login,
  refresh,
  register,
  resendVerification,
  resetPassword,
  verifyEmail,
} from './public/auth.ts'
import { downloadReceipt, listLevelChanges, listMemberPayments, openPortal, stripeWebhook } from './public/billing.ts'
import { listCampaigns } from './public/campaigns.ts'
import { sendMessage } from './public/contact.ts'
import { getCredentials, submitCredentials, submitTraining } from './public/credentials.ts'
import type { Endpoint } from './endpoint.ts'
import { listImages } from './public/media.ts'
import { listLevels, paymentStatus, startCheckout, verifyCheckoutSession } from './public/membership.ts'
import { confirmSubscription, unsubscribeByLink, receiveBounces, subscribe, unsubscribe } from './public/newsletter.ts'
import {
  cancelRsvp,
  changeRsvp,
  confirmRsvp,
  downloadCertificate,
  abandonRsvpPayment,
  payRsvp,
  readOwnRsvp,
  readRsvpSettings,
  sendRsvp,
  verifyRsvpPayment,
} from './public/rsvp.ts'
import { listSponsors, sponsorFormToken, startSponsorship } from './public/sponsors.ts'
import { consoleEndpoints } from './console/console-endpoints.ts'

/** All endpoints. The OpenAPI document and the tests of authorization are generated from this list. */
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
  submitCredentials,
  submitTraining,
  stripeWebhook,
  sendMessage,
  subscribe,
  unsubscribe,
  confirmSubscription,
  unsubscribeByLink,
  receiveBounces,
  listCampaigns,
  readRsvpSettings,
  sendRsvp,
  readOwnRsvp,
  changeRsvp,
  confirmRsvp,
  cancelRsvp,
  payRsvp,
  verifyRsvpPayment,
  abandonRsvpPayment,
  downloadCertificate,
  ...consoleEndpoints,
]
