import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { getOfficer } from '#contract/console.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
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
      if (turn === latest.current) setEntrance(next)
    })
  }, [])

  useEffect(() => {
    if (status !== 'unknown') look()
  }, [status, look])

  return { entrance, look }
}

async function findEntrance(): Promise<Entrance> {
  const bearer = currentToken()
  if (bearer === null) return { step: 'log-in' }
  try {
    const officer = await call(getOfficer, { bearer })
    const { isEnrolled, provedUntil } = officer.secondFactor
    return { step: provedUntil !== null ? 'inside' : isEnrolled ? 'prove' : 'enrol', officer }
  } catch (failure) {
    const { code, sentence } = failure instanceof CallFailure ? failure : {}
    if (code === 'NOT_AN_OFFICER') return { step: 'stranger', sentence: sentence ?? '' }
    if (code === 'SESSION_EXPIRED' || code === 'ACCOUNT_INACTIVE') return { step: 'log-in' }
    return { step: 'failed', sentence: explainToOfficer(failure) }
  }
}
