import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { MembershipCard } from '#contract/public/my-account/membership-card.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { redirectTo } from '#web/api/redirect.ts'
import { enableOfflinePage } from '#web/session/offline/enable-offline-page.ts'
import CardPage from './card-page.tsx'

vi.mock('#web/session/offline/enable-offline-page.ts', () => ({ enableOfflinePage: vi.fn<() => Promise<boolean>>() }))
vi.mock('#web/api/redirect.ts', () => ({ redirectTo: vi.fn<() => Promise<void>>() }))

const api = useFakeApi()
const GET = 'GET /api/account/card'
const REPLACE = 'POST /api/account/card'
const KEPT = 'card:u1'

function cardOf(over: Partial<MembershipCard> = {}): MembershipCard {
  return {
    name: 'Tulika Raghunathan',
    level: 'Annual Member',
    number: 2148,
    since: '2019-03-02T12:00:00.000Z',
    status: 'active',
    until: '2027-01-14T12:00:00.000Z',
    code: { url: 'https://association.example/card#abc', size: 47, path: 'M3 3h7v1h-7z' },
    revokedAt: null,
    checkedAt: new Date().toISOString(),
    hasGoogleWallet: false,
    hasAppleWallet: false,
    ...over,
  }
}

const open = () => renderPage(CardPage, { at: '/auth/account/card' }).person
const code = () => screen.queryByRole('img', { name: 'Code for officers to scan' })
const button = (name: string) => screen.queryByRole('button', { name })
const goOffline = () => {
  api.current.on(GET, 'no network')
  act(() => void window.dispatchEvent(new Event('offline')))
}

beforeEach(() => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on(GET, { body: cardOf() })
  vi.mocked(enableOfflinePage).mockReset().mockResolvedValue(true)
})
afterEach(() => vi.mocked(redirectTo).mockReset())

describe('with an answer of the site', () => {
  test('shows the member, the membership and the code', async () => {
    open()
    await screen.findByRole('heading', { name: 'Tulika Raghunathan' })
    screen.getByText('Valid today')
    screen.getByText('Annual Member')
    for (const [term, value] of [
      ['Member no.', '2148'],
      ['Since', '2019'],
      ['Valid until', 'Jan 14, 2027'],
    ])
      expect(screen.getByText(String(term)).nextSibling?.textContent).toBe(value)
    expect(code()).not.toBeNull()
    expect(screen.getByRole('link', { name: 'Close' }).getAttribute('href')).toBe('/auth/account')
  })

  test.each<[string, Partial<MembershipCard>, string, RegExp | null]>([
    ['past due', { status: 'past_due' }, 'Payment past due', null],
    [
      'lapsed',
      { status: 'lapsed', code: null, until: '2026-08-22T12:00:00.000Z' },
      'No active membership',
      /^No code: the membership ended on August 22, 2026/,
    ],
    [
      'of someone without a membership',
      { status: 'lapsed', code: null, level: null, until: null },
      'No active membership',
      /^No code: you have no membership yet/,
    ],
    [
      'revoked by an officer',
      { code: null, revokedAt: '2026-11-20T12:00:00.000Z' },
      'Valid today',
      /^No code: an officer revoked it on November 20, 2026/,
    ],
  ])('a card that is %s says so', async (_name, over, state, why) => {
    api.current.on(GET, { body: cardOf(over) })
    open()
    await screen.findByRole('heading', { name: 'Tulika Raghunathan' })
    screen.getByText(state)
    if (why === null) expect(code()).not.toBeNull()
    else {
      screen.getByText(why)
      expect(code()).toBeNull()
    }
  })

  test('a lapsed card leads to renewing, and offers nothing that needs a code', async () => {
    api.current.on(GET, { body: cardOf({ status: 'lapsed', code: null }) })
    open()
    const renew = await screen.findByRole('link', { name: 'Renew membership' })
    expect(renew.getAttribute('href')).toBe('/auth/account/membership')
    expect([button('Keep on this phone'), button('Get a new code'), button('Add to Google Wallet')]).toEqual([
      null,
      null,
      null,
    ])
  })

  test('Apple Wallet is offered only where the site has its keys', async () => {
    const person = open()
    await screen.findByRole('heading', { name: 'Tulika Raghunathan' })
    expect(button('Add to Apple Wallet')).toBeNull()
    api.current.on(GET, { body: cardOf({ hasAppleWallet: true }) })
    api.current.on('GET /api/account/card/apple-wallet', { body: { url: '/api/cards/apple-wallet?token=x' } })
    act(() => void window.dispatchEvent(new Event('online')))
    await person.click(await screen.findByRole('button', { name: 'Add to Apple Wallet' }))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('/api/cards/apple-wallet?token=x'))
  })

  test('Google Wallet is offered only where the site has its keys', async () => {
    const person = open()
    await screen.findByRole('heading', { name: 'Tulika Raghunathan' })
    expect(button('Add to Google Wallet')).toBeNull()
    api.current.on(GET, { body: cardOf({ hasGoogleWallet: true }) })
    api.current.on('GET /api/account/card/google-wallet', { body: { url: 'https://pay.google.com/gp/v/save/x' } })
    act(() => void window.dispatchEvent(new Event('online')))
    await person.click(await screen.findByRole('button', { name: 'Add to Google Wallet' }))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.google.com/gp/v/save/x'))
  })

  test('a new code replaces the old one after a question', async () => {
    const person = open()
    await person.click(await screen.findByRole('button', { name: 'Get a new code' }))
    const dialog = await screen.findByRole('dialog', { name: 'Get a new code?' })
    expect(api.current.requestsTo(REPLACE)).toHaveLength(0)
    const renewed = cardOf({ code: { url: 'https://association.example/card#new', size: 47, path: 'M4 4h1v1h-1z' } })
    api.current.on(REPLACE, { body: renewed })
    await person.click(within(dialog).getByRole('button', { name: 'Replace code' }))
    await waitFor(() => expect(code()?.querySelector('path')?.getAttribute('d')).toBe('M4 4h1v1h-1z'))
    expect(localStorage.getItem(KEPT)).toBeNull()
  })
})

