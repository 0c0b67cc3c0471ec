import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getProfile } from '#contract/public/account.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { reloadPage } from '#web/api/reload.ts'
import { callAsMember } from './call-as-member.ts'
// Imported before the clock is faked, since loading a module takes real time.
import './refresh-token.ts'
import { getSession, storeUser, logIn, startSession } from './session.ts'
import {
  storePendingRegistration,
  readPendingRegistration,
} from '#web/public/join/verification/pending-registration.ts'
import { useViewer } from './viewer.ts'

vi.mock('#web/api/reload.ts', () => ({ reloadPage: vi.fn<() => void>() }))

const api = useFakeApi()
const meera = { username: 'meera.r' }
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21) })
})
afterEach(() => {
  stop()
  cleanup()
  vi.useRealTimers()
})

function store(token: string | null, user: unknown = meera): void {
  if (token !== null) localStorage.setItem('token', token)
  if (user !== null) localStorage.setItem('user', typeof user === 'string' ? user : JSON.stringify(user))
}

function start(): void {
  stop = startSession()
}

function otherTab(key: string | null, newValue: string | null): void {
  if (key === null) localStorage.clear()
  else if (newValue === null) localStorage.removeItem(key)
  else localStorage.setItem(key, newValue)
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
}

describe('start-up', () => {
  const cases: [string, () => void, ReturnType<typeof getSession>, (string | null)[]][] = [
    ['no token', () => {}, { status: 'anonymous', user: null }, [null, null]],
    ['a user without token', () => store(null), { status: 'anonymous', user: null }, [null, 'kept']],
    ['a valid token', () => store(tokenFor(3_600)), { status: 'member', user: meera }, ['kept', 'kept']],
    ['a valid token, no user', () => store(tokenFor(3_600), null), { status: 'member', user: null }, ['kept', null]],
    ['a malformed user', () => store(tokenFor(3_600), '{'), { status: 'member', user: null }, ['kept', 'kept']],
    ['an expired token', () => store(tokenFor(0)), { status: 'anonymous', user: null }, [null, null]],
    ['a malformed token', () => store('abc'), { status: 'anonymous', user: null }, [null, null]],
    ['an empty token', () => store(''), { status: 'anonymous', user: null }, [null, null]],
  ]
  test.each(cases)('%s', (_, prepare, expected, kept) => {
    prepare()
    expect(getSession().status).toBe('unknown')
    start()
    expect(getSession()).toEqual(expected)
    expect(['token', 'user'].map((key) => (localStorage.getItem(key) === null ? null : 'kept'))).toEqual(kept)
  })
})

test('validity is checked every 60 seconds, and an expired token logs out', async () => {
  api.current.on('POST /api/auth/refresh', errorResponse(409, 'REFRESH_TOO_EARLY', 'no'))
  store(tokenFor(90))
  start()
  await vi.waitFor(() => expect(api.current.sent).toHaveLength(1))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(getSession().status).toBe('member')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(getSession()).toEqual({ status: 'anonymous', user: null })
  expect(localStorage.getItem('token')).toBeNull()
  expect(localStorage.getItem('user')).toBeNull()
})

