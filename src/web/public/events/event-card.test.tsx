import { cleanup, render, screen } from '@testing-library/react'
import { createRoutesStub } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { AssociationEvent } from '#contract/events.ts'
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

test('an event that is ahead has its badge, its day on the picture and a button to the events', () => {
  const { container } = renderCard(gala, '2026-12-19')
  screen.getByText('Upcoming')
  expect(container.querySelector('.date-tag')?.textContent).toBe('19 Dec')
  expect(screen.getByRole('link', { name: 'RSVP Now: Gala' }).getAttribute('href')).toBe('/events')
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/media/home/gala.jpg')
})

test('an event that is over has no badge, and its button promises no more than it can hold', () => {
  renderCard(gala, '2026-12-20')
  expect(screen.queryByText('Upcoming')).toBeNull()
  screen.getByRole('link', { name: 'Learn More: Gala' })
})

test('a date that nobody can read is shown as it was written, without a day on the picture', () => {
  const { container } = renderCard({ ...gala, date: 'To be announced', startsOn: null, endsOn: null }, '2026-12-20')
  screen.getByText(/To be announced/)
  expect(container.querySelector('.date-tag')).toBeNull()
})

test('an event that is called off says so in the place of its badge, and asks nobody to come', () => {
  renderCard({ ...gala, calledOff: 'The hall has flooded.' }, '2026-12-01')
  screen.getByText('Called off')
  expect(screen.queryByText('Upcoming')).toBeNull()
  screen.getByRole('link', { name: 'Learn More: Gala' })
})