describe('without a network', () => {
  test('a card that is shown stops saying that it is valid, and says when it was checked', async () => {
    open()
    await screen.findByText('Valid today')
    goOffline()
    await screen.findByText(/^Last checked \w+, \w+ \d+/)
    expect(screen.queryByText('Valid today')).toBeNull()
    expect(code()).not.toBeNull()
    expect(button('Get a new code')).toBeNull()
  })

  test('nothing is kept unless the member asked for it', async () => {
    open()
    await screen.findByText('Valid today')
    expect(Object.keys(localStorage).filter((key) => key.startsWith('card'))).toEqual([])
    expect(enableOfflinePage).not.toHaveBeenCalled()
  })

  test('a kept card opens again, and comes off the phone again', async () => {
    const person = open()
    await person.click(await screen.findByRole('button', { name: 'Keep on this phone' }))
    await screen.findByText(/^Works offline on this phone until you sign out/)
    expect(JSON.parse(localStorage.getItem(KEPT) ?? '{}')).toMatchObject({ number: 2148 })
    await person.click(screen.getByRole('button', { name: 'Remove from this phone' }))
    await screen.findByRole('button', { name: 'Keep on this phone' })
    expect(localStorage.getItem(KEPT)).toBeNull()
  })

  test('a kept card opens without the site, as it was last checked', async () => {
    localStorage.setItem(KEPT, JSON.stringify(cardOf({ checkedAt: new Date(Date.now() - 86_400_000).toISOString() })))
    api.current.on(GET, 'no network')
    open()
    await screen.findByText(/^Last checked/)
    screen.getByRole('heading', { name: 'Tulika Raghunathan' })
    expect(code()).not.toBeNull()
  })

  test.each([
    ['of another account', 'card:u2', 1],
    ['that was checked more than 30 days ago', KEPT, 31],
  ])('a card %s is not shown', async (_name, key, days) => {
    const checkedAt = new Date(Date.now() - days * 86_400_000).toISOString()
    localStorage.setItem(key, JSON.stringify(cardOf({ checkedAt })))
    api.current.on(GET, 'no network')
    open()
    await screen.findByText(/^Unable to connect/)
    expect(document.body.textContent).not.toContain('Tulika')
  })

  test('a browser that cannot keep it says so', async () => {
    vi.mocked(enableOfflinePage).mockResolvedValue(false)
    const person = open()
    await person.click(await screen.findByRole('button', { name: 'Keep on this phone' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/^This browser cannot keep pages/)
    expect(localStorage.getItem(KEPT)).toBeNull()
  })

  test('after the session expired, the kept card stays and asks to log in', async () => {
    localStorage.setItem('token', tokenFor(-5))
    localStorage.setItem(KEPT, JSON.stringify(cardOf()))
    open()
    await screen.findByText(/^Last checked/)
    expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe(
      '/auth/login?next=%2Fauth%2Faccount%2Fcard',
    )
    expect(api.current.requestsTo(GET)).toEqual([])
  })
})

test('an account that was disabled sees no card, and keeps none', async () => {
  localStorage.setItem(KEPT, JSON.stringify(cardOf()))
  api.current.on(GET, errorResponse(403, 'ACCOUNT_INACTIVE', 'Account is not active.'))
  open()
  await screen.findByRole('link', { name: 'Log in' })
  expect(document.body.textContent).not.toContain('Tulika')
  expect(localStorage.getItem(KEPT)).toBeNull()
})

test('a log-out in another tab removes the card from the screen', async () => {
  open()
  await screen.findByText('Valid today')
  localStorage.removeItem('token')
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null })))
  await screen.findByRole('link', { name: 'Log in' })
  expect(document.body.textContent).not.toContain('Tulika')
})

test('is hidden while an officer views the site as the member', async () => {
  api.current.on(GET, errorResponse(409, 'VIEW_HIDES', 'This is hidden.'))
  open()
  await screen.findByText(/^Only for the member/)
  expect(code()).toBeNull()
})