describe('a token with under 5 minutes left', () => {
  test('is exchanged once', async () => {
    const fresh = tokenFor(7_200)
    api.current.on('POST /api/auth/refresh', { body: { token: fresh } })
    const old = tokenFor(330)
    store(old)
    start()
    await vi.advanceTimersByTimeAsync(180_000)
    await vi.waitFor(() => expect(localStorage.getItem('token')).toBe(fresh))
    expect(api.current.requestsTo('POST /api/auth/refresh').map(({ bearer }) => bearer)).toEqual([old])
    expect(getSession()).toEqual({ status: 'member', user: meera })
  })

  test('is not refreshed again after a rejection, and is used until it expires', async () => {
    api.current.on('POST /api/auth/refresh', errorResponse(401, 'SESSION_EXPIRED', 'no'))
    store(tokenFor(200))
    start()
    await vi.waitFor(() => expect(api.current.sent).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(180_000)
    expect(api.current.sent).toHaveLength(1)
    expect(getSession().status).toBe('member')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(getSession().status).toBe('anonymous')
  })

  test('is refreshed again after a network error', async () => {
    api.current.on('POST /api/auth/refresh', 'no network')
    // Uses a different token than the previous test: each token is exchanged once.
    store(tokenFor(210))
    start()
    await vi.waitFor(() => expect(api.current.sent).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(60_000)
    await vi.waitFor(() => expect(api.current.sent).toHaveLength(2))
  })

  test('does not restore a session that ended meanwhile', async () => {
    api.current.on('POST /api/auth/refresh', { body: { token: tokenFor(7_200) } })
    store(tokenFor(100))
    start()
    otherTab('token', null)
    await vi.waitFor(() => expect(api.current.sent).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(localStorage.getItem('token')).toBeNull()
    expect(getSession().status).toBe('anonymous')
  })
})

describe('other tabs', () => {
  test('a changed user is adopted', () => {
    store(tokenFor(3_600))
    start()
    otherTab('user', JSON.stringify({ username: 'meera.new' }))
    expect(getSession().user).toEqual({ username: 'meera.new' })
  })

  test('invalid text changes nothing', () => {
    store(tokenFor(3_600))
    start()
    otherTab('user', '{')
    expect(getSession().user).toEqual(meera)
  })

  test('a removed user is cleared', () => {
    store(tokenFor(3_600))
    start()
    otherTab('user', null)
    expect(getSession()).toEqual({ status: 'member', user: null })
  })

  test('a removed token logs this tab out too', () => {
    store(tokenFor(3_600))
    start()
    otherTab('token', null)
    expect(getSession()).toEqual({ status: 'anonymous', user: null })
    expect(localStorage.getItem('user')).toBeNull()
  })

  test('cleared storage logs out', () => {
    store(tokenFor(3_600))
    start()
    otherTab(null, null)
    expect(getSession()).toEqual({ status: 'anonymous', user: null })
  })

  test('a login in another tab logs in here', () => {
    start()
    otherTab('token', tokenFor(3_600))
    otherTab('user', JSON.stringify(meera))
    expect(getSession()).toEqual({ status: 'member', user: meera })
  })

  test('other keys are ignored', () => {
    store(tokenFor(3_600))
    start()
    otherTab('theme', null)
    expect(getSession().status).toBe('member')
  })
})

describe('the viewer', () => {
  function Shown() {
    const { status, username, signOut } = useViewer()
    return (
      <button type="button" onClick={signOut}>
        {status} {username}
      </button>
    )
  }

  test('follows the session and signs out with a reload', () => {
    storePendingRegistration({ email: 'm@example.org', name: { first: 'M' } })
    store(tokenFor(3_600))
    render(<Shown />)
    expect(screen.getByRole('button').textContent).toBe('unknown ')
    act(start)
    expect(screen.getByRole('button').textContent).toBe('member meera.r')
    act(() => storeUser({ username: 'meera.new' }))
    expect(screen.getByRole('button').textContent).toBe('member meera.new')
    localStorage.setItem('console-draft:answer:1', '"What an officer typed"')
    localStorage.setItem('noticeClosed', '1')
    act(() => screen.getByRole('button').click())
    expect(screen.getByRole('button').textContent).toBe('anonymous ')
    expect([localStorage.getItem('token'), localStorage.getItem('user'), localStorage.getItem('tempUser')]).toEqual([
      null,
      null,
      null,
    ])
    expect(Object.keys(localStorage)).toEqual(['noticeClosed'])
    expect(reloadPage).toHaveBeenCalledOnce()
  })
})

test('logging in stores token and user, and removes the pending registration', () => {
  storePendingRegistration({ email: 'm@example.org', name: { first: 'M' } })
  start()
  const token = tokenFor(3_600)
  logIn({ token, user: meera })
  expect(getSession()).toEqual({ status: 'member', user: meera })
  expect(localStorage.getItem('token')).toBe(token)
  expect(localStorage.getItem('user')).toBe('{"username":"meera.r"}')
  expect(localStorage.getItem('tempUser')).toBeNull()
})

describe('storage that is full or blocked', () => {
  const broken = () => {
    throw new DOMException('Full', 'QuotaExceededError')
  }

  test('full: the session lasts as long as the page', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(broken)
    start()
    logIn({ token: tokenFor(3_600), user: meera })
    expect(getSession()).toEqual({ status: 'member', user: meera })
    stop()
    start()
    expect(getSession()).toEqual({ status: 'member', user: meera })
    otherTab('token', null)
    expect(getSession().status).toBe('anonymous')
  })

  test('blocked: everyone is a visitor, and nothing breaks', () => {
    const blocked = vi.spyOn(window, 'localStorage', 'get').mockImplementation(broken)
    start()
    expect(getSession().status).toBe('anonymous')
    logIn({ token: tokenFor(3_600), user: meera })
    expect(getSession().status).toBe('member')
    otherTabSays('token')
    expect(getSession().status).toBe('anonymous')
    expect(readPendingRegistration()).toBeNull()
    blocked.mockRestore()
  })

  function otherTabSays(key: string) {
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }))
  }
})

