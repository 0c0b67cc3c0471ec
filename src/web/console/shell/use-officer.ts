import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { getOfficer } from '#contract/console.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import { localStore } from '#web/features/auth/browser-storage.ts'
import { DOOR_OFFICER, DOOR_SCOPE } from '#web/features/auth/door-kept.ts'
import { currentToken, useSession } from '#web/features/auth/session.ts'
import { explainToOfficer } from './console-door.ts'

export type Officer = ReplyOf<typeof getOfficer>

/** How far somebody is in: `enrol` and `prove` wait for the second factor. */
export type Entrance =
  | { step: 'loading' }
  | { step: 'log-in' }
  | { step: 'stranger'; sentence: string }
  | { step: 'failed'; sentence: string }
  | { step: 'enrol'; officer: Officer }
  | { step: 'prove'; officer: Officer }
  | { step: 'inside'; officer: Officer }

/** Who is at the door; looked at again whenever a call finds it closed. */
export function useOfficer(): { entrance: Entrance; look(): void } {
  const { status } = useSession()
  const [entrance, setEntrance] = useState<Entrance>({ step: 'loading' })
  const latest = useRef(0)

  const look = useCallback(() => {
    const turn = ++latest.current
    void findEntrance().then((next) => {
      // A network that is gone closes no door behind somebody who is inside.
      const isGone = next.step === 'failed'
      if (turn === latest.current) setEntrance((now) => (isGone && now.step === 'inside' ? now : next))
    })
  }, [])

  useEffect(() => {
    if (status !== 'unknown') look()
    window.addEventListener('online', look)
    return () => window.removeEventListener('online', look)
  }, [status, look])

  return { entrance, look }
}

let known: Officer | null = null

/** Remembers who is at the door, so that it opens for them without a network; forgotten when they leave (`door-kept.ts`). */
export function keepOfficerAtDoor(): void {
  if (known) localStore.set(DOOR_OFFICER, JSON.stringify({ ...known, email: '' }))
}

function readKeptOfficer(now: number): Officer | null {
  if (!window.location.pathname.startsWith(DOOR_SCOPE)) return null
  try {
    const officer = JSON.parse(localStore.get(DOOR_OFFICER) ?? 'null') as Officer | null
    return Date.parse(officer?.secondFactor.provedUntil ?? '') > now ? officer : null
  } catch {
    return null
  }
}

function isUnanswered(failure: unknown): boolean {
  return !(failure instanceof CallFailure) || failure.kind === 'network' || failure.status >= 500
}

async function findEntrance(): Promise<Entrance> {
  const bearer = currentToken()
  if (bearer === null) return { step: 'log-in' }
  try {
    const officer = await call(getOfficer, { bearer })
    known = officer
    const { isEnrolled, provedUntil } = officer.secondFactor
    return { step: provedUntil !== null ? 'inside' : isEnrolled ? 'prove' : 'enrol', officer }
  } catch (failure) {
    const { code, sentence } = failure instanceof CallFailure ? failure : {}
    if (code === 'NOT_AN_OFFICER') return { step: 'stranger', sentence: sentence ?? '' }
    if (code === 'SESSION_EXPIRED' || code === 'ACCOUNT_INACTIVE') return { step: 'log-in' }
    // At a door whoever was inside goes on without a network, as long as the code they gave holds.
    const kept = isUnanswered(failure) ? readKeptOfficer(Date.now()) : null
    return kept ? { step: 'inside', officer: kept } : { step: 'failed', sentence: explainToOfficer(failure) }
  }
}
