import { screen, within, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { EventDetails } from '#contract/public/events.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { redirectTo } from '#web/api/redirect.ts'
import EventPage, { loader, meta } from './event.tsx'
import { renderPage, stubBotCheck } from '#tests/support/web/page-test-helpers.tsx'

vi.mock('#web/api/redirect.ts', () => ({
  redirectTo: vi.fn<() => Promise<void>>(async () => {}),
  reloadPage: vi.fn<() => void>(),
}))
beforeEach(() => vi.mocked(redirectTo).mockClear())

const api = useFakeApi()

const gala: EventDetails = {
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

function renderEvent(over: Partial<EventDetails> = {}, coming: readonly EventDetails[] = []) {
  return renderPage(EventPage, {
    at: '/events/gala',
    loaderData: { today: '2026-11-21', event: { ...gala, ...over }, coming },
  })
}

test('an event shows when and where, with a map and a calendar entry', () => {
  const { container } = renderEvent()
  screen.getByRole('heading', { level: 1, name: 'Gala under the Oaks' })
  screen.getByText('Tables seat ten.')
  expect(screen.getByText('Saturday, December 19, 2026').getAttribute('datetime')).toBe('2026-12-19')
  screen.getByText('6:30 PM to 11:00 PM')
  screen.getByText('1 Sample Oak Drive')
  expect(screen.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')).toBe('/events/gala.ics')
  expect(screen.getByRole('link', { name: 'Find it on a map' }).getAttribute('href')).toContain(
    encodeURIComponent('Grand Magnolia Hall, Duluth, 1 Sample Oak Drive'),
  )
  expect([...container.querySelectorAll('img')].map((img) => img.getAttribute('src'))).toEqual([
    '/art/hero-gala.svg',
    '/art/made-1.svg',
  ])
})

const kites: EventDetails = { ...gala, id: 'kites', title: 'Kites', startsOn: '2027-01-09', endsOn: '2027-01-09' }

test('an event is followed by the next ones', () => {
  renderEvent({}, [kites])
  screen.getByRole('heading', { level: 2, name: 'Also coming up' })
  expect(screen.getByRole('link', { name: 'Kites' }).getAttribute('href')).toBe('/events/kites')
})

test('a past event has no calendar entry, no map and no RSVP, and names the next event', () => {
  renderEvent({ startsOn: '2026-08-29', endsOn: '2026-08-29', takesRsvp: true }, [kites])
  screen.getByText('Past event')
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

test('a link to the event’s own page is no button on it', () => {
  renderEvent({ detailsLink: '/events/gala' })
  expect(screen.queryByRole('link', { name: /^RSVP Now/ })).toBeNull()
})

test('an unreadable date has no calendar entry', () => {
  renderEvent({ date: 'To be announced', startsOn: null, endsOn: null, startDate: null, endDate: null })
  screen.getByText('To be announced')
  screen.getByText('Past event')
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
  ['2026-12-22', '2026-12-21', 'Past event'],
])('on %s an event until %s is shown as %j', (today, endsOn, text) => {
  renderPage(EventPage, {
    at: '/events/gala',
    loaderData: { today, event: { ...gala, endsOn }, coming: [] },
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

test('unknown values are left out of the structured data', () => {
  expect(JSON.stringify(metaOf({ ...gala, startDate: null, endDate: null }))).not.toContain('Date')
})

test('a missing event is 404', async () => {
  const services = { rootData: async () => ({ today: '2026-11-21' }), event: async () => null, events: async () => [] }
  const answer = loader({ params: { id: 'none' }, context: { get: () => services } } as never)
  await expect(answer).rejects.toMatchObject({ init: { status: 404 } })
})

const SETTINGS = 'GET /api/events/gala/rsvp'
const SEND = 'POST /api/events/gala/rsvp'
const open = {
  state: 'open',
  guestsMax: 1,
  meals: ['Vegetarian', 'Chicken'],
  words: 'Park behind the hall.',
  closesAt: null,
  lastDay: null,
  seatsLeft: null,
  price: null,
  memberEmail: null,
}

test('a visitor sends an RSVP with a guest and meals; nothing is loaded before', async () => {
  stubBotCheck()
  const { person } = renderEvent({ takesRsvp: true })
  expect(api.current.sent).toEqual([])
  api.current.on(SETTINGS, { body: open }).on(SEND, 'no network', { body: { place: 'coming' } })
  await person.click(screen.getByRole('button', { name: 'RSVP' }))
  await screen.findByText('Park behind the hall.')
  await person.type(screen.getByLabelText('Name'), 'Leela Varghese')
  await person.selectOptions(screen.getByLabelText('Guests (not counting you)'), '1')
  await person.selectOptions(screen.getByLabelText('Your meal'), 'Chicken')
  await person.click(screen.getByRole('button', { name: 'Send my RSVP' }))
  await screen.findByText('2 things need another look')
  await person.type(screen.getByLabelText('Email'), 'leela@example.com')
  await person.selectOptions(screen.getByLabelText('Meal for guest 1'), 'Vegetarian')
  await person.click(screen.getByRole('button', { name: 'Send my RSVP' }))
  await screen.findByText(/We couldn’t reach the site/)
  await person.click(screen.getByRole('button', { name: 'Send my RSVP' }))
  expect((await screen.findAllByText('Thank you. Check your email.')).length).toBeGreaterThan(0)
  expect(api.current.requestsTo(SEND).at(-1)?.body).toEqual({
    name: 'Leela Varghese',
    email: 'leela@example.com',
    guests: 1,
    meals: ['Chicken', 'Vegetarian'],
    waitlist: false,
    recaptchaToken: 'token for event_rsvp',
  })
})

test('the thanks of one event are not shown on the next', async () => {
  stubBotCheck()
  const around = { today: '2026-11-21', coming: [kites] }
  const { person } = renderPage(EventPage, {
    at: '/events/gala',
    route: {
      path: '/events/:id',
      answers: {
        '/events/gala': { ...around, event: { ...gala, takesRsvp: true } },
        '/events/kites': { ...around, event: { ...kites, takesRsvp: true } },
      },
    },
  })
  api.current.on(SETTINGS, { body: { ...open, meals: [] } }).on(SEND, { body: { place: 'coming' } })
  await person.click(screen.getByRole('button', { name: 'RSVP' }))
  await person.type(await screen.findByLabelText('Name'), 'Leela Varghese')
  await person.type(screen.getByLabelText('Email'), 'leela@example.com')
  await person.click(screen.getByRole('button', { name: 'Send my RSVP' }))
  await screen.findAllByText('Thank you. Check your email.')
  await person.click(screen.getByRole('link', { name: 'Kites' }))
  await screen.findByRole('heading', { level: 1, name: 'Kites' })
  expect(screen.queryByText('Thank you. Check your email.')).toBeNull()
  screen.getByRole('button', { name: 'RSVP' })
})

test.each([
  ['full', /All seats are taken/],
  ['closed', /RSVPs for this event are closed/],
  ['over', /is no longer taking RSVPs/],
])('an event whose RSVPs are %s says so', async (state, text) => {
  const { person } = renderEvent({ takesRsvp: true })
  api.current.on(SETTINGS, { status: 500 }, { body: { ...open, state } })
  await person.click(screen.getByRole('button', { name: 'RSVP' }))
  await person.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByText(text)
})

describe('an event with a price', () => {
  const price = { person: 5_000, member: 0, currency: 'usd', refundUntil: '2026-12-12' }

  async function openForm(settings: object) {
    stubBotCheck()
    const { person } = renderEvent({ takesRsvp: true })
    api.current.on(SETTINGS, { body: { ...open, meals: [], price, ...settings } })
    await person.click(screen.getByRole('button', { name: 'RSVP' }))
    await person.type(await screen.findByLabelText('Name'), 'Leela Varghese')
    return person
  }

  test('shows the price and the refund deadline, and leads to the card provider', async () => {
    const person = await openForm({})
    screen.getByText('$50 per person, free for members (log in and use your account’s email address).')
    screen.getByText(/Cancel by December 12, 2026 for a full refund\./)
    screen.getByText('To pay now: $50')
    await person.selectOptions(screen.getByLabelText('Guests (not counting you)'), '1')
    screen.getByText('To pay now: $100')
    await person.type(screen.getByLabelText('Email'), 'leela@example.com')
    api.current.on(SEND, { body: { place: 'paying', payAt: 'https://pay.example/session' } })
    await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://pay.example/session'))
    expect(api.current.requestsTo(SEND)[0]?.body).not.toHaveProperty('amount')
  })

  test('is free for a member with their own address, but not for their guest', async () => {
    localStorage.setItem('token', tokenFor(3_600))
    const person = await openForm({ memberEmail: 'leela@example.com' })
    await person.type(screen.getByLabelText('Email'), 'Leela@Example.com')
    screen.getByText('To pay now: free')
    await person.selectOptions(screen.getByLabelText('Guests (not counting you)'), '1')
    screen.getByText('To pay now: $50')
    await person.clear(screen.getByLabelText('Email'))
    await person.type(screen.getByLabelText('Email'), 'a.friend@example.com')
    screen.getByText('To pay now: $100')
  })

  test('charges nothing on the waitlist', async () => {
    await openForm({ state: 'full' })
    screen.getByText(/Nothing is charged while you wait/)
    expect(screen.queryByText(/To pay now/)).toBeNull()
    screen.getByRole('button', { name: 'Join the waitlist' })
  })

  test('after the session ended the price is reloaded, and nothing is resent automatically', async () => {
    localStorage.setItem('token', tokenFor(3_600))
    stubBotCheck()
    const { person } = renderEvent({ takesRsvp: true })
    api.current.on(SETTINGS, errorResponse(401, 'SESSION_EXPIRED', 'Your session has expired.'), {
      body: { ...open, meals: [], price },
    })
    await person.click(screen.getByRole('button', { name: 'RSVP' }))
    await screen.findByText('To pay now: $50')
    expect(localStorage.getItem('token')).toBeNull()
    localStorage.setItem('token', tokenFor(3_600))
    await person.type(screen.getByLabelText('Name'), 'Leela')
    await person.type(screen.getByLabelText('Email'), 'leela@example.com')
    api.current.on(SEND, errorResponse(401, 'SESSION_EXPIRED', 'Your session has expired.'))
    await person.click(screen.getByRole('button', { name: 'Continue to payment' }))
    await screen.findByText(/Your session has ended\. Log in again, or submit this again/)
    expect(api.current.requestsTo(SEND)).toHaveLength(1)
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Leela')
  })
})
