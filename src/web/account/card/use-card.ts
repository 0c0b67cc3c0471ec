import { useCallback, useEffect, useRef, useState } from 'react'
import { getCard, type MembershipCard } from '#contract/public/my-account/membership-card.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { viewToken } from '#web/api/view-token.ts'
import { callAsMember } from '#web/session/call-as-member.ts'
import { currentToken, useSession } from '#web/session/session.ts'
import { tokenOwner } from '#web/session/token.rules.ts'
import { accountProblem } from '#web/shared/membership-text.rules.ts'
import { readStoredCard, storeCard } from './stored-card.ts'

const AGAIN_MS = 60_000

export type CardState =
  | { step: 'loading' }
  /** `isLive`: the site answered just now. Otherwise the card says when it last did. */
  | { step: 'shown'; card: MembershipCard; owner: string | null; isLive: boolean; isKept: boolean; needsLogin: boolean }
  /** An officer views the site as the member. */
  | { step: 'hidden' }
  | ({ step: 'problem' } & ReturnType<typeof accountProblem>)

/** The card, checked again every minute and whenever the page comes back; between checks that fail, as it was last known. */
export function useCard() {
  const { status, user } = useSession()
  const username = user?.username
  const [state, setState] = useState<CardState>({ step: 'loading' })
  const latest = useRef(0)
  const isWanted = useRef(false)

  const load = useCallback(async () => {
    const request = ++latest.current
    const next = await readCard()
    if (isWanted.current && request === latest.current)
      setState((before) => (next === 'unreachable' ? lastKnown(before) : next))
  }, [])

  useEffect(() => {
    if (status === 'unknown') return
    isWanted.current = true
    void load()
    // Until the site answers, nothing says that it is checked: a phone may have slept for days.
    const check = () => {
      setState(notLive)
      if (document.visibilityState === 'visible') void load()
    }
    const timer = setInterval(() => document.visibilityState === 'visible' && void load(), AGAIN_MS)
    window.addEventListener('online', check)
    window.addEventListener('offline', check)
    document.addEventListener('visibilitychange', check)
    return () => {
      isWanted.current = false
      clearInterval(timer)
      window.removeEventListener('online', check)
      window.removeEventListener('offline', check)
      document.removeEventListener('visibilitychange', check)
    }
  }, [status, username, load])

  /** Shows a card that the site just sent to its owner; one that is kept in this browser is replaced there too. */
  const show = useCallback((card: MembershipCard, owner: string) => {
    latest.current++
    // Someone else may have logged in meanwhile, in another tab.
    if (ownerNow() === owner) setState(keepIfWanted(card, owner))
  }, [])

  return { state, load, show }
}

/** The account whose session this is; null without one, and in a member view. */
function ownerNow(): string | null {
  return viewToken() === null ? tokenOwner(currentToken()) : null
}

function keepIfWanted(card: MembershipCard, owner: string): CardState {
  const isKept = readStoredCard(owner, Date.now()) !== null
  if (isKept) storeCard(owner, card)
  return { step: 'shown', card, owner, isLive: true, isKept, needsLogin: false }
}

async function readCard(): Promise<CardState | 'unreachable'> {
  if (currentToken() === null) {
    const card = viewToken() === null ? readStoredCard(null, Date.now()) : null
    return card
      ? { step: 'shown', card, owner: null, isLive: false, isKept: true, needsLogin: true }
      : { step: 'problem', ...accountProblem(401, 'AUTHENTICATION_REQUIRED') }
  }
  try {
    const owner = ownerNow()
    const card = await callAsMember(getCard)
    // Another person's session, or a member view, whose calls are refused.
    return owner === null || owner !== ownerNow() ? { step: 'loading' } : keepIfWanted(card, owner)
  } catch (failure) {
    const { status = 0, code } = failure instanceof CallFailure ? failure : {}
    if (code === 'VIEW_HIDES') return { step: 'hidden' }
    if (status === 0 || status === 429 || status >= 500) return 'unreachable'
    return { step: 'problem', ...accountProblem(status, code) }
  }
}

/** What is known without the site: what the page shows already, or what this browser keeps. */
function lastKnown(before: CardState): CardState {
  const owner = ownerNow()
  if (before.step === 'shown' && before.owner === owner) return { ...before, isLive: false }
  const card = owner === null ? null : readStoredCard(owner, Date.now())
  return card
    ? { step: 'shown', card, owner, isLive: false, isKept: true, needsLogin: false }
    : { step: 'problem', ...accountProblem(0, undefined) }
}

function notLive(before: CardState): CardState {
  return before.step === 'shown' ? { ...before, isLive: false } : before
}
