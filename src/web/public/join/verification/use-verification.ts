import { useCallback, useEffect, useRef, useState } from 'react'
import { visitorErrors } from '#contract/visitor-errors.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { clearPendingRegistration } from '#web/session/clear-pending-registration.ts'
import type { Proof, VerifyEmailReply } from './verification-calls.ts'

export type Verification =
  | { step: 'waiting' }
  | { step: 'verifying' }
  | { step: 'verified'; reply: VerifyEmailReply; proof: Proof }
  /** The link is unknown or has expired; another one can be sent. */
  | { step: 'expired' }
  /** The registration has expired; the visitor has to register again. */
  | { step: 'over' }
  | { step: 'failed'; sentence: string; proof: Proof }

const loadCalls = () => import('./verification-calls.ts')

/** Verifies the link's token as soon as it is read; a code is verified when it is submitted. */
export function useVerification(token: string | undefined) {
  const [verification, setVerification] = useState<Verification>({ step: 'waiting' })
  const verifiedToken = useRef<string | null>(null)

  const verifyLink = useCallback(async (proof: Proof) => {
    setVerification({ step: 'verifying' })
    try {
      const { verifyProof } = await loadCalls()
      const reply = await verifyProof(proof)
      setVerification(verified(reply, proof))
    } catch (failure) {
      setVerification(afterFailure(failure, proof))
    }
  }, [])

  useEffect(() => {
    if (token === undefined || verifiedToken.current === token) return
    verifiedToken.current = token
    void verifyLink({ token })
  }, [token, verifyLink])

  /** For forms on the page, which show field errors themselves. @throws {CallFailure} */
  async function verify(proof: Proof, password?: string): Promise<VerifyEmailReply | null> {
    try {
      const { verifyProof } = await loadCalls()
      const reply = await verifyProof(proof, password)
      // Proving it again with the password is not a second verification, so keep the first result.
      const alreadyVerified =
        verification.step === 'verified' ? verification.reply.alreadyVerified : reply.alreadyVerified
      setVerification(verified({ ...reply, alreadyVerified }, proof))
      return reply
    } catch (failure) {
      const next = afterFailure(failure, proof)
      if (next.step === 'failed') throw failure
      setVerification(next)
      return null
    }
  }

  return { verification, verify, verifyLink }
}

function verified(reply: VerifyEmailReply, proof: Proof): Verification {
  clearPendingRegistration()
  return { step: 'verified', reply, proof }
}

function afterFailure(failure: unknown, proof: Proof): Verification {
  const code = failure instanceof CallFailure ? failure.code : undefined
  if (code === 'LINK_EXPIRED') return { step: 'expired' }
  if (code === 'REGISTRATION_EXPIRED') return { step: 'over' }
  return { step: 'failed', sentence: verificationErrorMessage(failure), proof }
}

/** The fixed messages for a failed verification. */
export function verificationErrorMessage(failure: unknown): string {
  if (!(failure instanceof CallFailure)) return 'Failed to complete verification. Please try again.'
  if (failure.kind === 'network') return 'Network error. Please try again.'
  if (failure.serverMessage) return failure.serverMessage
  return failure.status < 400 ? 'Failed to complete verification. Please try again.' : 'Verification failed'
}

export const verificationMessages = {
  expired: visitorErrors.LINK_EXPIRED.message,
  registrationExpired: visitorErrors.REGISTRATION_EXPIRED.message,
} as const
