import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { EventDetails } from '#contract/public/events.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import EventPage from '../events/event.tsx'
import { renderPage, stubBotCheck, user } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const SETTINGS = 'GET /api/events/gala/rsvp'
const SEND = 'POST /api/events/gala/rsvp'

const gala: EventDetails = {
  id: 'gala',
  title: 'Gala under the Oaks',
  description: 'Dinner and dancing.',
  date: 'December 19, 2026',
  time: null,
  location: 'Duluth',
  address: '1 Sample Oak Drive',
  imageKey: [],
  detailsLink: '/events',
  startsOn: '2026-12-19',
  endsOn: '2026-12-19',
  startsAt: null,
  endsAt: null,
  html: '',
  startDate: null,
  endDate: null,
  takesRsvp: true,
}
const settings = {
  state: 'open',
  guestsMax: 1,
  meals: [],
  words: '',
  closesAt: null,
  lastDay: null,
  seatsLeft: null,
  price: null,
  memberEmail: null,
}

function openEvent(at = '/events/gala') {
  stubBotCheck()
  const loaderData = { today: '2026-11-21', event: gala, coming: [] }
  return renderPage(EventPage, { at, loaderData }).person
}

const button = (name: string) => screen.getByRole('button', { name })
const heading = () => screen.getByRole('heading', { name: 'RSVP' })
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

test('the heading takes the focus of the button that makes way for the form, and of the one that looks again', async () => {
  api.current.on(SETTINGS, { status: 500 }, { body: settings })
  const person = openEvent()
  await person.click(button('RSVP'))
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(document.activeElement).toBe(heading())
  await person.click(again)
  await screen.findByLabelText('Name')
  expect(document.activeElement).toBe(heading())
})

test('a form that opens with the page does not take the focus', async () => {
  api.current.on(SETTINGS, { body: settings })
  openEvent('/events/gala#rsvp')
  await screen.findByLabelText('Name')
  expect(document.activeElement).toBe(document.body)
})

test.each([
  ['coming', { place: 'coming' }, 'Thank you. Check your email.'],
  ['waiting', { place: 'waiting' }, 'You are on the waitlist. Check your email.'],
  ['asked to confirm', { place: 'unconfirmed', heldMinutes: 30 }, /within 30 minutes to confirm/],
  ['to confirm the waitlist', { place: 'unconfirmed', heldMinutes: null }, /to join the waitlist\./],
])(
  'a visitor who is %s sees it in place of the form: the thanks take the focus and are announced',
  async (_, answer, text) => {
    api.current.on(SETTINGS, { body: settings }).on(SEND, { body: answer })
    const person = openEvent()
    await person.click(button('RSVP'))
    await person.type(await screen.findByLabelText('Name'), 'Leela Varghese')
    await person.type(field('Email'), 'leela@example.com')
    const spoken = screen.getAllByRole('status')
    await person.click(button('Send my RSVP'))
    const thanks = await screen.findByText(text)
    await waitFor(() => expect(document.activeElement).toBe(thanks.closest('[tabindex]')))
    expect(spoken).toContain(thanks.closest('[role="status"]'))
  },
)

test.each(['SESSION_EXPIRED', 'AUTHENTICATION_REQUIRED', 'ACCOUNT_INACTIVE'])(
  'after %s the form says what a visitor pays before it is sent again, and keeps what it holds',
  async (code) => {
    localStorage.setItem('token', tokenFor(3_600))
    localStorage.setItem('user', JSON.stringify(user))
    const price = { person: 5_000, member: 0, currency: 'usd', refundUntil: '2026-12-12' }
    api.current
      .on(SETTINGS, { body: { ...settings, price, memberEmail: user.email } })
      .on(SEND, errorResponse(401, code, 'The session is over.'))
    const person = openEvent()
    await person.click(button('RSVP'))
    await screen.findByText('To pay now: free')
    await person.type(field('Name'), ' MD')
    await person.selectOptions(field('Guests (not counting you)'), '1')
    await person.selectOptions(field('Guests (not counting you)'), '0')
    await person.click(button('Send my RSVP'))
    await screen.findByText(/Your session has ended\. Log in again, or submit this again/)
    screen.getByText('To pay now: $50')
    button('Continue to payment')
    expect(field('Name').value).toBe('Meera Raghuvanshi MD')
    expect(field('Email').value).toBe(user.email)
    expect(api.current.requestsTo(SEND)).toHaveLength(1)
  },
)

