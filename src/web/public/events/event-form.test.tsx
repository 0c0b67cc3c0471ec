import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { gala, kites, renderEvent, seeTotal } from '#tests/support/web/event-page.tsx'
import EventPage from './event.tsx'
import { renderPage, stubBotCheck } from '#tests/support/web/page-test-helpers.tsx'

vi.mock('#web/api/redirect.ts', () => ({
  redirectTo: vi.fn<() => Promise<void>>(async () => {}),
  reloadPage: vi.fn<() => void>(),
}))
beforeEach(() => vi.mocked(redirectTo).mockClear())

const api = useFakeApi()

const SETTINGS = 'GET /api/events/gala/rsvp'
const SEND = 'POST /api/events/gala/rsvp'
const open = {
  state: 'open',
  guestsMax: 1,
  meals: ['Vegetarian', 'Chicken'],
  words: 'Park behind the hall.',
  closesAt: null,
  lastDay: null,
  seatsLeft: null,
  price: null,
  tickets: null,
  memberEmail: null,
}

test('a visitor sends an RSVP with a guest and meals; nothing is loaded before', async () => {
  stubBotCheck()
  const { person } = renderEvent({ takesRsvp: true })
  expect(api.current.sent).toEqual([])
  api.current.on(SETTINGS, { body: open }).on(SEND, 'no network', { body: { place: 'coming' } })
  await person.click(screen.getByRole('button', { name: 'RSVP' }))
  await screen.findByText('Park behind the hall.')
  await person.type(screen.getByLabelText('Name'), 'Leela Varghese')
  await person.selectOptions(screen.getByLabelText('Guests'), '1')
  await person.selectOptions(screen.getByLabelText('Your meal'), 'Chicken')
  await person.click(screen.getByRole('button', { name: 'Send my RSVP' }))
  await screen.findByText('2 things need another look')
  await person.type(screen.getByLabelText('Email'), 'leela@example.com')
  await person.selectOptions(screen.getByLabelText('Meal for guest 1'), 'Vegetarian')
  await person.click(screen.getByRole('button', { name: 'Send my RSVP' }))
  await screen.findByText(/We couldn’t reach the site/)
  await person.click(screen.getByRole('button', { name: 'Send my RSVP' }))
  expect((await screen.findAllByText('Thank you. Check your email.')).length).toBeGreaterThan(0)
  expect(api.current.requestsTo(SEND).at(-1)?.body).toEqual({
    name: 'Leela Varghese',
    email: 'leela@example.com',
    guests: 1,
    meals: ['Chicken', 'Vegetarian'],
    waitlist: false,
    recaptchaToken: 'token for event_rsvp',
  })
})

test('the thanks of one event are not shown on the next', async () => {
  stubBotCheck()
  const around = { today: '2026-11-21', coming: [kites], pictures: [] }
  const { person } = renderPage(EventPage, {
    at: '/events/gala',
    route: {
      path: '/events/:id',
      answers: {
        '/events/gala': { ...around, event: { ...gala, takesRsvp: true } },
        '/events/kites': { ...around, event: { ...kites, takesRsvp: true } },
      },
    },
  })
  api.current.on(SETTINGS, { body: { ...open, meals: [] } }).on(SEND, { body: { place: 'coming' } })
  await person.click(screen.getByRole('button', { name: 'RSVP' }))
  await person.type(await screen.findByLabelText('Name'), 'Leela Varghese')
  await person.type(screen.getByLabelText('Email'), 'leela@example.com')
  await person.click(screen.getByRole('button', { name: 'Send my RSVP' }))
  await screen.findAllByText('Thank you. Check your email.')
  await person.click(screen.getByRole('link', { name: 'Kites' }))
  await screen.findByRole('heading', { level: 1, name: 'Kites' })
  expect(screen.queryByText('Thank you. Check your email.')).toBeNull()
  screen.getByRole('button', { name: 'RSVP' })
})

test.each([
  ['full', /All seats are taken/],
  ['closed', /RSVPs for this event are closed/],
  ['over', /is no longer taking RSVPs/],
])('an event whose RSVPs are %s says so', async (state, text) => {
  const { person } = renderEvent({ takesRsvp: true })
  api.current.on(SETTINGS, { status: 500 }, { body: { ...open, state } })
  await person.click(screen.getByRole('button', { name: 'RSVP' }))
  await person.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByText(text)
})

describe('an event with a price', () => {
  const price = { person: 5_000, member: 0, currency: 'usd', refundUntil: '2026-12-12' }

  async function openForm(settings: object) {
    stubBotCheck()
    const { person } = renderEvent({ takesRsvp: true })
    api.current.on(SETTINGS, { body: { ...open, meals: [], price, ...settings } })
    await person.click(screen.getByRole('button', { name: 'RSVP' }))
    await person.type(await screen.findByLabelText('Name'), 'Leela Varghese')
    return person
  }

  test('shows the price and the refund deadline, and leads to the card provider', async () => {
    const person = await openForm({})
    screen.getByText(/^\$50 per person\. Members pay nothing:/)
    screen.getByText(/Cancel by December 12 for a full refund\./)
    expect(screen.getByRole('link', { name: 'log in for the member price' }).getAttribute('href')).toBe(
      '/auth/login?next=%2Fevents%2Fgala%23rsvp',
    )
    await seeTotal('$50')
    await person.selectOptions(screen.getByLabelText('Guests'), '1')
    await seeTotal('$100')
    await person.type(screen.getByLabelText('Email'), 'leela@example.com')
    api.current.on(SEND, { body: { place: 'paying', payAt: 'https://pay.example/session' } })
    await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/session'))
    expect(api.current.requestsTo(SEND)[0]?.body).not.toHaveProperty('amount')
  })

  test('is free for a member with their own address, but not for their guest', async () => {
    localStorage.setItem('token', tokenFor(3_600))
    const person = await openForm({ memberEmail: 'leela@example.com' })
    await person.type(screen.getByLabelText('Email'), 'Leela@Example.com')
    await seeTotal('free')
    await person.selectOptions(screen.getByLabelText('Guests'), '1')
    await seeTotal('$50')
    await person.clear(screen.getByLabelText('Email'))
    await person.type(screen.getByLabelText('Email'), 'a.friend@example.com')
    await seeTotal('$100')
  })

  test('charges nothing on the waitlist', async () => {
    await openForm({ state: 'full' })
    screen.getByText(/Nothing is charged while you wait/)
    expect(screen.queryByText(/To pay now/)).toBeNull()
    screen.getByRole('button', { name: 'Join the waitlist' })
  })

  test('after the session ended the price is reloaded, and nothing is resent automatically', async () => {
    localStorage.setItem('token', tokenFor(3_600))
    stubBotCheck()
    const { person } = renderEvent({ takesRsvp: true })
    api.current.on(SETTINGS, errorResponse(401, 'SESSION_EXPIRED', 'Your session has expired.'), {
      body: { ...open, meals: [], price },
    })
    await person.click(screen.getByRole('button', { name: 'RSVP' }))
    await seeTotal('$50')
    expect(localStorage.getItem('token')).toBeNull()
    localStorage.setItem('token', tokenFor(3_600))
    await person.type(screen.getByLabelText('Name'), 'Leela')
    await person.type(screen.getByLabelText('Email'), 'leela@example.com')
    api.current.on(SEND, errorResponse(401, 'SESSION_EXPIRED', 'Your session has expired.'))
    await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await screen.findByText(/Your session has ended\. Log in again, or submit this again/)
    expect(api.current.requestsTo(SEND)).toHaveLength(1)
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Leela')
  })
})
