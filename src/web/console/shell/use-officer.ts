import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { getOfficer } from '#contract/console/console.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { localStore } from '#web/session/browser-storage.ts'
import { CHECK_IN_OFFICER_KEY } from '#web/session/check-in-storage.ts'
import { CHECK_IN_PAGES } from '#web/session/offline/offline-pages.ts'
import { currentToken, useSession } from '#web/session/session.ts'
import { officerErrorMessage } from './call-as-officer.ts'

export type Officer = ReplyOf<typeof getOfficer>

/** The state of access to the console: `enrol` and `prove` wait for the second factor. */
export type OfficerAccess =
  | { step: 'loading' }
  | { step: 'log-in' }
  | { step: 'stranger'; sentence: string }
  | { step: 'failed'; sentence: string }
  | { step: 'enrol'; officer: Officer }
  | { step: 'prove'; officer: Officer }
  | { step: 'inside'; officer: Officer }

/** Loads the officer and their access; reloads when a request is not authorized. */
export function useOfficer(): { entrance: OfficerAccess; look(): void } {
  const { status } = useSession()
  const [entrance, setEntrance] = useState<OfficerAccess>({ step: 'loading' })
  const latest = useRef(0)

  const look = useCallback(() => {
    const request = ++latest.current
    const found = ahead ?? findEntrance()
    ahead = null
    void found.then((next) => {
      // A lost network must not sign out an officer who is already in.
      const isGone = next.step === 'failed'
      if (request === latest.current) setEntrance((now) => (isGone && now.step === 'inside' ? now : next))
    })
  }, [])

  useEffect(() => {
    if (status !== 'unknown') look()
    window.addEventListener('online', look)
    return () => window.removeEventListener('online', look)
  }, [status, look])

  return { entrance, look }
}

let ahead: Promise<OfficerAccess> | null = null

/** Begins the first look while the console that was opened by its address becomes interactive. */
export function lookAhead(): void {
  ahead = findEntrance()
}

let known: Officer | null = null

/** Stores the officer for offline check-in. Removed on logout (`check-in-storage.ts`). */
export function storeOfficerForCheckIn(): void {
  if (known) localStore.set(CHECK_IN_OFFICER_KEY, JSON.stringify({ ...known, email: '' }))
}

function readKeptOfficer(now: number): Officer | null {
  if (!window.location.pathname.startsWith(CHECK_IN_PAGES.scope)) return null
  try {
    const officer = JSON.parse(localStore.get(CHECK_IN_OFFICER_KEY) ?? 'null') as Officer | null
    return Date.parse(officer?.secondFactor.provedUntil ?? '') > now ? officer : null
  } catch {
    return null
  }
}

function isUnreachable(failure: unknown): boolean {
  return !(failure instanceof CallFailure) || failure.kind === 'network' || failure.status >= 500
}

async function findEntrance(): Promise<OfficerAccess> {
  const bearer = currentToken()
  if (bearer === null) return { step: 'log-in' }
  try {
    const officer = await call(getOfficer, { bearer })
    known = officer
    const { isEnrolled, provedUntil } = officer.secondFactor
    return { step: provedUntil !== null ? 'inside' : isEnrolled ? 'prove' : 'enrol', officer }
  } catch (failure) {
    const { code, serverMessage: sentence } = failure instanceof CallFailure ? failure : {}
    if (code === 'NOT_AN_OFFICER') return { step: 'stranger', sentence: sentence ?? '' }
    if (code === 'SESSION_EXPIRED' || code === 'ACCOUNT_INACTIVE') return { step: 'log-in' }
    // Offline check-in goes on until the second factor expires.
    const kept = isUnreachable(failure) ? readKeptOfficer(Date.now()) : null
    return kept ? { step: 'inside', officer: kept } : { step: 'failed', sentence: officerErrorMessage(failure) }
  }
}
