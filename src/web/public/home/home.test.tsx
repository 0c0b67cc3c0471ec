import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { useLocation } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AssociationEvent } from '#contract/public/events.ts'
import type { StoredImage } from '#contract/public/media.ts'
import { useFakeApi } from '#tests/support/web/fake-api.ts'
import { RouteChange } from '#web/app/route-change.tsx'
import { Link } from '#web/ui/link.tsx'
import HomePage from './home.tsx'
import { eventSlide } from './slides.ts'
import { advanceTime, renderPage, fakeClock } from '#tests/support/web/page-test-helpers.tsx'

const api = useFakeApi()
const TODAY = '2026-11-21'

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  Element.prototype.scrollTo = () => {}
  window.scrollTo = () => {}
  api.current.on('GET /api/sponsors', 'never')
  api.current.on('GET /api/s3/home/folder/hero', 'never')
  api.current.on('GET /api/s3/home/folder/gallery', 'never')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
})

function event(id: string, startsOn: string, over: Partial<AssociationEvent> = {}): AssociationEvent {
  return {
    id,
    title: `The ${id}`,
    description: 'Worth coming.',
    date: startsOn,
    time: null,
    location: 'Macon',
    address: null,
    imageKey: 'forum',
    detailsLink: '/events',
    startsOn,
    endsOn: startsOn,
    startsAt: null,
    endsAt: null,
    ...over,
  }
}

function image(name: string): StoredImage {
  return { key: name, url: `/media/home/gallery/${name}.svg`, filename: `${name}.svg`, size: 1, lastModified: TODAY }
}

const gala = event('gala', '2026-12-12')
const walk = event('walk', '2026-06-06')
const words = {
  eyebrow: 'Physicians in Georgia',
  headline: 'One house, many doors.',
  lead: 'Come in.',
  join: { label: 'Become a Member', path: '/become-a-member' },
  learnMore: { label: 'Learn More', path: '/about' },
}
const contents = {
  today: TODAY,
  words,
  figures: [{ value: '30+', label: 'years', asOf: TODAY }],
  slides: [gala, walk].map((one) => eventSlide(one, TODAY)),
  upcoming: [gala],
  past: [walk],
  news: [],
  sponsors: [{ id: 'k', name: 'Kaveri Labs', logo: '/art/k.svg', website: null }],
  heroImages: [] as StoredImage[],
  galleryImages: [image('clinic-day'), image('garba')],
}

const show = (over: Partial<typeof contents> = {}) =>
  renderPage(HomePage, { at: '/home', loaderData: { ...contents, ...over } })

// The sections below the hero are code of their own: once it is loaded, they render at once.
beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  show()
  await screen.findByRole('heading', { name: 'Our sponsors' })
  cleanup()
  localStorage.clear()
})

const hero = () => within(screen.getByRole('region', { name: 'Events' }))
const gallery = () => within(screen.getByRole('region', { name: 'The association in action' }))
// jsdom does not exclude inert content, so pick the slide that is not inert.
function current(): HTMLElement {
  const slides = screen.getByRole('region', { name: 'Events' }).querySelectorAll<HTMLElement>('.slip .slides > *')
  const [shown, ...more] = [...slides].filter((slide) => !slide.hasAttribute('inert'))
  if (!shown || more.length > 0) throw new Error('Not one slide is shown')
  return shown
}
const slide = () => within(current()).getByRole('heading', { level: 2 }).textContent

test('shows its two buttons, its quick actions and its sponsors', () => {
  show()
  const links = (name: string | RegExp) =>
    screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'))
  expect(links('Become a Member')).toEqual(['/become-a-member', '/become-a-member'])
  expect(links(/^Learn More\s*about the association$/)).toEqual(['/about'])
  expect(links('Contact Us')).toEqual(['/contact'])
  expect(links('About the association')).toEqual(['/about'])
  screen.getByRole('img', { name: 'Kaveri Labs' })
})

