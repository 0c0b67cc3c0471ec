import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { eventHead } from '#tests/support/web/event-head.ts'
import { tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import CheckInStartPage from './check-in-start.tsx'

const api = useFakeApi()
const LIST = 'GET /api/console/events'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const today = dayOf(Date.now(), 'America/New_York')
const { path: _path, hasSettings: _hasSettings, messages: _messages, ...gala } = eventHead
const reply = (events: object[]) => ({
  body: { events, total: events.length, counts: { upcoming: events.length, past: 0, drafts: 0 } },
})
const open = () => renderPage(CheckInStartPage, { at: '/console/check-in' })

test('today’s only event opens at once', async () => {
  const lecture = { ...gala, id: 'lecture', title: 'Lecture', startsOn: '2030-12-20' }
  api.current.on(LIST, reply([{ ...gala, startsOn: today }, lecture]))
  open()
  await screen.findByText('At /console/rsvp/gala')
})

test('a meeting of several days opens on its second day', async () => {
  const yesterday = dayOf(Date.now() - 86_400_000, 'America/New_York')
  api.current.on(LIST, reply([{ ...gala, startsOn: yesterday }]))
  open()
  await screen.findByText('At /console/rsvp/gala')
})

test('of several events one is chosen; those without RSVPs are left out', async () => {
  const off = { ...gala, id: 'picnic', title: 'Picnic', rsvps: 'none' }
  const second = { ...gala, id: 'lecture', title: 'Lecture', startsOn: today }
  api.current.on(LIST, reply([{ ...gala, startsOn: today }, second, off]))
  open()
  expect((await screen.findByRole('link', { name: gala.title })).getAttribute('href')).toBe('/console/rsvp/gala')
  screen.getByRole('link', { name: 'Lecture' })
  expect(screen.queryByText('Picnic')).toBeNull()
})

test('without events with RSVPs, the page leads to the events', async () => {
  api.current.on(LIST, reply([]))
  open()
  await screen.findByText('No upcoming events with RSVPs.')
  screen.getByRole('link', { name: 'All events' })
})

test('without a network, the lists on this device are offered', async () => {
  const event = { id: 'gala', title: 'Gala under the Oaks', date: 'December 19, 2030' }
  const kept = { list: { event, entries: [], meals: [] }, walkIns: [], marks: [], receivedAt: Date.now() }
  localStorage.setItem('door:gala', JSON.stringify(kept))
  api.current.on(LIST, 'no network')
  open()
  expect((await screen.findByRole('link', { name: 'Gala under the Oaks' })).getAttribute('href')).toBe(
    '/console/rsvp/gala',
  )
})
