import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { RsvpEvent, TicketKind } from '#contract/console/rsvp.ts'
import { eventHead, gala } from '#tests/support/web/event-head.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import RsvpSettingsPage from '../rsvp-settings.tsx'

const api = useFakeApi()
const SAVE = 'PUT /api/console/rsvp/gala'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const levels = [{ key: 'student', name: 'Student Member' }]
const adult: TicketKind = {
  key: 'adult',
  name: 'Adult',
  price: 5_000,
  memberPrice: null,
  seats: 1,
  limit: 40,
  levels: [],
}
const withAdult: RsvpEvent = {
  ...gala,
  levels,
  offer: { ...gala.offer, price: null, kinds: [adult], version: 4 },
  tickets: [
    { kind: 'adult', name: 'Adult', count: 12, amount: 60_000 },
    { kind: 'early', name: 'Early bird', count: 2, amount: 8_000 },
  ],
}

async function open(found: RsvpEvent) {
  api.current.on('GET /api/console/rsvp/gala', { body: found }).on('GET /api/console/events/gala', { body: eventHead })
  const { person } = renderPage(() => <RsvpSettingsPage id="gala" />, { at: '/console/rsvp/gala/offer' })
  await screen.findByRole('heading', { name: 'Kinds of tickets' })
  return person
}

test('the first kind takes the place of the price; what the server refuses stands under its field', async () => {
  const person = await open({ ...gala, levels })
  api.current.on(SAVE, errorResponse(400, 'INVALID_INPUT', 'x', { 'kinds.0.seats': 'Please allow as many guests' }), {
    body: withAdult,
  })
  await person.click(screen.getByRole('button', { name: 'Add a kind' }))
  const drawer = await screen.findByRole('dialog')
  const field = (label: string) => within(drawer).getByLabelText<HTMLInputElement>(label)
  expect([field('Name').value, field('Price ($)').value]).toEqual(['Adult', '50'])
  await person.type(field('How many tickets'), '40')
  await person.click(field('Student Member'))
  await person.click(within(drawer).getByRole('button', { name: 'Save' }))
  await within(drawer).findAllByText('Please allow as many guests')
  await person.click(within(drawer).getByRole('button', { name: 'Save' }))
  await screen.findByText('Adult was saved. The change is live.')
  expect(api.current.requestsTo(SAVE)[1]?.body).toMatchObject({
    price: null,
    memberPrice: null,
    version: 3,
    kinds: [{ name: 'Adult', price: 5_000, memberPrice: null, seats: 1, limit: 40, levels: ['student'] }],
  })
  expect(screen.queryByLabelText('Price per person ($)')).toBeNull()
})

test('kinds show what was sold, also of those that are no longer offered; one is given up', async () => {
  const person = await open(withAdult)
  const row = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) }).textContent
  expect(row('Adult')).toContain('12 of 40')
  expect(row('Early bird')).toContain('No longer offered')
  api.current.on(SAVE, { body: { ...gala, levels } })
  await person.click(screen.getByRole('button', { name: 'Actions for Adult' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Stop offering' }))
  await screen.findByText('Adult is no longer offered. Guests keep theirs.')
  expect(api.current.requestsTo(SAVE)[0]?.body).toMatchObject({ kinds: [], version: 4 })
})