test('a session that ends in another tab removes the member price', async () => {
  localStorage.setItem('token', tokenFor(3_600))
  const price = { person: 5_000, member: 0, currency: 'usd', refundUntil: '2026-12-12' }
  api.current.on(SETTINGS, { body: { ...settings, price, memberEmail: user.email } })
  const person = openEvent()
  await person.click(button('RSVP'))
  await person.type(await screen.findByLabelText('Email'), user.email)
  screen.getByText('To pay now: free')
  localStorage.removeItem('token')
  window.dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }))
  await screen.findByText('To pay now: $50')
  expect(field('Email').value).toBe(user.email)
})

const price = { person: 5_000, member: 5_000, currency: 'usd', refundUntil: null }

test('seats left are shown before anything is filled in, and more people than that join the waitlist knowingly', async () => {
  api.current
    .on(SETTINGS, { body: { ...settings, price, guestsMax: 2, seatsLeft: 2 } })
    .on(SEND, { body: { place: 'unconfirmed', heldMinutes: null } })
  const person = openEvent()
  await person.click(button('RSVP'))
  await screen.findByText('2 seats left')
  button('Continue to payment')
  await person.selectOptions(field('Guests (not counting you)'), '2')
  screen.getByText('Only 2 seats are left')
  screen.getByText(/With 3 people you would join the waitlist/)
  expect(screen.queryByRole('button', { name: 'Continue to payment' })).toBeNull()
  await person.type(field('Name'), 'Leela Varghese')
  await person.type(field('Email'), 'leela@example.com')
  await person.click(button('Join the waitlist'))
  await screen.findByText(/Press its button to join the waitlist/)
  expect(api.current.requestsTo(SEND)[0]?.body).toMatchObject({ guests: 2, waitlist: true })
})

test('if the seats are taken meanwhile, the form says so, keeps its values and offers the waitlist', async () => {
  const full = 'There are not that many seats left. Choose fewer guests, or join the waitlist.'
  api.current
    .on(
      SETTINGS,
      { body: { ...settings, price, seatsLeft: 1 } },
      { body: { ...settings, price, state: 'full', seatsLeft: 0 } },
    )
    .on(SEND, errorResponse(409, 'RSVP_FULL', full))
  const person = openEvent()
  await person.click(button('RSVP'))
  await screen.findByText('1 seat left')
  await person.type(field('Name'), 'Leela Varghese')
  await person.type(field('Email'), 'leela@example.com')
  await person.click(button('Continue to payment'))
  await screen.findByText(full)
  await screen.findByRole('button', { name: 'Join the waitlist' })
  expect(field('Name').value).toBe('Leela Varghese')
  expect(api.current.requestsTo(SEND)[0]?.body).toMatchObject({ waitlist: false })
})

test.each([
  [{ closesAt: '2027-04-11T04:00:00.000Z', lastDay: '2027-04-10' }, 'RSVP by April 10, 2027.'],
  [{ closesAt: '2027-04-10T22:00:00.000Z', lastDay: null }, 'RSVP before April 10, 2027 at 6:00 PM EDT.'],
])('shows the RSVP deadline: %j', async (closes, text) => {
  api.current.on(SETTINGS, { body: { ...settings, ...closes } })
  const person = openEvent()
  await person.click(button('RSVP'))
  await screen.findByText(text)
})
