import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { AccountHome } from '#contract/public/my-account/account-home.ts'
import type { Subscription } from '#contract/public/account.ts'
import { errorResponse, quietHome } from '#tests/support/web/fake-api.ts'
import { GET_HOME, GET_PROFILE, renderAccount, useMembersApi } from '#tests/support/web/account-test-helpers.tsx'
import { annual, profile, subscriptionTo } from '#tests/support/web/page-test-helpers.tsx'

vi.mock('#web/api/redirect.ts', () => ({
  redirectTo: vi.fn<() => Promise<void>>(() => Promise.resolve()),
  reloadPage: vi.fn<() => void>(),
}))

const api = useMembersApi()
const kite = {
  id: 'kite-day',
  title: 'Kite Day',
  date: 'January 9, 2027',
  startsOn: '2027-01-09',
  time: '10:00 AM',
  location: 'Piedmont Park',
}
const DECLINE = 'PUT /api/account/declined-events/kite-day'

function openHome(home: Partial<AccountHome>, subscription: Subscription | null = subscriptionTo(annual)) {
  api.current.on(GET_PROFILE, { body: { profile, subscription } }).on(GET_HOME, { body: { ...quietHome, ...home } })
  return renderAccount()
}

const navigation = () => within(screen.getByRole('navigation', { name: 'Account' }))
const todoBox = () => within(screen.getByRole('region', { name: 'To do' }))

describe('to do', () => {
  test('is empty when nothing waits', async () => {
    openHome({})
    await screen.findByText('All caught up.')
    expect(navigation().getByRole('link', { name: 'Overview' })).toBeTruthy()
  })

  test('is counted in the navigation, and leads to where it is done', async () => {
    openHome({
      credentials: 'missing',
      pendingEmail: 'new@example.com',
      unanswered: [{ event: kite, closesAt: null, lastDay: null }],
    })
    await screen.findByRole('link', { name: 'Overview 3 to do' })
    const href = (name: string) => todoBox().getByRole('link', { name }).getAttribute('href')
    expect(href('Enter credentials')).toBe('/auth/account/profile#credentials')
    expect(href('Email address')).toBe('/auth/account/profile#email')
    expect(href('Going to Kite Day')).toBe('/events/kite-day#rsvp')
  })

  test('an event can be declined, which can be undone', async () => {
    const asked = { ...quietHome, unanswered: [{ event: kite, closesAt: null, lastDay: null }] }
    const { person } = openHome({})
    api.current.on(GET_HOME, { body: asked }, { body: quietHome }, { body: asked })
    api.current.on(DECLINE, 'no network', { status: 204 })
    api.current.on(DECLINE.replace('PUT', 'DELETE'), { status: 204 })
    const decline = () => screen.findByRole('button', { name: 'Can’t go to Kite Day' })
    await person.click(await decline())
    await screen.findByText('Your answer could not be saved. Please try again.')
    await person.click(await decline())
    await screen.findByText(/Kite Day: you can’t go\./)
    expect(screen.queryByRole('button', { name: 'Can’t go to Kite Day' })).toBeNull()
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Kite Day: you can’t go.'))
    await person.click(screen.getByRole('button', { name: 'Undo' }))
    await decline()
    expect(screen.queryByText(/you can’t go\./)).toBeNull()
  })

  test('past due begins the page with its one main button', async () => {
    openHome(
      { credentials: 'missing' },
      subscriptionTo(annual, { status: 'PAST_DUE', cancelDate: '2027-03-16T12:00:00.000Z' }),
    )
    const update = await screen.findByRole('button', { name: 'Update card' })
    await screen.findByRole('link', { name: 'Overview 2 to do' })
    expect(update.className).not.toContain('line')
    expect(document.querySelectorAll('.account .button:not(.line)')).toHaveLength(1)
  })
})

test('events show date, seats and payments, and lead to the RSVP', async () => {
  const money = { currency: 'usd', paid: 24_000, owed: 0, payBy: null }
  openHome({
    rsvps: [
      { event: kite, place: 'coming', guests: 1, money, url: '/rsvp#token=abc' },
      { event: { ...kite, id: 'gala', title: 'Gala' }, place: 'waiting', guests: 0, money: null, url: null },
    ],
  })
  const events = within(await screen.findByRole('region', { name: 'Your events' }))
  const [first, second] = events.getAllByRole('listitem')
  expect(first?.textContent).toContain('Saturday, January 9, 2027, 10:00 AM, Piedmont Park')
  expect(first?.textContent).toContain('2 seats, $240 paid')
  expect(second?.textContent).toContain('1 seat, on the waitlist')
  expect(events.getByRole('link', { name: 'View RSVP to Kite Day' }).getAttribute('href')).toBe('/rsvp#token=abc')
  expect(events.queryByRole('link', { name: 'View RSVP to Gala' })).toBeNull()
})

test('receipts: the three newest, and a link to all', async () => {
  const payment = (number: number) => ({
    receiptNumber: `R-${number}`,
    purpose: 'renewal',
    levelName: 'Annual Member',
    amount: 10_000,
    currency: 'usd',
    amountRefunded: 0,
    dispute: null,
    chargedAt: '2026-03-02T15:04:05.000Z',
    confirmedAt: '2026-03-02T15:04:07.000Z',
    activatedAt: null,
    receiptMailedAt: null,
  })
  api.current.on('GET /api/billing/payments', { body: { payments: [4, 3, 2, 1].map(payment) } })
  openHome({})
  const link = await screen.findByRole('link', { name: 'All 4' })
  expect(link.getAttribute('href')).toBe('/auth/account/membership')
  screen.getByRole('button', { name: 'Download receipt R-2' })
  expect(screen.queryByRole('button', { name: 'Download receipt R-1' })).toBeNull()
})

test('events that cannot be loaded leave the rest of the page, and can be retried', async () => {
  api.current.on(GET_HOME, errorResponse(500, 'INTERNAL', 'x'), { body: quietHome })
  const { person } = renderAccount()
  await screen.findByText('Your events could not be loaded. Please check your connection.')
  screen.getByText('Active')
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('All caught up.')
})

test('an ended membership says so, and leads to the plans', async () => {
  openHome(
    {},
    subscriptionTo(annual, { status: 'EXPIRED', nextBillDate: null, cancelDate: '2026-08-22T12:00:00.000Z' }),
  )
  await screen.findByRole('heading', { name: 'Your membership ended on August 22, 2026' })
  expect(document.querySelector('.pass')?.hasAttribute('data-ended')).toBe(true)
})

test('the list of settings names what the pages hold, and each page has a title and a way back', async () => {
  const { person } = openHome({})
  const settings = within(await screen.findByRole('region', { name: 'Settings' }))
  for (const [page, parts] of [
    ['Membership and billing', 'Level, renewal, receipts'],
    ['Profile', 'Profile Information, email address, credentials'],
    ['Emails', 'Newsletter, recent emails'],
    ['Security and devices', 'Change Password, devices'],
    ['Your data', 'Download, Danger Zone'],
  ] as const)
    settings.getByRole('link', { name: `${page}${parts}` })
  await person.click(settings.getByRole('link', { name: /^Profile/ }))
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
  await screen.findByRole('heading', { name: 'Profile Information' })
  expect(navigation().getByRole('link', { name: 'Profile' }).getAttribute('aria-current')).toBe('page')
  await person.click(screen.getByRole('link', { name: 'Account' }))
  await screen.findByRole('heading', { name: 'Hello, Meera' })
  expect(api.current.requestsTo(GET_PROFILE)).toHaveLength(1)
})