describe('the pending registration', () => {
  const copy = { email: 'm@example.org', name: { first: 'Meera' } }

  test('holds first name and address, nothing else', () => {
    storePendingRegistration({ ...copy, password: 'secret' } as typeof copy)
    expect(readPendingRegistration()).toEqual(copy)
    expect(localStorage.getItem('tempUser')).not.toContain('secret')
  })

  test('is gone after 24 hours', () => {
    storePendingRegistration(copy)
    vi.advanceTimersByTime(24 * 3_600_000 - 1)
    expect(readPendingRegistration()).toEqual(copy)
    vi.advanceTimersByTime(1)
    expect(readPendingRegistration()).toBeNull()
    expect(localStorage.getItem('tempUser')).toBeNull()
  })

  test.each(['', '{', 'null', '{"email":7}', '{"email":"a","name":{},"until":9e15}'])('%j is ignored', (text) => {
    localStorage.setItem('tempUser', text)
    expect(readPendingRegistration()).toBeNull()
  })
})

describe('a call as a member', () => {
  async function sentenceOf(): Promise<string> {
    return callAsMember(getProfile).then(
      () => 'fine',
      (failure: unknown) => (failure instanceof CallFailure ? failure.message : 'something else'),
    )
  }

  test.each([
    ['without token', () => {}],
    ['with an ended token', () => store(tokenFor(-1))],
    ['with a malformed token', () => store('a.b.c')],
  ])('%s: no request, and a logout', async (_, prepare) => {
    start()
    prepare()
    expect(await sentenceOf()).toBe('Authentication required')
    expect(getSession().status).toBe('anonymous')
    expect(localStorage.getItem('token')).toBeNull()
    expect(api.current.sent).toEqual([])
  })

  test.each([
    [401, 'Session expired. Please log in again.'],
    [403, 'Account is not active.'],
  ])('%i logs out', async (status, sentence) => {
    api.current.on('GET /api/account/profile', errorResponse(status, 'X', 'Whatever'))
    store(tokenFor(3_600))
    start()
    expect(await sentenceOf()).toBe(sentence)
    expect(getSession().status).toBe('anonymous')
    expect(localStorage.getItem('user')).toBeNull()
  })

  test.each([400, 404, 409, 422, 500, 502, 503])('%i does not', async (status) => {
    api.current.on('GET /api/account/profile', errorResponse(status, 'X', 'Whatever'))
    store(tokenFor(3_600))
    start()
    expect(await sentenceOf()).toBe('Whatever')
    expect(getSession().status).toBe('member')
  })

  test('a network error does not', async () => {
    api.current.on('GET /api/account/profile', 'no network')
    store(tokenFor(3_600))
    start()
    await sentenceOf()
    expect(getSession().status).toBe('member')
  })
})