describe('the carousel of events', () => {
  test('upcoming events take RSVPs, past events link to details', () => {
    show()
    expect(slide()).toBe('The gala (Upcoming)')
    within(current()).getByRole('link', { name: /^RSVP Now/ })
    act(() => hero().getByRole('button', { name: 'Next slide' }).click())
    expect(slide()?.trim()).toBe('The walk')
    within(current()).getByRole('link', { name: /^Learn More/ })
    expect(within(current()).getByRole('link', { name: 'View All Events' }).getAttribute('href')).toBe('/events')
  })

  test('advances every five seconds', async () => {
    fakeClock()
    show()
    await advanceTime(5_100)
    expect(slide()?.trim()).toBe('The walk')
  })

  test('a program as PDF opens in a new tab', () => {
    show({ slides: [eventSlide(event('gala', '2026-12-12', { detailsLink: '/documents/gala.pdf' }), TODAY)] })
    const link = within(current()).getByRole('link', { name: /^RSVP Now/ })
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/documents/gala.pdf', '_blank'])
  })

  test('every hero image is shown once with its alt text; without any, each event shows its own', () => {
    const pictures = () =>
      [...document.querySelectorAll('.jharokha > :not([inert]) img')].map((one) => one.getAttribute('src'))
    show()
    expect(pictures()).toEqual(['/art/forum.svg'])
    cleanup()
    show({ heroImages: ['a', 'b', 'c'].map((name) => ({ ...image(name), alt: `Picture ${name}` })) })
    const next = () => act(() => hero().getByRole('button', { name: 'Next slide' }).click())
    const seen = ['The gala (Upcoming)', 'The walk', 'The gala (Upcoming)', 'The gala (Upcoming)'].map((title, at) => {
      expect(slide()?.trim()).toBe(title)
      hero().getByRole('img', { name: `Picture ${'abca'[at]}` })
      const now = pictures()
      next()
      return now
    })
    expect(seen).toEqual(['a', 'b', 'c', 'a'].map((name) => [image(name).url]))
    cleanup()
    show({ heroImages: [image('a')] })
    expect(pictures()).toEqual([image('a').url])
    next()
    expect(pictures()).toEqual(['/art/forum.svg'])
  })

  test('hero images are shown without events too', () => {
    show({ slides: [], heroImages: [image('a')] })
    expect(document.querySelector('.jharokha img')?.getAttribute('src')).toBe(image('a').url)
  })

  test('without events there is none', () => {
    show({ slides: [], upcoming: [], past: [] })
    expect(screen.queryByRole('region', { name: 'Events' })).toBeNull()
    screen.getByText('No upcoming events at the moment. Check back soon!')
    screen.getByText('No past events to display.')
  })
})

describe('the pictures', () => {
  test('advance every four seconds, with a progress bar', async () => {
    fakeClock()
    show()
    const bar = gallery().getByRole('progressbar')
    expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['1', '2'])
    await advanceTime(4_100)
    expect(bar.getAttribute('value')).toBe('2')
    act(() => gallery().getByRole('button', { name: 'Previous slide' }).click())
    expect(bar.getAttribute('value')).toBe('1')
  })

  test('have their caption, if any, and alt text', () => {
    show({
      galleryImages: [
        { ...image('img-1'), caption: 'Garba in Macon', alt: 'People dance' },
        { ...image('img-2'), caption: '' },
      ],
    })
    const figures = [...document.querySelectorAll('.strip figure')]
    expect(figures.map((one) => one.textContent)).toEqual(['Garba in Macon', ''])
    gallery().getByRole('img', { name: 'People dance' })
  })

  test('shows a loading message without images', () => {
    show({ galleryImages: [] })
    gallery().getByText('Loading images...')
  })
})

test('on client-side navigation the text comes first, and keeps the focus when the rest arrives', async () => {
  let arrive: (value: unknown) => void = () => {}
  const coming = new Promise((resolve) => (arrive = resolve))
  /** The frame with the home page and one other page. */
  function Site(home: Parameters<typeof HomePage>[0]) {
    const isHome = useLocation().pathname === '/home'
    return (
      <>
        <main id="main">{isHome ? <HomePage {...home} /> : <Link to="/home">Home</Link>}</main>
        <RouteChange />
      </>
    )
  }
  const route = { path: '/:place', answers: { '/home': { coming } } }
  const { person } = renderPage(Site, { at: '/elsewhere', route })
  await person.click(screen.getByRole('link', { name: 'Home' }))
  await screen.findByText('Loading events...')
  screen.getByText('Loading images...')
  const heading = screen.getByRole('heading', { level: 1 })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  await act(async () => arrive(contents))
  await screen.findByRole('region', { name: 'Events' })
  expect(slide()).toBe('The gala (Upcoming)')
  expect(document.activeElement).toBe(heading)
})
