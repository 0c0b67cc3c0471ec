import { useEffect, useState } from 'react'
import { CallFailure } from '#web/api/call-failure.ts'

export interface SponsorReturnParameters {
  session_id?: string
  nonce?: string
}

export type SponsorPayment = { step: 'verifying' } | { step: 'verified' } | { step: 'issue'; sentence: string }

/** The result of the payment that led here; `address` is null until read. */
export function useSponsorPayment(address: SponsorReturnParameters | null): SponsorPayment {
  const [payment, setPayment] = useState<SponsorPayment>({ step: 'verifying' })

  useEffect(() => {
    if (!address) return
    let isCurrent = true
    verify(address).then(
      (outcome) => isCurrent && setPayment(outcome),
      (cause: unknown) => isCurrent && setPayment({ step: 'issue', sentence: explainFailure(cause) }),
    )
    return () => {
      isCurrent = false
    }
  }, [address])

  return payment
}

async function verify({ session_id, nonce }: SponsorReturnParameters): Promise<SponsorPayment> {
  if (!session_id || !nonce) return { step: 'issue', sentence: MISSING }
  const { verifySponsorship } = await import('./verify-sponsorship.ts')
  const isPaid = await verifySponsorship({ session_id, nonce })
  return isPaid ? { step: 'verified' } : { step: 'issue', sentence: UNABLE }
}

function explainFailure(cause: unknown): string {
  // Also if this page's own code failed to load.
  if (!(cause instanceof CallFailure) || cause.kind === 'network') return NO_NETWORK
  if (cause.status === 403) return cause.serverMessage ?? 'Verification failed'
  return UNABLE
}

const MISSING = 'Missing verification information. Please contact us if you completed payment.'
const UNABLE = 'Unable to verify sponsorship. Please contact us.'
const NO_NETWORK = 'Unable to verify sponsorship. Please contact us if you completed payment.'
