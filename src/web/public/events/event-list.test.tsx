import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { pastEvents, upcomingEvents } from '#contract/public/event-lists.ts'
import type { AssociationEvent } from '#contract/public/events.ts'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import EventsPage, { meta } from './event-list.tsx'
import { plainHead, renderPage } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const SEATS_LEFT = 'GET /api/events/seats-left'

const TODAY = '2026-11-21'

function eventOn(startsOn: string | null, over: Partial<AssociationEvent> = {}): AssociationEvent {
  return {
    id: `event-${startsOn}`,
    title: `Event of ${startsOn}`,
    description: 'Dinner and dancing.',
    date: `on ${startsOn}`,
    time: '6:30 PM to 11:00 PM',
    location: 'Grand Magnolia Hall, Duluth',
    address: null,
    imageKey: ['hero-gala', 'made-1'],
    detailsLink: '/events',
    startsOn,
    endsOn: startsOn,
    startsAt: '18:30',
    endsAt: '23:00',
    ...over,
  }
}

function renderEvents(events: AssociationEvent[]) {
  return renderPage(EventsPage, {
    at: '/events',
    loaderData: {
      head: plainHead,
      today: TODAY,
      upcoming: upcomingEvents(events, TODAY),
      past: pastEvents(events, TODAY),
    },
  })
}

const events = [
  eventOn('2026-12-19'),
  eventOn('2026-10-03'),
  eventOn('2026-11-21'),
  eventOn(null, { id: 'some-day', title: 'Some day', date: 'To be announced' }),
  eventOn('2026-11-08'),
]

function titles() {
  return screen.getAllByRole('article').map((item) => within(item).getByRole('heading').textContent)
}

test('the tabs are Upcoming and Past, each with its count, upcoming first', () => {
  renderEvents(events)
  screen.getByRole('tab', { name: 'Upcoming 2', selected: true })
  screen.getByRole('tab', { name: 'Past 3', selected: false })
  expect(within(screen.getByRole('tabpanel', { name: 'Upcoming 2' })).getAllByText('Upcoming')).toHaveLength(2)
  expect(titles()).toEqual(['Event of 2026-11-21', 'Event of 2026-12-19'])
})

test('past events start with the latest, one with an unreadable date is last, and none is shown as upcoming', async () => {
  const { person } = renderEvents(events)
  await person.click(screen.getByRole('tab', { name: 'Past 3' }))
  const panel = screen.getByRole('tabpanel', { name: 'Past 3' })
  expect(titles()).toEqual(['Event of 2026-11-08', 'Event of 2026-10-03', 'Some day'])
  expect(within(panel).queryByText('Upcoming')).toBeNull()
})

test('the arrow keys, Home and End move between the tabs, and only the selected one is in the tab order', async () => {
  const { person } = renderEvents(events)
  const [upcoming, past] = screen.getAllByRole('tab')
  upcoming?.focus()
  await person.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(past)
  screen.getByRole('tab', { name: 'Past 3', selected: true })
  expect(upcoming?.tabIndex).toBe(-1)
  await person.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(upcoming)
  await person.keyboard('{End}')
  expect(document.activeElement).toBe(past)
  await person.keyboard('{Home}')
  expect(document.activeElement).toBe(upcoming)
  await person.keyboard('{ArrowLeft}')
  expect(document.activeElement).toBe(past)
})

test('each list is on the page under its heading before any script runs', () => {
  const { container } = renderEvents(events)
  const headings = [...container.querySelectorAll('.tab-panel > h2')].map((heading) => heading.textContent)
  expect(headings).toEqual(['Upcoming events', 'Past events'])
  expect(container.querySelectorAll('article')).toHaveLength(5)
})

test('an item shows date, time, place, description and its first image', () => {
  renderEvents([eventOn('2026-12-19')])
  const item = screen.getByRole('article')
  screen.getByRole('heading', { level: 3, name: 'December 2026' })
  expect(item.textContent).toContain('on 2026-12-19, 6:30 PM to 11:00 PM, Grand Magnolia Hall, Duluth')
  expect(item.textContent).toMatch(/^Sat19/)
  within(item).getByText('Dinner and dancing.')
  expect(item.querySelector('img')?.getAttribute('src')).toBe('/art/hero-gala.svg')
  expect(within(item).getByRole('link', { name: 'Event of 2026-12-19' }).getAttribute('href')).toBe(
    '/events/event-2026-12-19',
  )
})

