import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getProfile } from '#contract/public/account.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { callAsMember } from '../call-as-member.ts'
import { getSession, logIn, signOut, startSession } from '../session.ts'

vi.mock('#web/api/reload.ts', () => ({ reloadPage: vi.fn<() => void>() }))

const api = useFakeApi()
const meera = { username: 'meera.r' }
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21) })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

function store(token: string): void {
  localStorage.setItem('token', token)
  localStorage.setItem('user', JSON.stringify(meera))
}

function start(): void {
  stop = startSession()
}

describe('membership cards kept in this browser', () => {
  const CARD = 'card:u1'
  const isKept = () => localStorage.getItem(CARD) !== null
  beforeEach(() => localStorage.setItem(CARD, '{}'))

  test('are removed when someone else logs in, and stay for their owner', () => {
    logIn({ token: tokenFor(3_600, 'u1'), user: meera })
    expect(isKept()).toBe(true)
    logIn({ token: tokenFor(3_600, 'u2'), user: { username: 'other' } })
    expect(isKept()).toBe(false)
  })

  test('are removed by signing out, also after the session has expired', () => {
    store(tokenFor(3_600))
    start()
    signOut()
    expect(isKept()).toBe(false)
    localStorage.setItem(CARD, '{}')
    signOut()
    expect(isKept()).toBe(false)
  })

  test.each([
    [401, 'SESSION_EXPIRED'],
    [403, 'ACCOUNT_INACTIVE'],
  ])('are removed when the site ends the session with %i', async (status, code) => {
    store(tokenFor(3_600))
    start()
    api.current.on('GET /api/account/profile', errorResponse(status, code, 'Ended.'))
    await expect(callAsMember(getProfile)).rejects.toThrow(CallFailure)
    expect(isKept()).toBe(false)
  })

  test('stay when a session expires, which happens on a phone every week', () => {
    store(tokenFor(120))
    vi.setSystemTime(Date.now() + 180_000)
    start()
    expect([getSession().status, isKept()]).toEqual(['anonymous', true])
  })

  test('stay while an officer views the site as another member, and when the view ends', () => {
    store(tokenFor(3_600))
    sessionStorage.setItem('viewToken', tokenFor(600, 'u2'))
    sessionStorage.setItem('token', tokenFor(600, 'u2'))
    start()
    signOut()
    expect(isKept()).toBe(true)
  })
})
