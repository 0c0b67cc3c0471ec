import { screen } from '@testing-library/react'
import type { EventDetails } from '#contract/public/events.ts'
import { describePictures } from '#web/public/events/event-pictures.rules.ts'
import EventPage from '#web/public/events/event.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { renderPage } from './page-test-helpers.tsx'

/** An event that is ahead of TODAY of the tests, November 21, 2026. */
export const gala: EventDetails = {
  id: 'gala',
  title: 'Gala under the Oaks',
  description: 'Dinner and dancing.',
  date: 'December 19, 2026',
  time: '6:30 PM to 11:00 PM',
  location: 'Grand Magnolia Hall, Duluth',
  address: '1 Sample Oak Drive',
  imageKey: ['hero-gala', 'made-1'],
  detailsLink: '/events',
  startsOn: '2026-12-19',
  endsOn: '2026-12-19',
  startsAt: '18:30',
  endsAt: '23:00',
  html: '<p>Tables seat ten.</p>',
  startDate: '2026-12-19T18:30:00-05:00',
  endDate: '2026-12-19T23:00:00-05:00',
}

export const kites: EventDetails = {
  ...gala,
  id: 'kites',
  title: 'Kites',
  startsOn: '2027-01-09',
  endsOn: '2027-01-09',
}

/** Waits until the form says what is to be paid now, such as '$50'. */
export async function seeTotal(amount: string): Promise<void> {
  await screen.findByText((_, element) => element?.tagName === 'P' && element.textContent === `To pay now: ${amount}`)
}

export function renderEvent(over: Partial<EventDetails> = {}, coming: readonly EventDetails[] = [], contact?: object) {
  const urls = [over.imageKey ?? gala.imageKey].flat().slice(1).map(imageUrl)
  const pictures = describePictures(urls, [])
  return renderPage(EventPage, {
    at: '/events/gala',
    loaderData: { today: '2026-11-21', event: { ...gala, ...over }, coming, contact, pictures },
  })
}