test('empty lists show a message', async () => {
  const { person } = renderEvents([])
  screen.getByText('No upcoming events at the moment. Check back soon!')
  await person.click(screen.getByRole('tab', { name: 'Past 0' }))
  screen.getByText('No past events to display.')
})

test('a meeting on its second day is happening now, above the tabs', () => {
  const meeting = eventOn('2026-11-20', { title: 'Annual Meeting', endsOn: '2026-11-22' })
  renderEvents([meeting])
  expect(screen.getByText('Happening now:').closest('p')?.textContent).toBe(
    'Happening now: Annual Meeting, on 2026-11-20, 6:30 PM to 11:00 PM, Grand Magnolia Hall, Duluth',
  )
  screen.getByRole('tab', { name: 'Past 1' })
})

test('an evening event is happening today; other days show no such line', () => {
  const { unmount } = renderEvents([eventOn('2026-11-21')])
  screen.getByText('Happening today:')
  unmount()
  renderEvents([eventOn('2026-11-22')])
  expect(screen.queryByText(/^Happening/)).toBeNull()
})

test('a button follows the officer’s link: a PDF in a new tab, a page of the site in this one; a link to this page has no button', () => {
  renderEvents([
    eventOn('2026-12-01', { title: 'Programme', detailsLink: '/documents/programme.PDF' }),
    eventOn('2026-12-02', { title: 'Membership evening', detailsLink: '/become-a-member' }),
    eventOn('2026-12-03', { title: 'Supper' }),
  ])
  const pdf = screen.getByRole('link', { name: 'RSVP Now: Programme (PDF, opens in a new tab)' })
  expect([pdf.getAttribute('href'), pdf.getAttribute('target')]).toEqual(['/documents/programme.PDF', '_blank'])
  const page = screen.getByRole('link', { name: 'RSVP Now: Membership evening' })
  expect([page.getAttribute('href'), page.getAttribute('target')]).toEqual(['/become-a-member', null])
  expect(screen.queryByRole('link', { name: /RSVP Now: Supper/ })).toBeNull()
  const calendar = screen.getByRole('link', { name: 'Add to calendar: Supper' })
  expect(calendar.getAttribute('href')).toBe('/events/event-2026-12-03.ics')
  expect([pdf, page, calendar].map(({ className }) => className)).toEqual([
    'button small',
    'button line small',
    'button line small',
  ])
})

test('rows say how many seats are left while they are few, as of now and not of the cached page', async () => {
  const seats = [12, 0, 160].map((seatsLeft, index) => ({ id: `event-2026-12-0${index + 1}`, seatsLeft }))
  api.current.on(SEATS_LEFT, { body: { events: seats } })
  const open = { takesRsvp: true, priceLine: '$120' }
  renderEvents([
    eventOn('2026-12-01', open),
    eventOn('2026-12-02', open),
    eventOn('2026-12-03', open),
    eventOn('2026-12-04', open),
    eventOn('2026-12-05', { needsNoRsvp: true }),
  ])
  await screen.findByText('12 seats left')
  const notes = [...document.querySelectorAll('.event-row-notes')].map(({ textContent }) => textContent)
  expect(notes).toEqual(['$12012 seats left', '$120All seats are taken', '$120', '$120', 'No RSVP needed'])
})

test('a list without RSVPs asks for no seats', () => {
  renderEvents([eventOn('2026-12-01'), eventOn('2026-12-02', { takesRsvp: true, calledOff: 'The hall has flooded.' })])
  expect(api.current.sent).toEqual([])
})

test('the calendar is linked and declared in the head', () => {
  renderEvents([])
  expect(screen.getByRole('link', { name: 'Add all our events to your calendar' }).getAttribute('href')).toBe(
    '/events.ics',
  )
  expect(meta({ matches: [] } as never)).toContainEqual(
    expect.objectContaining({ rel: 'alternate', type: 'text/calendar', href: '/events.ics' }),
  )
})
