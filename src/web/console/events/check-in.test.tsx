import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { CheckInEntry, CheckInList } from '#contract/console/rsvp.ts'
import { eventHead } from '#tests/support/web/event-head.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import CheckInPage from './check-in.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/rsvp/gala/door'
const MARKS = 'POST /api/console/rsvp/gala/marks'

const entry = (id: string, over: Partial<CheckInEntry> = {}): CheckInEntry => ({
  id,
  name: `Person ${id}`,
  email: `${id}@example.com`,
  guests: 0,
  meals: [],
  place: 'coming',
  arrived: 0,
  isWalkIn: false,
  paid: 0,
  code: `${id}.code`,
  cardHash: null,
  ...over,
})

const listOf = (...entries: CheckInEntry[]): CheckInList => ({
  event: {
    id: 'gala',
    title: 'Gala',
    date: 'December 19, 2026',
    location: 'Duluth',
    state: 'open',
    capacity: 50,
    counts: { coming: entries.length, waiting: 0, paying: 0, held: 0, arrived: 0 },
  },
  entries,
  meals: [{ meal: 'Vegetarian', count: 1 }],
})

function openCheckIn() {
  api.current.on('GET /api/console/events/gala', { body: eventHead })
  window.localStorage.setItem('token', tokenFor(3_600))
  window.localStorage.setItem('user', JSON.stringify({ username: 'officer' }))
  return renderPage(() => <CheckInPage id="gala" />, { at: '/console/rsvp/gala' })
}

const sentMarks = () =>
  api.current
    .requestsTo(MARKS)
    .map(({ body }) => body as { walkIns: unknown[]; marks: { id: string; rsvpId: string; arrived: number }[] })

test('a guest is found by name, checked in with their party, and undone', async () => {
  const before = listOf(entry('ana', { guests: 2 }), entry('ben'))
  api.current
    .on(LIST, { body: before })
    .on(MARKS, { body: listOf(entry('ana', { guests: 2, arrived: 3 }), entry('ben')) }, { body: before })
  const { person } = openCheckIn()
  await person.type(await screen.findByLabelText('Find by name or email'), 'ANA@')
  await waitFor(() => expect(screen.queryByText('Person ben')).toBeNull())
  await person.click(screen.getByRole('button', { name: 'Check in 3: Person ana' }))
  screen.getByText('3 checked in')
  await person.click(await screen.findByRole('button', { name: 'Undo check-in of Person ana' }))
  await waitFor(() => expect(sentMarks().flatMap(({ marks }) => marks.map(({ arrived }) => arrived))).toEqual([3, 0]))
  expect(JSON.stringify(window.localStorage)).not.toContain('ana@example.com')
})

test('without a network everything goes on from the list on the phone, also after the page was closed, and is sent once later', async () => {
  api.current.on(LIST, { body: listOf(entry('ana'), entry('ben')) }).on(MARKS, 'no network')
  const { person, unmount } = openCheckIn()
  await person.click(await screen.findByRole('button', { name: 'Check in Person ana' }))
  await screen.findByText(/You’re offline. 1 not sent yet/)
  await person.click(screen.getByRole('button', { name: 'Add walk-in' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add walk-in' })
  await person.type(within(dialog).getByLabelText('Name'), 'Walt Walker')
  await person.click(within(dialog).getByRole('button', { name: 'Add and check in' }))
  await screen.findByText(/3 not sent yet/)
  unmount()

  api.current.on(LIST, 'no network')
  const again = openCheckIn()
  await screen.findByText('Walt Walker')
  expect(screen.queryByRole('button', { name: 'Check in Person ana' })).toBeNull()
  await again.person.click(screen.getByRole('button', { name: 'Check in Person ben' }))
  const tries = sentMarks().length
  api.current.on(MARKS, { body: listOf(entry('ana', { arrived: 1 }), entry('ben', { arrived: 1 })) })
  await again.person.click(await screen.findByRole('button', { name: 'Retry' }))
  await screen.findByText('All changes sent.')
  const [sent, ...more] = sentMarks().slice(tries)
  expect([more.length, sent?.walkIns.length, sent?.marks.length]).toEqual([0, 1, 3])
  const ids = sentMarks().flatMap(({ marks }) => marks.filter(({ rsvpId }) => rsvpId === 'ana').map(({ id }) => id))
  expect(new Set(ids).size).toBe(1)
})

test('a server error is shown, and nothing is lost', async () => {
  const refused = { status: 403, body: { message: 'Your role does not allow this.', code: 'NOT_ALLOWED' } }
  api.current.on(LIST, { body: listOf(entry('ana')) }).on(MARKS, refused)
  const { person } = openCheckIn()
  await person.click(await screen.findByRole('button', { name: 'Check in Person ana' }))
  await screen.findByText('Your role does not allow this.')
  expect(window.localStorage.getItem('door:gala')).toContain('"marks":[{')
})

test('part of a party is checked in, and the others when they arrive', async () => {
  const party = (arrived: number) => listOf(entry('ana', { guests: 1, arrived }))
  api.current.on(LIST, { body: party(0) }).on(MARKS, { body: party(1) }, { body: party(2) })
  const { person } = openCheckIn()
  await person.click(await screen.findByRole('button', { name: 'Check in part of Person ana’s party' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Only 1 of 2' }))
  await screen.findByText(/1 of 2 checked in/)
  await person.click(screen.getByRole('button', { name: 'Check in one more of Person ana' }))
  await screen.findByText(/^2 checked in/)
  expect(sentMarks().flatMap(({ marks }) => marks.map(({ arrived }) => arrived))).toEqual([1, 2])
})

describe('the keyboard goes on where a button went away', () => {
  const focused = (name: string) =>
    waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name })))

  test('at the same guest, checked in or undone', async () => {
    const guests = (ana: number, ben: number) => ({
      body: listOf(entry('ana', { arrived: ana }), entry('ben', { guests: 1, arrived: ben })),
    })
    api.current.on(LIST, guests(0, 0)).on(MARKS, guests(1, 0), guests(0, 0), guests(0, 1), guests(0, 2))
    const { person } = openCheckIn()
    await person.click(await screen.findByRole('button', { name: 'Check in Person ana' }))
    await focused('Undo check-in of Person ana')
    await person.keyboard('{Enter}')
    await focused('Check in Person ana')
    await person.click(screen.getByRole('button', { name: 'Check in part of Person ben’s party' }))
    await person.click(await screen.findByRole('menuitem', { name: 'Only 1 of 2' }))
    await focused('Undo check-in of Person ben')
    await person.click(screen.getByRole('button', { name: 'Check in one more of Person ben' }))
    await focused('Undo check-in of Person ben')
  })

  test('at the search, once a guest is off the list', async () => {
    let answer: (answer: object) => void = () => {}
    const later = new Promise<object>((resolve) => (answer = resolve))
    api.current.on(LIST, { body: listOf(entry('ana'), entry('ben')) }, { body: listOf(entry('ben')) })
    api.current.on('DELETE /api/console/rsvp/gala/people/ana', later)
    const { person } = openCheckIn()
    await person.click(await screen.findByRole('button', { name: 'Remove guests' }))
    await person.click(screen.getByRole('button', { name: 'Remove Person ana' }))
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this RSVP?' })
    await person.click(within(dialog).getByRole('button', { name: 'Cancel RSVP' }))
    await focused('Remove Person ana')
    answer({ body: listOf(entry('ben')) })
    await screen.findByText('Person ana was removed from the list.')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Find by name or email')))
  })
})
