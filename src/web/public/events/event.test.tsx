import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { EventDetails } from '#contract/public/events.ts'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import { gala, kites, renderEvent } from '#tests/support/web/event-page.tsx'
import EventPage, { loader, meta } from './event.tsx'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'

useFakeApi()

test('an event shows when and where, with a map and a calendar entry', () => {
  const { container } = renderEvent()
  screen.getByRole('heading', { level: 1, name: 'Gala under the Oaks' })
  screen.getByText('Tables seat ten.')
  expect(screen.getByText('Saturday, December 19, 2026').getAttribute('datetime')).toBe('2026-12-19')
  screen.getByText('6:30 PM to 11:00 PM')
  screen.getByText('1 Sample Oak Drive')
  // In the head, and beside the story.
  const calendars = screen.getAllByRole('link', { name: 'Add to calendar' }).map((link) => link.getAttribute('href'))
  expect(calendars).toEqual(['/events/gala.ics', '/events/gala.ics'])
  expect(screen.getByRole('link', { name: 'Find it on a map' }).getAttribute('href')).toContain(
    encodeURIComponent('Grand Magnolia Hall, Duluth, 1 Sample Oak Drive'),
  )
  expect([...container.querySelectorAll('img')].map((img) => img.getAttribute('src'))).toEqual([
    '/art/hero-gala.svg',
    '/art/made-1.svg',
  ])
})

test('an event is followed by the next ones', () => {
  renderEvent({}, [kites])
  screen.getByRole('heading', { level: 2, name: 'Also coming up' })
  expect(screen.getByRole('link', { name: 'Kites' }).getAttribute('href')).toBe('/events/kites')
})

