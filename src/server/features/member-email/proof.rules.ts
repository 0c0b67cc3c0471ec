import type { FrozenRecipient } from './member-email.repository.ts'

/** The result of the email for one person on the list, as the proof counts it. */
export type ProofResult = 'accepted' | 'uncertain' | 'posted' | 'returned' | 'not-posted' | 'barred' | 'left-out'

export const PROOF_RESULT_NAMES: Record<ProofResult, string> = {
  accepted: 'Accepted by the mail server of the recipient',
  uncertain: 'Sent, without an answer of the mail server',
  posted: 'Posted',
  returned: 'Returned or rejected',
  'not-posted': 'To be posted',
  barred: 'Not written to',
  'left-out': 'Could not be reached',
}

/** A copy that came back and was then posted counts as posted. */
export function proofResult({ way, copy, postedOn }: Pick<FrozenRecipient, 'way' | 'copy' | 'postedOn'>): ProofResult {
  if (postedOn !== null) return 'posted'
  if (way === 'post') return 'not-posted'
  if (way === 'barred' || way === 'left-out') return way
  if (copy?.state === 'accepted' || copy?.state === 'uncertain') return copy.state
  return 'returned'
}

/** How many of each, in the order of `PROOF_RESULT_NAMES`; results that no one has are left out. */
export function countProofResults(recipients: readonly Parameters<typeof proofResult>[0][]): [ProofResult, number][] {
  const groups = Map.groupBy(recipients, proofResult)
  const results = Object.keys(PROOF_RESULT_NAMES) as ProofResult[]
  return results.flatMap((result): [ProofResult, number][] => {
    const count = groups.get(result)?.length ?? 0
    return count === 0 ? [] : [[result, count]]
  })
}
