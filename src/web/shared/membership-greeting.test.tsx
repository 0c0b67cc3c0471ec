import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Subscription } from '#contract/public/account.ts'
import type { MemberRsvp } from '#contract/public/rsvp.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { annual, profile, renderPage, subscriptionTo, user } from '#tests/support/web/page-test-helpers.tsx'
import { redirectTo } from '#web/api/redirect.ts'
// Imported before the tests, since loading a module takes real time.
import './membership-greeting.tsx'
import { LazyMembershipGreeting } from './lazy-membership-greeting.tsx'

vi.mock('#web/api/redirect.ts', () => ({ redirectTo: vi.fn<() => Promise<void>>(() => Promise.resolve()) }))

const api = useFakeApi()
const PROFILE = 'GET /api/account/profile'
const NEXT_RSVP = 'GET /api/account/next-rsvp'
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

beforeEach(() => vi.mocked(redirectTo).mockReset().mockResolvedValue())

let logIns = 0
function openAs(subscription: Subscription | null, rsvp: MemberRsvp | null = null) {
  // Another token for each test: the answer is kept for half a minute.
  localStorage.setItem('token', tokenFor(3_600 + logIns++))
  localStorage.setItem('user', JSON.stringify(user))
  api.current.on(PROFILE, { body: { profile, subscription } }).on(NEXT_RSVP, { body: { rsvp } })
  return renderPage(LazyMembershipGreeting, { at: '/anywhere' })
}

describe('the greeting', () => {
  test('leads a lapsed member to the levels', async () => {
    openAs(subscriptionTo(annual, { status: 'EXPIRED', cancelDate: '2026-08-22T12:00:00.000Z' }))
    const link = await screen.findByRole('link', { name: 'Renew for $100' })
    expect(link.getAttribute('href')).toBe('/become-a-member')
    screen.getByText('Your account is still here, Meera. Renew today and pick up where you left off.')
  })

  test('leads a past-due member to the card', async () => {
    api.current.on('POST /api/billing/portal-session', { body: { url: 'https://pay.example/portal' } })
    const { person } = openAs(subscriptionTo(annual, { status: 'PAST_DUE', cancelDate: inDays(9) }))
    await person.click(await screen.findByRole('button', { name: 'Update card' }))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/portal'))
  })

  test('of a coming renewal goes away for good once read', async () => {
    const coming = subscriptionTo(annual, { renewal: 'automatic', nextBillDate: inDays(30) })
    const { person, unmount } = openAs(coming)
    await person.click(await screen.findByRole('button', { name: 'Got it' }))
    expect(screen.queryByRole('region', { name: 'Your membership' })).toBeNull()
    unmount()
    openAs(coming)
    await waitFor(() => expect(api.current.requestsTo(PROFILE)).toHaveLength(2))
    expect(screen.queryByRole('region', { name: 'Your membership' })).toBeNull()
  })

  test('names the next event that an active member has an RSVP for, until it is read', async () => {
    const event = { id: 'gala', title: 'The gala', date: 'December 19, 2026', time: null }
    const far = subscriptionTo(annual, { renewal: 'automatic', nextBillDate: inDays(200) })
    const { person } = openAs(far, { event, seats: 2, place: 'coming' })
    await screen.findByRole('region', { name: 'Your RSVP' })
    screen.getByText('See you at The gala, Meera.')
    screen.getByText('December 19, 2026. 2 seats.')
    expect(screen.getByRole('link', { name: 'See the event' }).getAttribute('href')).toBe('/events/gala')
    await person.click(screen.getByRole('button', { name: 'Got it' }))
    expect(screen.queryByRole('region')).toBeNull()
  })

  test.each([['no network' as const], [{ status: 500 }]])('says nothing on %j', async (answer) => {
    localStorage.setItem('token', tokenFor(9_000 + logIns++))
    localStorage.setItem('user', JSON.stringify(user))
    api.current.on(PROFILE, answer)
    renderPage(LazyMembershipGreeting, { at: '/anywhere' })
    await waitFor(() => expect(api.current.requestsTo(PROFILE).length).toBeGreaterThan(0))
    expect(screen.queryByRole('region')).toBeNull()
    expect(localStorage.getItem('token')).not.toBeNull()
  })

  test('asks nothing for a visitor', async () => {
    renderPage(LazyMembershipGreeting, { at: '/anywhere' })
    expect(screen.queryByRole('region')).toBeNull()
    expect(api.current.sent).toEqual([])
  })
})