test('a past event has no calendar entry, no map and no RSVP, and names the next event', () => {
  const day = '2026-08-29'
  renderEvent({ date: 'August 29, 2026', startsOn: day, endsOn: day, takesRsvp: true }, [kites])
  expect(document.querySelector('.eyebrow')?.textContent).toBe('Saturday, August 29, 2026')
  screen.getByRole('heading', { name: 'What happened' })
  screen.getByRole('heading', { name: 'Missed it?' })
  expect(screen.queryByRole('link', { name: 'Add to calendar' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Find it on a map' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'RSVP' })).toBeNull()
  expect(screen.getByRole('link', { name: 'See the next event' }).getAttribute('href')).toBe('/events/kites')
})

test('an event that takes RSVPs leads to the form from its head', () => {
  renderEvent({ takesRsvp: true })
  // In the head, and on phones at the lower edge.
  const ways = screen.getAllByRole('link', { name: 'RSVP Now' }).map((link) => link.getAttribute('href'))
  expect(ways).toEqual(['#rsvp', '#rsvp'])
  expect(document.getElementById('rsvp')).not.toBeNull()
})

test('guests can ask a person, until the event is over', () => {
  const contact = { name: 'Dr. Sohini Mukherjee', role: 'Chair', email: 'gala@example.org', leader: null }
  const { unmount } = renderEvent({}, [], contact)
  const person = within(screen.getByRole('region', { name: 'Questions? Ask Dr. Sohini Mukherjee.' }))
  person.getByText('Chair,')
  expect(person.getByRole('link').getAttribute('href')).toBe('mailto:gala@example.org')
  unmount()
  const other = renderEvent({}, [], { name: 'Dr. Tejas Amin', leader: null })
  expect(screen.getAllByRole('link', { name: 'office@example.org' }).length).toBeGreaterThan(0)
  other.unmount()
  renderEvent({ startsOn: '2026-08-29', endsOn: '2026-08-29' }, [], contact)
  expect(screen.queryByText(/Sohini/)).toBeNull()
})

test('a link to the event’s own page is no button on it', () => {
  renderEvent({ detailsLink: '/events/gala' })
  expect(screen.queryByRole('link', { name: /^RSVP Now/ })).toBeNull()
})

test('an unreadable date has no calendar entry', () => {
  renderEvent({ date: 'To be announced', startsOn: null, endsOn: null, startDate: null, endDate: null })
  screen.getByText('To be announced')
  screen.getByRole('heading', { name: 'What happened' })
  expect(screen.queryByRole('link', { name: 'Add to calendar' })).toBeNull()
})

test('an officer’s own link comes first', () => {
  renderEvent({ detailsLink: '/documents/menu.pdf' })
  const link = screen.getByRole('link', { name: 'RSVP Now: Gala under the Oaks (PDF, opens in a new tab)' })
  expect(link.getAttribute('target')).toBe('_blank')
})

test.each([
  ['2026-12-19', '2026-12-19', 'Happening today'],
  ['2026-12-20', '2026-12-21', 'Happening now'],
  ['2026-12-22', '2026-12-21', 'What happened'],
])('on %s an event until %s is shown as %j', (today, endsOn, text) => {
  renderPage(EventPage, {
    at: '/events/gala',
    loaderData: { today, event: { ...gala, endsOn }, coming: [], pictures: [] },
  })
  screen.getByText(text)
})

const contents = { siteUrl: 'https://www.example.org', association: { name: 'The Association' } }

function metaOf(event: EventDetails) {
  return meta({ matches: [{ id: 'root', loaderData: contents }], loaderData: { event } } as never)
}

test('structured data has the date in that day’s time zone, and the share image is set', () => {
  const tags = metaOf(gala)
  expect(tags).toContainEqual({
    'script:ld+json': {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: 'Gala under the Oaks',
      description: 'Dinner and dancing.',
      url: 'https://www.example.org/events/gala',
      startDate: '2026-12-19T18:30:00-05:00',
      endDate: '2026-12-19T23:00:00-05:00',
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: { '@type': 'Place', name: 'Grand Magnolia Hall, Duluth', address: '1 Sample Oak Drive' },
      image: ['https://www.example.org/art/share/hero-gala.png'],
      organizer: { '@type': 'Organization', name: 'The Association', url: 'https://www.example.org' },
    },
  })
  expect(tags).toContainEqual({
    property: 'og:image',
    content: 'https://www.example.org/art/share/hero-gala.png',
  })
})

test('a canceled event says why, also in its structured data', () => {
  renderEvent({ calledOff: 'The hall has flooded.' })
  screen.getByText('The hall has flooded.')
  screen.getByText('This event is canceled')
  screen.getByText('Canceled')
  expect(screen.queryByRole('button', { name: 'RSVP' })).toBeNull()
  expect(JSON.stringify(metaOf({ ...gala, calledOff: 'The hall has flooded.' }))).toContain('EventCancelled')
})

test.each([
  ['', null],
  ['/contact', '/contact'],
])('the button follows the officer’s link: "%s"', (detailsLink, href) => {
  renderEvent({ detailsLink })
  expect(screen.queryByRole('link', { name: /^RSVP Now/ })?.getAttribute('href') ?? null).toBe(href)
})

test.each([
  ['no RSVP needed', { needsNoRsvp: true }, 'No RSVP needed. Just come.'],
  ['opens later', { rsvpOpensOn: '2026-12-01' }, 'RSVPs open December 1.'],
  ['should be open by now', { rsvpOpensOn: '2026-11-01' }, 'RSVPs aren’t open yet.'],
  ['neither is said', {}, 'RSVPs aren’t open yet.'],
  ['is canceled', { calledOff: 'The river is too high.' }, 'This event was canceled'],
  ['is today', { startsOn: '2026-11-21', endsOn: '2026-11-21' }, 'Today, 6:30 PM to 11:00 PM'],
  ['is past', { startsOn: '2026-08-29', endsOn: '2026-08-29' }, 'Missed it?'],
  ['takes RSVPs', { takesRsvp: true }, 'RSVP'],
] as const)('every event is answered beside its story: %s', (_, over, answer) => {
  renderEvent(over)
  screen.getByRole('heading', { level: 2, name: answer })
})

test('price, facts, what is good to know, and a quotation are shown; without them the page closes up', () => {
  const { unmount } = renderEvent({
    priceLine: '$120, members $90',
    facts: ['Five courses', 'Families'],
    goodToKnow: [{ label: 'Parking', value: 'Free.' }],
    quote: { text: 'Come hungry.', name: 'Dr. Pandya' },
  })
  screen.getByText('$120, members $90')
  const facts = within(screen.getByRole('list', { name: 'At a glance' })).getAllByRole('listitem')
  expect(facts.map(({ textContent }) => textContent)).toEqual(['Five courses', 'Families'])
  expect(within(screen.getByRole('region', { name: 'Good to know' })).getByRole('definition').textContent).toBe('Free.')
  screen.getByText('Come hungry.')
  unmount()
  renderEvent({})
  expect(screen.queryByRole('list', { name: 'At a glance' })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Good to know' })).toBeNull()
  expect(document.querySelector('.quote')).toBeNull()
})

test('pictures of the gallery have their captions and alt texts, drawings have none', async () => {
  const imageKey = ['hero-gala', '/media/home/gallery/choir.jpg', 'scene-crates']
  const stored = { url: '/media/home/gallery/choir.jpg?v=1', alt: 'A choir', caption: 'The second half.' }
  const services = {
    rootData: async () => ({ today: '2026-11-21' }),
    event: async () => ({ ...gala, imageKey }),
    events: async () => [],
    pictures: async (...folder: string[]) => (folder.join('/') === 'home/gallery' ? [stored] : []),
  }
  const loaderData = await loader({ params: { id: 'gala' }, context: { get: () => services } } as never)
  renderPage(EventPage, { at: '/events/gala', loaderData })
  const figures = [...document.querySelectorAll('.more-pictures figure')]
  expect(figures.map(({ textContent }) => textContent)).toEqual(['The second half.', ''])
  screen.getByRole('img', { name: 'A choir' })
})

test('unknown values are left out of the structured data', () => {
  expect(JSON.stringify(metaOf({ ...gala, startDate: null, endDate: null }))).not.toContain('Date')
})

test('a missing event is 404', async () => {
  const services = { rootData: async () => ({ today: '2026-11-21' }), event: async () => null, events: async () => [] }
  const answer = loader({ params: { id: 'none' }, context: { get: () => services } } as never)
  await expect(answer).rejects.toMatchObject({ init: { status: 404 } })
})
