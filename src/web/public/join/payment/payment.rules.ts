import { visitorErrors } from '#contract/visitor-errors.ts'
import { messages } from '#contract/messages.ts'

export interface PaymentError {
  message: string
  /** False if the link itself is the problem. */
  canRetry: boolean
}

/** The missing parameter of the return URL, or null if both are there. */
export function findMissingParameter(address: { session_id?: string; nonce?: string }): PaymentError | null {
  const { session_id, nonce } = address
  if (session_id && nonce) return null
  if (!session_id && !nonce) return { message: sentences.nothing, canRetry: false }
  return { message: session_id ? messages.payment.missingNonce : messages.payment.missingSession, canRetry: false }
}

/** Why a session could not be verified; `status` is 0 without a response, `sentence` is the server's message. */
export function toPaymentError(status: number, sentence: string | undefined): PaymentError {
  if (status === 403) return { message: visitorErrors.PAYMENT_LINK_INVALID.message, canRetry: false }
  if (status === 0) return { message: sentences.network, canRetry: true }
  return { message: sentence ?? visitorErrors.PAYMENT_CHECK_FAILED.message, canRetry: true }
}

export const stillProcessing: PaymentError = {
  message: 'Payment is still processing. Please wait a moment or refresh the page.',
  canRetry: true,
}

const sentences = {
  nothing:
    'This link is missing payment information. If you already paid, please check your email or go to your Account page.',
  network: 'Verification failed. Please try again or refresh the page.',
}
