import { expect, test } from 'vitest'
import type { AssociationEvent } from '#contract/public/events.ts'
import { NEXT_EVENT, type PlannedSlide } from '#contract/public/association.ts'
import { homeSlides } from './slides.ts'

const TODAY = '2026-11-21'

function event(id: string, startsOn: string, over: Partial<AssociationEvent> = {}): AssociationEvent {
  const texts = {
    title: id,
    description: '',
    date: startsOn,
    location: 'Macon',
    imageKey: `event-${id}`,
    detailsLink: '',
  }
  return { id, ...texts, time: null, address: null, startsOn, endsOn: startsOn, startsAt: null, endsAt: null, ...over }
}

function plan(over: Partial<PlannedSlide>): PlannedSlide {
  return { title: null, event: null, picture: null, text: null, button: null, ...over }
}

const lecture = event('lecture', '2026-12-05')
const gala = event('gala', '2026-12-19', { isFeatured: true })
const kites = event('kites', '2027-01-09')
const walk = event('walk', '2026-06-06')
const events = [walk, kites, gala, lecture]
const clinic = plan({
  title: 'The clinic is 22',
  picture: { name: '/media/home/hero/clinic.jpg', alt: 'A waiting room' },
  text: 'Two Saturdays a month.',
  button: { label: 'Volunteer', path: '/volunteer' },
})

test.each<[string, PlannedSlide[], boolean, string[]]>([
  ['events alone, the featured one first', [], false, ['gala', 'lecture', 'kites', 'walk']],
  ['a picture with words before them', [clinic], false, ['The clinic is 22', 'gala', 'lecture', 'kites']],
  ['only what officers planned', [clinic], true, ['The clinic is 22']],
  ['a chosen event once', [plan({ event: 'kites' })], false, ['kites', 'gala', 'lecture', 'walk']],
  ['the next event in a place of its own', [clinic, plan({ event: NEXT_EVENT })], true, ['The clinic is 22', 'gala']],
  [
    'not the chosen event twice as the next one',
    [plan({ event: 'gala' }), plan({ event: NEXT_EVENT })],
    true,
    ['gala', 'lecture'],
  ],
  ['no event that is gone', [plan({ event: 'cancelled-long-ago' }), clinic], true, ['The clinic is 22']],
  [
    'events if nothing that was planned is there',
    [plan({ event: 'gone' })],
    true,
    ['gala', 'lecture', 'kites', 'walk'],
  ],
  ['at most four', [clinic, clinic, clinic, clinic, plan({ event: 'walk' })], false, Array(4).fill('The clinic is 22')],
])('shows %s', (_, slides, hasOnlyTheseSlides, titles) => {
  expect(homeSlides({ slides, hasOnlyTheseSlides }, events, TODAY).map(({ title }) => title)).toEqual(titles)
})

test('a picture with words has its button and no date; an event keeps its own picture unless it gets another one', () => {
  const [first, second] = homeSlides(
    {
      slides: [clinic, plan({ event: 'lecture', picture: { name: 'lamp', alt: 'A lamp' } })],
      hasOnlyTheseSlides: true,
    },
    events,
    TODAY,
  )
  expect(first).toMatchObject({
    when: '',
    text: 'Two Saturdays a month.',
    imageKey: '/media/home/hero/clinic.jpg',
    pictureAlt: 'A waiting room',
    isPictured: true,
    button: 'Volunteer',
    detailsLink: '/volunteer',
  })
  expect(second).toMatchObject({ note: '(Upcoming)', imageKey: 'lamp', isPictured: true, button: 'RSVP Now' })
})
