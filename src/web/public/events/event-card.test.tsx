import { cleanup, render, screen } from '@testing-library/react'
import { createRoutesStub } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { AssociationEvent } from '#contract/public/events.ts'
import { EventCard } from './event-card.tsx'

const gala: AssociationEvent = {
  id: 'gala',
  title: 'Gala',
  description: 'Dinner and dancing.',
  date: 'December 19, 2026',
  time: null,
  location: 'Duluth',
  address: null,
  imageKey: '/media/home/gala.jpg',
  detailsLink: '/events',
  startsOn: '2026-12-19',
  endsOn: '2026-12-19',
  startsAt: null,
  endsAt: null,
}

function renderCard(event: AssociationEvent, today: string) {
  const Stub = createRoutesStub([{ path: '/', Component: () => <EventCard event={event} today={today} /> }])
  return render(<Stub />)
}

afterEach(cleanup)

test('an upcoming event has a badge, a date tag and a button to the events', () => {
  const { container } = renderCard(gala, '2026-12-19')
  screen.getByText('Upcoming')
  expect(container.querySelector('.date-tag')?.textContent).toBe('19 Dec')
  expect(screen.getByRole('link', { name: 'RSVP Now: Gala' }).getAttribute('href')).toBe('/events')
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/media/home/gala.jpg')
})

test('a past event has no badge and no RSVP button', () => {
  renderCard(gala, '2026-12-20')
  expect(screen.queryByText('Upcoming')).toBeNull()
  screen.getByRole('link', { name: 'Learn More: Gala' })
})

test('an unreadable date is shown as written, without a date tag', () => {
  const { container } = renderCard({ ...gala, date: 'To be announced', startsOn: null, endsOn: null }, '2026-12-20')
  screen.getByText(/To be announced/)
  expect(container.querySelector('.date-tag')).toBeNull()
})

test('a canceled event has a Canceled badge and no RSVP button', () => {
  renderCard({ ...gala, calledOff: 'The hall has flooded.' }, '2026-12-01')
  screen.getByText('Canceled')
  expect(screen.queryByText('Upcoming')).toBeNull()
  screen.getByRole('link', { name: 'Learn More: Gala' })
})
