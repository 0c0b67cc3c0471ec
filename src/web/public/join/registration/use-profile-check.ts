import { useEffect, useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { delay } from '#web/api/delay.ts'
import { currentToken, storeUser, logOut, useSession } from '#web/session/session.ts'
import type { Account } from '#web/shared/get-account.ts'
import { profileCheckOutcome } from './profile-check.rules.ts'

/**
 * `visitor`: not logged in, as far as is known. `checking`: a token is stored and the server is being asked. `member`
 * without an account: the user is known but there is no valid token to load it with.
 */
export type ProfileCheck =
  | { step: 'visitor' }
  | { step: 'checking' }
  | { step: 'member'; account: CheckedAccount | null }

interface CheckedAccount extends Account {
  /** What the plans page says about the membership. */
  lead: string
}

/** Where to send the visitor after the check failed for good and the session was ended, and why. */
export interface FailedProfileCheck {
  outcome: 'log-in' | 'home'
  message: string
}

/**
 * Loads the profile if a token is stored (docs/product-rules.md#failed-session-check). Calls `onFailure` after a final
 * failure has logged the visitor out.
 */
export function useProfileCheck(onFailure: (failed: FailedProfileCheck) => void): ProfileCheck {
  const { status } = useSession()
  const [result, setResult] = useState<{ account: CheckedAccount | null } | null>(null)
  const isMember = status === 'member'
  const isMounted = useMounted()
  const hasChecked = useRef(false)

  useEffect(() => {
    if (isMember && !hasChecked.current) void check()
    hasChecked.current = isMember

    async function check() {
      if (currentToken() === null) return setResult({ account: null })
      const loaded = await loadProfile()
      // A rejected call has already logged out, so only an unmount makes the result irrelevant.
      if (!isMounted.current) return
      if ('outcome' in loaded) {
        logOut()
        return onFailure(loaded)
      }
      setResult({ account: loaded })
      storeUser(loaded.profile)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the check runs once per login, not for each new callback
  }, [isMember])

  if (!isMember) return { step: 'visitor' }
  return result ? { step: 'member', ...result } : { step: 'checking' }
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

async function loadProfile(): Promise<CheckedAccount | FailedProfileCheck> {
  for (let retries = 0; ; retries++) {
    try {
      // Loaded for members only: most visitors of the plans are not logged in.
      const [{ getAccount }, { plansLead }] = await Promise.all([
        import('#web/shared/get-account.ts'),
        import('#web/shared/membership-greeting.rules.ts'),
      ])
      const account = await getAccount()
      return { ...account, lead: plansLead(account.subscription, Date.now()) }
    } catch (failure) {
      const { status = 0, code } = failure instanceof CallFailure ? failure : {}
      const outcome = profileCheckOutcome(status, retries)
      if (outcome !== 'retry') {
        const { accountProblem } = await import('#web/shared/membership-text.rules.ts')
        return { outcome, message: accountProblem(status, code).message }
      }
      await delay(limits.profileCheck.retryDelayMs)
    }
  }
}
