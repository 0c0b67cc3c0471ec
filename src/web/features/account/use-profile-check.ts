import { useEffect, useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { pause } from '#web/api/pause.ts'
import { currentToken, keepUser, logOut, useSession } from '#web/features/auth/session.ts'
import type { Account } from './get-account.ts'
import { outcomeOfFailure } from './profile-check.rules.ts'

/**
 * `visitor`: nobody is logged in, as far as is known. `checking`: a token is stored and the server is asked.
 * `member` without an account: a user is known, but no token is there to ask with.
 */
export type ProfileCheck = { step: 'visitor' } | { step: 'checking' } | { step: 'member'; account: Account | null }

/** Asks who is looking, only where a token is stored (decision A6). `onFailure` is told where to send the visitor. */
export function useProfileCheck(onFailure: (outcome: 'log-in' | 'home') => void): ProfileCheck {
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
      const outcome = await askForProfile()
      // A refusal has logged out by now, so only leaving the page makes the answer pointless.
      if (!isMounted.current) return
      if (typeof outcome !== 'string') {
        setAnswer({ account: outcome })
        return keepUser(outcome.profile)
      }
      // The account is gone; a session without one leads nowhere.
      if (outcome === 'home') logOut()
      onFailure(outcome)
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

async function askForProfile(): Promise<Account | 'log-in' | 'home'> {
  for (let retries = 0; ; retries++) {
    try {
      // Fetched for members only: most who look at the plans are visitors.
      const { getAccount } = await import('./get-account.ts')
      return await getAccount()
    } catch (failure) {
      const outcome = outcomeOfFailure(failure instanceof CallFailure ? failure.status : 0, retries)
      if (outcome !== 'retry') return outcome
      await pause(limits.profileCheck.retryDelayMs)
    }
  }
}
