import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { OwnRsvp, PublicRsvpSettings } from '#contract/public/rsvp.ts'
import { errorResponse, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage, stubBotCheck } from '#tests/support/web/page-test-helpers.tsx'
import { redirectTo } from '#web/api/redirect.ts'
import { OwnRsvpPanel } from './own-rsvp.tsx'
import { RsvpPanel } from './rsvp-panel.tsx'

vi.mock('#web/api/redirect.ts', () => ({ redirectTo: vi.fn<() => Promise<void>>(async () => {}) }))
beforeEach(() => vi.mocked(redirectTo).mockClear())

const api = useFakeApi()
const SETTINGS = 'GET /api/events/gala/rsvp'
const SEND = 'POST /api/events/gala/rsvp'

const kind = { seats: 1, left: null, levels: [], mayChoose: true }
const settings: PublicRsvpSettings = {
  state: 'open',
  guestsMax: 9,
  meals: ['Vegetarian', 'Fish'],
  words: '',
  closesAt: null,
  lastDay: null,
  seatsLeft: null,
  price: null,
  tickets: {
    currency: 'usd',
    refundUntil: null,
    kinds: [
      { ...kind, key: 'adult', name: 'Adult', price: 8_000, memberPrice: 6_000 },
      { ...kind, key: 'child', name: 'Child', price: 3_000, memberPrice: 3_000, left: 1 },
      { ...kind, key: 'student', name: 'Student', price: 0, memberPrice: 0, levels: ['Student'], mayChoose: false },
    ],
  },
  memberEmail: null,
}

test('a party chooses tickets of each kind, reads the total, and reads when a kind is short', async () => {
  stubBotCheck()
  api.current
    .on(SETTINGS, { body: settings })
    .on(SEND, errorResponse(400, 'INVALID_INPUT', 'x', { tickets: 'These tickets have changed.' }), {
      body: { place: 'paying', payAt: 'https://pay.example/tickets' },
    })
  const panel = { eventId: 'gala', today: '2026-11-21', email: 'office@example.org' }
  const { person } = renderPage(() => <RsvpPanel {...panel} focusHeading={() => {}} onSent={() => {}} />, {
    at: '/events/gala',
  })
  await person.type(await screen.findByLabelText('Name'), 'Leela')
  await person.type(screen.getByLabelText('Email'), 'leela@example.com')
  expect(screen.queryByLabelText('Guests')).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Send my RSVP' }))
  expect(await screen.findAllByText('Please choose at least one ticket')).not.toEqual([])
  expect(screen.getByLabelText<HTMLSelectElement>('Student').disabled).toBe(true)
  await person.selectOptions(screen.getByLabelText('Adult'), '1')
  await person.selectOptions(screen.getByLabelText('Child'), '2')
  await screen.findByText('Not enough tickets: Child')
  expect(screen.getByRole('button', { name: 'Join the waitlist' })).not.toBeNull()
  await person.selectOptions(screen.getByLabelText('Child'), '1')
  await screen.findByText('$110')
  screen.getByText(/The member price is for one ticket/)
  await person.selectOptions(screen.getByLabelText('Your meal'), 'Fish')
  await person.selectOptions(screen.getByLabelText('Meal for guest 1'), 'Vegetarian')
  await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
  const tickets = await screen.findByRole('group', { name: 'Tickets' })
  await within(tickets).findByText('These tickets have changed.')
  await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
  await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/tickets'))
  expect(api.current.requestsTo(SEND)[1]?.body).toMatchObject({
    guests: 1,
    meals: ['Fish', 'Vegetarian'],
    waitlist: false,
    tickets: [
      { kind: 'adult', count: 1 },
      { kind: 'child', count: 1 },
    ],
  })
})

test('a party changes its tickets: what it pays or gets back is shown before', async () => {
  const ticket = { kind: 'adult', name: 'Adult', price: 8_000, fullPrice: 8_000, seats: 1, count: 2 }
  const own: OwnRsvp = {
    event: { id: 'gala', title: 'Gala', date: 'December 19, 2026', time: null, location: 'Duluth' },
    name: 'Leela',
    guests: 1,
    meals: [],
    tickets: [ticket],
    place: 'coming',
    offer: { ...settings, meals: [] },
    hasCertificate: false,
    money: {
      currency: 'usd',
      own: 0,
      guest: 0,
      paid: 16_000,
      owed: 0,
      payBy: null,
      isRefundable: true,
      refundUntil: '2026-12-12',
    },
  }
  api.current
    .on('POST /api/rsvp/read', { body: own })
    .on('POST /api/rsvp/change', { body: { ...own, payAt: 'https://pay.example/more' } })
  const { person } = renderPage(() => <OwnRsvpPanel token="t" />, { at: '/rsvp' })
  await screen.findByText(/2 × Adult/)
  await person.selectOptions(screen.getByLabelText('Adult'), '1')
  await screen.findByText('$80 will be refunded to the card you paid with.')
  await person.selectOptions(screen.getByLabelText('Adult'), '3')
  await screen.findByText('$80', { selector: 'b' })
  await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
  await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/more'))
  expect(api.current.requestsTo('POST /api/rsvp/change')[0]?.body).toMatchObject({
    tickets: [{ kind: 'adult', count: 3 }],
  })
})
