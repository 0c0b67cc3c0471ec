import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { GET_OFFICER, officerWith, openConsole, useConsoleApi } from '#tests/support/web/console-test-helpers.tsx'

const api = useConsoleApi()
const HOME = 'GET /api/console/home'
const AUDIT = 'GET /api/console/audit'
const EVENTS = 'GET /api/console/rsvp'

const figures = {
  today: '2026-11-23',
  members: {
    levels: [
      { key: 'annual', name: 'Annual' },
      { key: 'life', name: 'Life' },
    ],
    months: [
      { month: '2026-10', counts: [4, 1] },
      { month: '2026-11', counts: [6, 2] },
    ],
  },
  renewals: { count: 3, amount: 30_000, currency: 'usd', automatic: 2, weeks: [{ from: '2026-11-23', count: 3 }] },
  income: { month: '2026-11', currency: 'usd', days: [0, 10_000], yearBefore: [5_000, 5_000, 20_000] },
}

test('shows what waits with the way to do it, figures, activity and events', async () => {
  api.current
    .on('GET /api/console/today', {
      body: {
        tasks: [
          { key: 'messages', count: 2, urgency: 'late', detail: 'The oldest was due 5 hours ago.' },
          { key: 'scholarships', count: 0, urgency: 'calm', detail: null },
        ],
      },
    })
    .on(HOME, { body: figures })
    .on(AUDIT, { body: { entries: [], hasMore: false, people: [] } })
    .on(EVENTS, { body: { events: [] } })
  openConsole('/console')
  const work = await screen.findByRole('region', { name: 'Needs attention' })
  expect(within(work).getByRole('link', { name: 'Reply: 2 messages to answer' }).getAttribute('href')).toBe(
    '/console/messages',
  )
  within(work).getByText('Scholarship applications close soon')
  await screen.findByText('Monday, November 23, 2026')

  const members = screen.getByRole('region', { name: 'Members by level' })
  within(members).getByText('8')
  within(members).getByText(/3 more than/)
  const table = within(members).getByRole('table', { name: 'Members by level at the end of each month' })
  expect(within(table).getByRole('row', { name: 'Nov 2026 6 2' })).toBeDefined()
  screen.getByText('2 renew by card. 1 renew by hand, and are reminded by email.')
  const money = screen.getByRole('region', { name: 'Revenue' })
  within(money).getByText('November so far; $50 by this day in 2025')
  await screen.findByText('No upcoming events.')
  screen.getByText('Nothing yet.')
})

test('a role sees neither the figures nor the lists of others, and asks for none of them', async () => {
  api.current
    .on(GET_OFFICER, { body: officerWith(['treasurer']) })
    .on(HOME, { body: { ...figures, renewals: null } })
    .on(AUDIT, { body: { entries: [], hasMore: false, people: [] } })
  openConsole('/console')
  await screen.findByText('All caught up.')
  await screen.findByRole('region', { name: 'Revenue' })
  expect(screen.queryByRole('region', { name: 'Next events' })).toBeNull()
  expect(api.current.requestsTo(EVENTS)).toEqual([])
})

test('figures that cannot be loaded leave the tasks on the page, and can be asked for again', async () => {
  api.current
    .on(HOME, 'no network', { body: figures })
    .on(AUDIT, { body: { entries: [], hasMore: false, people: [] } })
    .on(EVENTS, { body: { events: [] } })
  const person = openConsole('/console')
  await screen.findByText('All caught up.')
  await person.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByRole('region', { name: 'Members by level' })
})
