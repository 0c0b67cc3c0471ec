import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { EventDetails } from '#contract/events.ts'
import { refusal, tokenFor, useFakeApi } from '#web/api/fake-api.ts'
import EventPage from './event.tsx'
import { renderPage, stubBotCheck, user } from './render-page.tsx'

const api = useFakeApi()
const OFFER = 'GET /api/events/gala/rsvp'
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
const offer = {
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
  const loaderData = { today: '2026-11-21', event: gala, before: null, after: null }
  return renderPage(EventPage, { at, loaderData }).person
}

const button = (name: string) => screen.getByRole('button', { name })
const heading = () => screen.getByRole('heading', { name: 'RSVP' })
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

test('the heading takes the focus of the button that makes way for the form, and of the one that looks again', async () => {
  api.current.on(OFFER, { status: 500 }, { body: offer })
  const person = openEvent()
  await person.click(button('I would like to come'))
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(document.activeElement).toBe(heading())
  await person.click(again)
  await screen.findByLabelText('Name')
  expect(document.activeElement).toBe(heading())
})

test('a form that opens with the page takes the focus from nobody', async () => {
  api.current.on(OFFER, { body: offer })
  openEvent('/events/gala#rsvp')
  await screen.findByLabelText('Name')
  expect(document.activeElement).toBe(document.body)
})

test.each([
  ['coming', 'Thank you. Check your email.'],
  ['waiting', 'You are on the waitlist. Check your email.'],
])('whoever is %s is told where they are: the thanks take the focus and are read aloud', async (place, words) => {
  api.current.on(OFFER, { body: offer }).on(SEND, { body: { place } })
  const person = openEvent()
  await person.click(button('I would like to come'))
  await person.type(await screen.findByLabelText('Name'), 'Leela Varghese')
  await person.type(field('Email'), 'leela@example.com')
  const spoken = screen.getAllByRole('status')
  await person.click(button('Send my RSVP'))
  const thanks = await screen.findByText(words)
  await waitFor(() => expect(document.activeElement).toBe(thanks.closest('[tabindex]')))
  expect(spoken).toContain(thanks.closest('[role="status"]'))
})

test.each(['SESSION_EXPIRED', 'AUTHENTICATION_REQUIRED', 'ACCOUNT_INACTIVE'])(
  'after %s the form says what a visitor pays before it is sent again, and keeps what it holds',
  async (code) => {
    localStorage.setItem('token', tokenFor(3_600))
    localStorage.setItem('user', JSON.stringify(user))
    const price = { person: 5_000, member: 0, currency: 'usd', refundUntil: '2026-12-12' }
    api.current
      .on(OFFER, { body: { ...offer, price, memberEmail: user.email } })
      .on(SEND, refusal(401, code, 'The session is over.'))
    const person = openEvent()
    await person.click(button('I would like to come'))
    await screen.findByText('To pay now: free')
    await person.type(field('Name'), ' MD')
    await person.selectOptions(field('Guests who come with you'), '1')
    await person.selectOptions(field('Guests who come with you'), '0')
    await person.click(button('Send my RSVP'))
    await screen.findByText(/Your session has ended\. Log in again, or send this once more/)
    screen.getByText('To pay now: $50')
    button('Continue to payment')
    expect(field('Name').value).toBe('Meera Raghuvanshi MD')
    expect(field('Email').value).toBe(user.email)
    expect(api.current.of(SEND)).toHaveLength(1)
  },
)

test('a session that ends in another tab takes the member’s price with it', async () => {
  localStorage.setItem('token', tokenFor(3_600))
  const price = { person: 5_000, member: 0, currency: 'usd', refundUntil: '2026-12-12' }
  api.current.on(OFFER, { body: { ...offer, price, memberEmail: user.email } })
  const person = openEvent()
  await person.click(button('I would like to come'))
  await person.type(await screen.findByLabelText('Email'), user.email)
  screen.getByText('To pay now: free')
  localStorage.removeItem('token')
  window.dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }))
  await screen.findByText('To pay now: $50')
  expect(field('Email').value).toBe(user.email)
})
