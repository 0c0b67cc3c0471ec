import { useCallback, useEffect, useRef, useState } from 'react'
import type { Profile } from '#contract/account.ts'
import { limits } from '#contract/limits.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { pause } from '#web/api/pause.ts'
import { currentToken, keepUser, logOut, subscribe, useSession } from '#web/features/auth/session.ts'
import { explain } from '#web/features/forms/explain.ts'
import type { Account } from './get-account.ts'
import { accountProblem } from './membership-words.rules.ts'

export type AccountState =
  | { step: 'loading' }
  | { step: 'shown'; account: Account }
  | ({ step: 'problem' } & ReturnType<typeof accountProblem>)

/** The sentence for what failed on the account page: `missing` without a token, `failed` when nothing better is known. */
export type ExplainFailure = (failure: unknown, sentences: { missing: string; failed: string }) => string

/** The account of whoever is logged in, asked for once the session is known. */
export function useAccount() {
  const { status } = useSession()
  const [state, setState] = useState<AccountState>({ step: 'loading' })
  const [isRefreshing, setRefreshing] = useState(false)
  const [refreshProblem, setRefreshProblem] = useState<string | null>(null)
  const isKnown = status !== 'unknown'
  const isWanted = useRef(false)

  const load = useCallback(async () => {
    setState({ step: 'loading' })
    const next = await askForAccount()
    if (isWanted.current) setState(next)
  }, [])

  useEffect(() => {
    isWanted.current = true
    if (isKnown) void load()
    return () => {
      isWanted.current = false
    }
  }, [isKnown, load])

  // Whoever signed out elsewhere leaves nothing of theirs on the screen (docs/product-rules.md#sessions-across-tabs).
  useEffect(
    () => subscribe((hasEnded) => hasEnded && setState((before) => (before.step === 'shown' ? SIGNED_OUT : before))),
    [],
  )

  /** Keeps what is shown while it asks, for at least a second; a lost session takes its place, another failure stands beside it. */
  async function refresh() {
    if (isRefreshing) return
    setRefreshing(true)
    setRefreshProblem(null)
    const [next] = await Promise.all([askForAccount(), pause(limits.refreshSpinnerMs)])
    setRefreshing(false)
    if (next.step === 'problem' && next.way === 'try-again') setRefreshProblem(next.sentence)
    else setState(next)
  }

  /** Shows a profile that was stored or found just now. */
  function showProfile(profile: Profile) {
    keepUser(profile)
    setState((before) =>
      before.step === 'shown' ? { step: 'shown', account: { ...before.account, profile } } : before,
    )
  }

  /** A session that turns out to have ended takes the page's place, as when the account is loaded. */
  const explainFailure: ExplainFailure = (failure, { missing, failed }) => {
    const { status: refusedWith = 0, code } = failure instanceof CallFailure ? failure : {}
    if (code === 'AUTHENTICATION_REQUIRED') return missing
    if (refusedWith === 401 || refusedWith === 403) {
      setState({ step: 'problem', ...accountProblem(refusedWith, code) })
    }
    return explain(failure, { refused: failed, network: failed })
  }

  return { state, load, refresh, isRefreshing, refreshProblem, showProfile, explainFailure }
}

const SIGNED_OUT: AccountState = { step: 'problem', ...accountProblem(401, 'AUTHENTICATION_REQUIRED') }

async function askForAccount(): Promise<AccountState> {
  // Nothing more is fetched for whoever is not logged in.
  if (currentToken() === null) {
    logOut()
    return SIGNED_OUT
  }
  try {
    const { getAccount } = await import('./get-account.ts')
    const account = await getAccount()
    if (currentToken() === null) return SIGNED_OUT
    keepUser(account.profile)
    return { step: 'shown', account }
  } catch (failure) {
    const { status = 0, code } = failure instanceof CallFailure ? failure : {}
    return { step: 'problem', ...accountProblem(status, code) }
  }
}
