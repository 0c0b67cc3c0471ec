import { errors } from '#contract/errors.ts'
import { messages } from '#contract/messages.ts'

export interface PaymentProblem {
  sentence: string
  /** Retry is offered unless the link itself is at fault. */
  canRetry: boolean
}

/** What the address of the return page lacks, or null when both parts are there. */
export function missingPart(address: { session_id?: string; nonce?: string }): PaymentProblem | null {
  const { session_id, nonce } = address
  if (session_id && nonce) return null
  if (!session_id && !nonce) return { sentence: sentences.nothing, canRetry: false }
  return { sentence: session_id ? messages.payment.missingNonce : messages.payment.missingSession, canRetry: false }
}

/** Why a session could not be verified; `status` is 0 without an answer, `sentence` what the server itself said. */
export function verificationProblem(status: number, sentence: string | undefined): PaymentProblem {
  if (status === 403) return { sentence: errors.PAYMENT_LINK_INVALID.message, canRetry: false }
  if (status === 0) return { sentence: sentences.network, canRetry: true }
  return { sentence: sentence ?? errors.PAYMENT_CHECK_FAILED.message, canRetry: true }
}

export const stillProcessing: PaymentProblem = {
  sentence: 'Payment is still processing. Please wait a moment or refresh the page.',
  canRetry: true,
}

const sentences = {
  nothing:
    'This link is missing payment information. If you already paid, please check your email or go to your Account page.',
  network: 'Verification failed. Please try again or refresh the page.',
}
