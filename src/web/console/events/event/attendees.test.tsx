import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Attendee } from '#contract/console/events/events.ts'
import type { CheckInList } from '#contract/console/rsvp.ts'
import { eventHead, gala } from '#tests/support/web/event-head.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import { Toasts } from '#web/console/ui/toasts.tsx'
import AttendeesPage from './attendees.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/events/gala/attendees'
const counts = { active: 2, coming: 1, paying: 0, waiting: 1, arrived: 0, cancelled: 0 }

const checkInList: CheckInList = { event: gala.event, entries: [], meals: [] }

const attendee = (name: string, given: Partial<Attendee> = {}): Attendee => ({
  id: name,
  name,
  email: `${name}@example.org`,
  memberId: null,
  guests: 0,
  meals: [],
  tickets: [],
  status: 'coming',
  arrived: 0,
  isWalkIn: false,
  askedAt: '2030-03-02T15:04:05.000Z',
  paid: 0,
  due: null,
  ...given,
})

beforeEach(() => {
  localStorage.setItem('token', tokenFor(3_600))
  api.current.on('GET /api/console/events/gala', { body: eventHead })
})

function open(at = '/console/rsvp/gala/attendees') {
  return renderPage(
    () => (
      <>
        <AttendeesPage id="gala" />
        <Toasts />
      </>
    ),
    { at },
  )
}

test('the waitlist is offered a seat, and a full event says so', async () => {
  const waiting = attendee('Wali', { status: 'waiting', guests: 1 })
  const paid = attendee('Pia', { paid: 5_000, memberId: 'm1' })
  api.current.on(LIST, { body: { attendees: [paid, waiting], total: 2, counts } })
  const offer = 'POST /api/console/events/gala/attendees/Wali/offer'
  api.current.on(offer, errorResponse(409, 'RSVP_FULL', 'All seats are taken.'), { body: { status: 'coming' } })
  const { person } = open()
  await screen.findByRole('link', { name: 'Pia' })
  screen.getByRole('link', { name: /^Waitlist/ })
  const choose = async (name: string, item: string) => {
    await person.click(screen.getByRole('button', { name: `Actions for ${name}` }))
    await person.click(await screen.findByRole('menuitem', { name: item }))
  }
  await choose('Wali', 'Offer a seat')
  await screen.findByText('All seats are taken.')
  await choose('Wali', 'Offer a seat')
  await screen.findByText('Wali was offered a seat.')
  // Money is refunded by the treasurer, never by canceling here.
  await person.click(screen.getByRole('button', { name: 'Actions for Pia' }))
  await screen.findByRole('menuitem', { name: 'Refund under Payments' })
  expect(screen.queryByRole('menuitem', { name: 'Cancel RSVP' })).toBeNull()
})

test('the address opens the form to add someone, and a guest who exists is refused in it', async () => {
  api.current.on(LIST, { body: { attendees: [], total: 0, counts } })
  const offer = { ...gala.offer, meals: ['Vegan', 'Jain'] }
  api.current.on('GET /api/console/rsvp/gala', { body: { ...gala, offer } })
  const add = 'POST /api/console/events/gala/attendees'
  api.current.on(add, errorResponse(409, 'RSVP_EXISTS', 'This address already has an RSVP for this event.'), {
    body: { status: 'paying' },
  })
  const { person } = open('/console/rsvp/gala/attendees?open=new')
  const drawer = await screen.findByRole('dialog', { name: 'Add attendee' })
  await person.type(await within(drawer).findByLabelText('Name'), 'Leela')
  await person.type(within(drawer).getByLabelText('Email'), 'leela@example.org')
  await person.selectOptions(within(drawer).getByLabelText('Meal'), 'Jain')
  await person.selectOptions(within(drawer).getByLabelText('Seat'), 'Hold a seat until it is paid')
  await person.click(within(drawer).getByRole('button', { name: 'Add attendee' }))
  await screen.findByText('This address already has an RSVP for this event.')
  await person.click(within(drawer).getByRole('button', { name: 'Add attendee' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add attendee' })).toBeNull())
  const [first, second] = api.current.requestsTo(add).map(({ body }) => body as { id: string })
  expect(first).toMatchObject({ name: 'Leela', guests: 0, meals: ['Jain'], seat: 'payment' })
  expect(second?.id).toBe(first?.id)
})

test('after an RSVP is canceled, the keyboard goes on at the next attendee, and after the last one at the search', async () => {
  const asha = attendee('Asha')
  const bela = attendee('Bela')
  const listOf = (...attendees: Attendee[]) => ({ body: { attendees, total: attendees.length, counts } })
  api.current
    .on(LIST, listOf(asha, bela), listOf(bela), listOf())
    .on('DELETE /api/console/rsvp/gala/people/Asha', { body: checkInList })
    .on('DELETE /api/console/rsvp/gala/people/Bela', { body: checkInList })
  const { person } = open()
  const cancel = async (name: string) => {
    await person.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
    await person.click(await screen.findByRole('menuitem', { name: 'Cancel RSVP' }))
    const dialog = await screen.findByRole('dialog', { name: `Cancel the RSVP of ${name}?` })
    await person.click(within(dialog).getByRole('button', { name: 'Cancel RSVP' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: `Actions for ${name}` })).toBeNull())
  }
  await cancel('Asha')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions for Bela' })))
  await cancel('Bela')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name or email')))
})
