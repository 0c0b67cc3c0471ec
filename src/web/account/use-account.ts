import { useCallback, useEffect, useRef, useState } from 'react'
import type { Profile } from '#contract/public/account.ts'
import { limits } from '#contract/limits.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { delay } from '#web/api/delay.ts'
import { currentToken, storeUser, logOut, onSessionChange, useSession } from '#web/session/session.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import type { Account } from '#web/shared/get-account.ts'
import { accountProblem } from '#web/shared/membership-text.rules.ts'

export type AccountState =
  | { step: 'loading' }
  | { step: 'shown'; account: Account }
  | ({ step: 'problem' } & ReturnType<typeof accountProblem>)

/**
 * Maps a failure on the account page to a message: `missing` without a token, `failed` if nothing more specific is
 * known.
 */
export type ExplainFailure = (failure: unknown, sentences: { missing: string; failed: string }) => string

/** Loads the logged-in member's account once the session is known. */
export function useAccount() {
  const { status } = useSession()
  const [state, setState] = useState<AccountState>({ step: 'loading' })
  const [isRefreshing, setRefreshing] = useState(false)
  const [refreshProblem, setRefreshProblem] = useState<string | null>(null)
  const isKnown = status !== 'unknown'
  const isWanted = useRef(false)

  const load = useCallback(async () => {
    setState({ step: 'loading' })
    const next = await loadAccount()
    if (isWanted.current) setState(next)
  }, [])

  useEffect(() => {
    isWanted.current = true
    if (isKnown) void load()
    return () => {
      isWanted.current = false
    }
  }, [isKnown, load])

  // After a logout in another tab, nothing of the account stays on the screen
  // (docs/product-rules.md#sessions-across-tabs).
  useEffect(
    () =>
      onSessionChange((hasEnded) => hasEnded && setState((before) => (before.step === 'shown' ? SIGNED_OUT : before))),
    [],
  )

  /**
   * Keeps showing the current data while reloading, for at least a second. An ended session replaces the page; other
   * failures are shown next to it.
   */
  async function refresh() {
    if (isRefreshing) return
    setRefreshing(true)
    setRefreshProblem(null)
    const [next] = await Promise.all([loadAccount(), delay(limits.refreshSpinnerMs)])
    setRefreshing(false)
    if (next.step === 'problem' && next.action === 'try-again') setRefreshProblem(next.message)
    else setState(next)
  }

  /** Shows a profile that was just saved or loaded. */
  function showProfile(profile: Profile) {
    storeUser(profile)
    setState((before) =>
      before.step === 'shown' ? { step: 'shown', account: { ...before.account, profile } } : before,
    )
  }

  /** If the session turns out to have ended, that message replaces the page, as it does on loading. */
  const explainFailure: ExplainFailure = (failure, { missing, failed }) => {
    const { status: refusedWith = 0, code } = failure instanceof CallFailure ? failure : {}
    if (code === 'AUTHENTICATION_REQUIRED') return missing
    const hasEnded = refusedWith === 401 || refusedWith === 403
    if (hasEnded && code !== 'ACTIVE_MEMBERSHIP_REQUIRED') {
      setState({ step: 'problem', ...accountProblem(refusedWith, code) })
    }
    return errorMessage(failure, { refused: failed, network: failed })
  }

  return { state, load, refresh, isRefreshing, refreshProblem, showProfile, explainFailure }
}

const SIGNED_OUT: AccountState = { step: 'problem', ...accountProblem(401, 'AUTHENTICATION_REQUIRED') }

async function loadAccount(): Promise<AccountState> {
  // Loads no more code for visitors who are not logged in.
  if (currentToken() === null) {
    logOut()
    return SIGNED_OUT
  }
  try {
    const { getAccount } = await import('#web/shared/get-account.ts')
    const account = await getAccount()
    if (currentToken() === null) return SIGNED_OUT
    storeUser(account.profile)
    return { step: 'shown', account }
  } catch (failure) {
    const { status = 0, code } = failure instanceof CallFailure ? failure : {}
    return { step: 'problem', ...accountProblem(status, code) }
  }
}
