import { useCallback, useEffect, useState } from 'react'
import { getAccountHome, type AccountHome } from '#contract/public/my-account/account-home.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

export interface HomeState {
  /** null until it is loaded. */
  value: AccountHome | null
  hasFailed: boolean
  load(): Promise<void>
}

/** What waits for the member, and the member's events. Reloads when `version` changes, and keeps what it has meanwhile. */
export function useAccountHome(version: unknown): HomeState {
  const [state, setState] = useState<Omit<HomeState, 'load'>>({ value: null, hasFailed: false })

  const load = useCallback(async () => {
    try {
      const value = await callAsMember(getAccountHome)
      setState({ value, hasFailed: false })
    } catch {
      setState((before) => ({ ...before, hasFailed: true }))
    }
  }, [])

  useEffect(() => void load(), [load, version])
  return { ...state, load }
}
