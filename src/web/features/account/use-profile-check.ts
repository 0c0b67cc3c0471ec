import { useEffect, useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { pause } from '#web/api/pause.ts'
import { currentToken, keepUser, logOut, useSession } from '#web/features/auth/session.ts'
import type { Account } from './get-account.ts'
import { accountProblem } from './membership-words.rules.ts'
import { outcomeOfFailure } from './profile-check.rules.ts'

/**
 * `visitor`: nobody is logged in, as far as is known. `checking`: a token is stored and the server is asked.
 * `member` without an account: a user is known, but no token is there to ask with.
 */
export type ProfileCheck = { step: 'visitor' } | { step: 'checking' } | { step: 'member'; account: Account | null }

/** Where the visitor belongs once the check has failed for good and the session is gone, and the sentence that says why. */
export interface FailedCheck {
  outcome: 'log-in' | 'home'
  sentence: string
}

/** Asks who is looking, only where a token is stored (docs/product-rules.md#failed-session-check). Calls `onFailure` after every failure has ended the session. */
export function useProfileCheck(onFailure: (failed: FailedCheck) => void): ProfileCheck {
  const { status } = useSession()
  const [answer, setAnswer] = useState<{ account: Account | null } | null>(null)
  const isMember = status === 'member'
  const isMounted = useMounted()
  const wasAsked = useRef(false)

  useEffect(() => {
    if (isMember && !wasAsked.current) void check()
    wasAsked.current = isMember

    async function check() {
      if (currentToken() === null) return setAnswer({ account: null })
      const answered = await askForProfile()
      // A refusal has logged out by now, so only leaving the page makes the answer pointless.
      if (!isMounted.current) return
      if ('outcome' in answered) {
        logOut()
        return onFailure(answered)
      }
      setAnswer({ account: answered })
      keepUser(answered.profile)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the check runs once for each log-in, not for each new callback
  }, [isMember])

  if (!isMember) return { step: 'visitor' }
  return answer ? { step: 'member', ...answer } : { step: 'checking' }
}

function useMounted() {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}

async function askForProfile(): Promise<Account | FailedCheck> {
  for (let retries = 0; ; retries++) {
    try {
      // Fetched for members only: most who look at the plans are visitors.
      const { getAccount } = await import('./get-account.ts')
      return await getAccount()
    } catch (failure) {
      const { status = 0, code } = failure instanceof CallFailure ? failure : {}
      const outcome = outcomeOfFailure(status, retries)
      if (outcome !== 'retry') return { outcome, sentence: accountProblem(status, code).sentence }
      await pause(limits.profileCheck.retryDelayMs)
    }
  }
}
