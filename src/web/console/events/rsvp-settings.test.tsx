import { cleanup, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { saveByKey } from '#tests/support/web/console-test-helpers.tsx'
import type { RsvpEvent } from '#contract/console/rsvp.ts'
import { eventHead, gala } from '#tests/support/web/event-head.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { signOut } from '#web/session/session.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import RsvpSettingsPage from './rsvp-settings.tsx'

vi.mock('#web/api/reload.ts', () => ({ reloadPage: vi.fn<() => void>() }))

const api = useFakeApi()
const READ = 'GET /api/console/rsvp/gala'
const CANCEL_EVENT = 'POST /api/console/rsvp/gala/call-off'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const MESSAGE = 'The hall has flooded.'
const off: RsvpEvent = {
  ...gala,
  event: { ...gala.event, state: 'off', counts: { coming: 0, waiting: 0, paying: 0, held: 0, arrived: 0 } },
  offer: { ...gala.offer, isOpen: false, version: 4 },
  calledOff: { at: '2030-12-01T15:00:00.000Z', words: MESSAGE },
  paid: 0,
}

async function open(found: RsvpEvent) {
  api.current.on(READ, { body: found }).on('GET /api/console/events/gala', { body: eventHead })
  const view = renderPage(() => <RsvpSettingsPage id="gala" />, { at: '/console/rsvp/gala/offer' })
  await screen.findByRole('heading', { name: 'After the event' })
  return view
}

describe('what was typed and not saved', () => {
  const NOTE = 'You have an unsaved draft from an earlier visit'

  async function type() {
    const { person } = await open(gala)
    await person.type(await screen.findByLabelText('Seats'), '0')
    await person.tab()
    cleanup()
  }

  test('is offered again until it is saved', async () => {
    await type()
    const { person } = await open(gala)
    await screen.findByText(NOTE)
    await person.click(screen.getByRole('button', { name: 'Restore draft' }))
    expect(screen.getByLabelText<HTMLInputElement>('Seats').value).toBe('1000')
    cleanup()

    api.current.on('PUT /api/console/rsvp/gala', { body: { ...gala, offer: { ...gala.offer, version: 4 } } })
    const again = await open(gala)
    await again.person.click(await screen.findByRole('button', { name: 'Restore draft' }))
    await saveByKey(again.person)
    await screen.findByText('Saved. The change is live.')
    cleanup()

    await open(gala)
    await screen.findByLabelText('Seats')
    expect(screen.queryByText(NOTE)).toBeNull()
  })

  test('is nothing where fields were only looked through', async () => {
    const { person } = await open(gala)
    for (let field = 0; field < 8; field++) await person.tab()
    cleanup()
    await open({ ...gala, offer: { ...gala.offer, price: 6_000, version: 4 } })
    expect(screen.queryByText(NOTE)).toBeNull()
    expect(Object.keys(localStorage).filter((key) => key.startsWith('console-draft'))).toEqual([])
  })

  test('is applied on top of what another officer saved since, with conflicts shown', async () => {
    await type()
    const theirs = { ...gala, offer: { ...gala.offer, price: 6_000, version: 4 } }
    const { person } = await open(theirs)
    await person.click(await screen.findByRole('button', { name: 'Restore draft' }))
    expect(screen.getByLabelText<HTMLInputElement>('Seats').value).toBe('1000')
    expect(screen.getByLabelText<HTMLInputElement>('Price per person ($)').value).toBe('60')
    expect(screen.queryByRole('group', { name: 'Newer version' })).toBeNull()
    cleanup()

    const later = await open({ ...theirs, offer: { ...theirs.offer, capacity: 80, version: 5 } })
    await later.person.click(await screen.findByRole('button', { name: 'Restore draft' }))
    within(await screen.findByRole('group', { name: 'Newer version' })).getByText('80')
    const SAVE = 'PUT /api/console/rsvp/gala'
    api.current.on(SAVE, { body: theirs })
    await saveByKey(later.person)
    await screen.findByText('Saved. The change is live.')
    expect(api.current.requestsTo(SAVE)[0]?.body).toMatchObject({ capacity: 1_000, price: 6_000, version: 5 })
  })

  test('stays on offer while other fields are looked through or filled in, and is taken up with them', async () => {
    await type()
    const { person } = await open(gala)
    await person.click(screen.getByLabelText('Credit hours'))
    await person.tab()
    cleanup()
    const later = await open(gala)
    await later.person.type(screen.getByLabelText('Credit hours'), '2')
    const stored = JSON.parse(localStorage.getItem('console-draft:rsvp-offer:gala') ?? '') as { value: object }
    expect(Object.keys(stored.value)).toEqual(['capacity', 'creditHours'])
    await later.person.click(await screen.findByRole('button', { name: 'Restore draft' }))
    expect(screen.getByLabelText<HTMLInputElement>('Seats').value).toBe('1000')
    expect(screen.getByLabelText<HTMLInputElement>('Credit hours').value).toBe('2')
  })

  test('is passed over in the shape of an earlier release', async () => {
    localStorage.setItem('console-draft:rsvp-offer:gala', JSON.stringify({ capacity: '1000', price: '20' }))
    await open(gala)
    expect(screen.queryByText(NOTE)).toBeNull()
  })

  test('is removed on logout', async () => {
    await type()
    signOut()
    expect(Object.keys(localStorage)).toEqual([])
  })
})

describe('canceling an event', () => {
  test('shows who is emailed and what is refunded, and requires a message', async () => {
    const { person } = await open(gala)
    await person.click(screen.getByRole('button', { name: 'Cancel event' }))
    const dialog = await screen.findByRole('dialog', { name: 'Cancel event?' })
    within(dialog).getByText('48 coming, 3 waiting')
    within(dialog).getByText(/\$1,200 will be refunded to their cards/)
    api.current.on(CANCEL_EVENT, { body: { parties: 25, refunded: 120_000, event: off } })
    await person.type(within(dialog).getByLabelText('Message to guests'), MESSAGE)
    await person.click(within(dialog).getByRole('button', { name: 'Cancel event' }))
    await screen.findByText('Event canceled. Emails to 25 parties are being sent, and $1,200 is being refunded.')
    expect(api.current.requestsTo(CANCEL_EVENT)[0]?.body).toEqual({ announcement: MESSAGE })
    screen.getByText(/Message to guests: “The hall has flooded\.”/)
    expect(screen.queryByRole('button', { name: 'Cancel event' })).toBeNull()
  })

  test('an error is shown in the dialog, and the message stays', async () => {
    const { person } = await open(gala)
    await person.click(screen.getByRole('button', { name: 'Cancel event' }))
    const field = await screen.findByLabelText<HTMLTextAreaElement>('Message to guests')
    await person.type(field, MESSAGE)
    api.current.on(CANCEL_EVENT, errorResponse(409, 'EVENT_IS_PAID', 'Guests have paid for this event.'))
    await person.click(screen.getByRole('button', { name: 'Cancel event' }))
    await screen.findByText('Guests have paid for this event.')
    expect(field.value).toBe(MESSAGE)
  })

  test('is not available without RSVP settings or after the event', async () => {
    await open({ ...gala, hasEnded: true })
    expect(screen.queryByRole('button', { name: 'Cancel event' })).toBeNull()
  })
})

test('settings changed by another officer are overwritten only after their newer version was shown', async () => {
  const SAVE = 'PUT /api/console/rsvp/gala'
  const theirs = { ...gala, offer: { ...gala.offer, isOpen: false, capacity: 80, guestsMax: 1, version: 4 } }
  const { person } = await open(gala)
  await person.clear(screen.getByLabelText('Seats'))
  await person.type(screen.getByLabelText('Seats'), '120')
  api.current
    .on(READ, { body: theirs })
    .on(SAVE, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'))
  await saveByKey(person)
  within(await screen.findByRole('group', { name: 'Newer version' })).getByText('80')
  screen.getByText('Someone else changed this in the meantime.')
  const saved = { ...theirs, offer: { ...theirs.offer, capacity: 120, version: 5 } }
  api.current.on(SAVE, { body: saved })
  await saveByKey(person)
  await screen.findByText('Saved. The change is live.')
  expect(api.current.requestsTo(SAVE)[1]?.body).toMatchObject({
    isOpen: false,
    capacity: 120,
    guestsMax: 1,
    version: 4,
  })
  expect(screen.queryByRole('group', { name: 'Newer version' })).toBeNull()
})
