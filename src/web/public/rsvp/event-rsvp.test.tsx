import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { EventDetails } from '#contract/public/events.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { seeTotal } from '#tests/support/web/event-page.tsx'
import EventPage from '../events/event.tsx'
import { renderPage, stubBotCheck, user } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const SETTINGS = 'GET /api/events/gala/rsvp'
const SEND = 'POST /api/events/gala/rsvp'
const HOME = 'GET /api/account/home'

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
  tickets: null,
  memberEmail: null,
}

function openEvent(at = '/events/gala') {
  stubBotCheck()
  const loaderData = { today: '2026-11-21', event: gala, coming: [], pictures: [] }
  return renderPage(EventPage, { at, loaderData }).person
}

const button = (name: string) => screen.getByRole('button', { name })
const heading = () => screen.getByRole('heading', { name: 'RSVP' })
const section = () => document.querySelector<HTMLElement>('#rsvp')!
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

test('a form that opens by itself takes the focus from its button, where the keyboard is', async () => {
  api.current.on(SETTINGS, { body: settings })
  openEvent('/events/gala#rsvp')
  within(section()).getByRole('button').focus()
  await screen.findByLabelText('Name')
  expect(document.activeElement).toBe(heading())
})

async function sendForm(person: ReturnType<typeof openEvent>) {
  await person.click(button('RSVP'))
  await screen.findByLabelText('Name')
  if (field('Name').value === '') await person.type(field('Name'), 'Leela Varghese')
  if (field('Email').value === '') await person.type(field('Email'), 'leela@example.com')
  const spoken = screen.getAllByRole('status')
  await person.click(button('Send my RSVP'))
  return spoken
}

test.each([
  ['with seats held', { place: 'unconfirmed', heldMinutes: 30 }, /within 30 minutes to confirm/],
  ['for the waitlist', { place: 'unconfirmed', heldMinutes: null }, /to join the waitlist\./],
])(
  'a visitor who has to confirm %s sees it in place of the form: the heading takes the focus',
  async (_, answer, text) => {
    api.current.on(SETTINGS, { body: settings }).on(SEND, { body: answer })
    const spoken = await sendForm(openEvent())
    const told = await screen.findByText(text)
    expect(told.textContent).toContain('leela@example.com')
    expect(spoken).toContain(told.closest('[role="status"]'))
    const title = screen.getByRole('heading', { name: 'One more step: confirm by email' })
    await waitFor(() => expect(document.activeElement).toBe(title))
    expect(within(section()).queryByRole('link')).toBeNull()
    expect(api.current.requestsTo(HOME)).toEqual([])
  },
)

describe('a member with an own address', () => {
  const stored = {
    event: { id: 'gala', title: 'Gala', date: '', time: null, location: '', startsOn: '2026-12-19' },
    place: 'coming',
    guests: 1,
    money: null,
    url: '/rsvp#token=secret',
  }

  async function send(answer: object, home: object) {
    localStorage.setItem('token', tokenFor(3_600))
    localStorage.setItem('user', JSON.stringify(user))
    api.current.on(SETTINGS, { body: settings }).on(SEND, { body: answer }).on(HOME, home)
    await sendForm(openEvent())
  }
  const homeWith = (...rsvps: object[]) => ({
    body: { pendingEmail: null, credentials: 'approved', rsvps, unanswered: [] },
  })
  const link = (name: string) => within(section()).queryByRole('link', { name })?.getAttribute('href') ?? null

  test('is coming, with the calendar and the link to change or cancel', async () => {
    await send({ place: 'coming' }, homeWith({ ...stored, event: { ...stored.event, id: 'other' } }, stored))
    await screen.findByRole('heading', { name: 'You’re coming.' })
    screen.getByText(`Two seats. We sent your check-in code to ${user.email}.`)
    expect(link('Add to calendar')).toBe('/events/gala.ics')
    expect(link('Change or cancel')).toBe('/rsvp#token=secret')
    expect(document.querySelector('.rsvp.good')).not.toBeNull()
    expect(window.location.href).not.toContain('secret')
  })

  test.each([
    ['on the waitlist', { place: 'waiting' }, 'You’re on the waitlist.', null],
    [
      'asked to pay',
      { place: 'paying', money: { currency: 'usd', paid: 0, owed: 24_000, payBy: '2026-12-02T05:00:00.000Z' } },
      'Your seats are held.',
      '/rsvp#token=secret',
    ],
  ])('is %s, whatever the form said', async (_, over, title, payLink) => {
    await send({ place: 'coming' }, homeWith({ ...stored, ...over }))
    await screen.findByRole('heading', { name: title })
    expect(link('Add to calendar')).toBeNull()
    expect(link('Pay for my seats')).toBe(payLink)
    expect(link('Change or cancel')).toBe('/rsvp#token=secret')
  })

  test.each([
    ['cannot be read', { status: 500 }],
    ['is not there', homeWith()],
    ['is not confirmed', homeWith({ ...stored, place: 'unconfirmed' })],
  ])('is referred to the email while the stored RSVP %s', async (_, home) => {
    await send({ place: 'coming' }, home)
    await screen.findByRole('heading', { name: 'Thank you. Check your email.' })
    screen.getByText(/with a link to change or cancel/)
    expect(within(section()).queryByRole('link')).toBeNull()
  })
})

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
    await seeTotal('free')
    await person.type(field('Name'), ' MD')
    await person.selectOptions(field('Guests'), '1')
    await person.selectOptions(field('Guests'), '0')
    await person.click(button('Send my RSVP'))
    await screen.findByText(/Your session has ended\. Log in again, or submit this again/)
    await seeTotal('$50')
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
  await seeTotal('free')
  localStorage.removeItem('token')
  window.dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: null }))
  await seeTotal('$50')
  expect(field('Email').value).toBe(user.email)
})

const price = { person: 5_000, member: 5_000, currency: 'usd', refundUntil: null }

test('seats left are shown before anything is filled in, and more people than that join the waitlist knowingly', async () => {
  api.current
    .on(SETTINGS, { body: { ...settings, price, guestsMax: 2, seatsLeft: 2 } })
    .on(SEND, { body: { place: 'unconfirmed', heldMinutes: null } })
  const person = openEvent()
  await person.click(button('RSVP'))
  await screen.findByText('2 seats left.')
  button('Continue to payment')
  await person.selectOptions(field('Guests'), '2')
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
  await screen.findByText('1 seat left.')
  await person.type(field('Name'), 'Leela Varghese')
  await person.type(field('Email'), 'leela@example.com')
  await person.click(button('Continue to payment'))
  await screen.findByText(full)
  await screen.findByRole('button', { name: 'Join the waitlist' })
  expect(field('Name').value).toBe('Leela Varghese')
  expect(api.current.requestsTo(SEND)[0]?.body).toMatchObject({ waitlist: false })
})

test.each([
  [{ closesAt: '2027-04-11T04:00:00.000Z', lastDay: '2027-04-10' }, 'RSVP by Saturday, April 10, 2027.'],
  [{ closesAt: '2027-04-10T22:00:00.000Z', lastDay: null }, 'RSVP before April 10, 2027 at 6:00 PM EDT.'],
])('shows the RSVP deadline: %j', async (closes, text) => {
  api.current.on(SETTINGS, { body: { ...settings, ...closes } })
  const person = openEvent()
  await person.click(button('RSVP'))
  await screen.findByText(text)
})
