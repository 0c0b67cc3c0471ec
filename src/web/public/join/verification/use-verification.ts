import { useCallback, useEffect, useRef, useState } from 'react'
import { errors } from '#contract/errors.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { forgetTempUser } from './forget-temp-user.ts'
import type { Proof, Verified } from './verification-calls.ts'

export type Verification =
  | { step: 'waiting' }
  | { step: 'verifying' }
  | { step: 'verified'; reply: Verified; proof: Proof }
  /** The link is too old or unknown; another one can be sent. */
  | { step: 'expired' }
  /** Nothing is left to verify: only a new registration helps. */
  | { step: 'over' }
  | { step: 'failed'; sentence: string; proof: Proof }

const loadCalls = () => import('./verification-calls.ts')

/** Verifies the link's token as soon as it is known; a code is verified when it was typed. */
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

  /** For the forms on the page: refusals of a field are theirs to show. @throws {CallFailure} */
  async function verify(proof: Proof, password?: string): Promise<Verified | null> {
    try {
      const { verifyProof } = await loadCalls()
      const reply = await verifyProof(proof, password)
      // Proving it again with the password is no second verification: the page's answer stays the first one.
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

function verified(reply: Verified, proof: Proof): Verification {
  forgetTempUser()
  return { step: 'verified', reply, proof }
}

function afterFailure(failure: unknown, proof: Proof): Verification {
  const code = failure instanceof CallFailure ? failure.code : undefined
  if (code === 'LINK_EXPIRED') return { step: 'expired' }
  if (code === 'REGISTRATION_EXPIRED') return { step: 'over' }
  return { step: 'failed', sentence: explainVerification(failure), proof }
}

/** The fixed sentences for a verification. */
export function explainVerification(failure: unknown): string {
  if (!(failure instanceof CallFailure)) return 'Failed to complete verification. Please try again.'
  if (failure.kind === 'network') return 'Network error. Please try again.'
  if (failure.sentence) return failure.sentence
  return failure.status < 400 ? 'Failed to complete verification. Please try again.' : 'Verification failed'
}

export const verificationSentences = {
  expired: errors.LINK_EXPIRED.message,
  over: errors.REGISTRATION_EXPIRED.message,
} as const
