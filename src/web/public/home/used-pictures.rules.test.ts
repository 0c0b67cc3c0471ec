import { describe, expect, test } from 'vitest'
import type { AssociationEvent } from '#contract/public/events.ts'
import { heroSlides, UsedPictures } from './used-pictures.rules.ts'

const TODAY = '2026-11-21'

function event(id: string, startsOn: string, over: Partial<AssociationEvent> = {}): AssociationEvent {
  return {
    id,
    title: id,
    description: '',
    date: startsOn,
    time: null,
    location: '',
    address: null,
    imageKey: `event-${id}`,
    detailsLink: '',
    startsOn,
    endsOn: startsOn,
    startsAt: null,
    endsAt: null,
    ...over,
  }
}

describe('no picture is shown twice', () => {
  test.each([
    ['one that is used gives way to the second', ['hero-gala'], [['hero-gala', 'scene-chair']], ['scene-chair']],
    ['without a second it stays', ['forum'], ['forum'], ['forum']],
    ['the first choice marks it for the next', [], [['a', 'b'], ['a', 'c'], 'd'], ['a', 'c', 'd']],
  ])('%s', (_, used, keys, chosen) => {
    const pictures = new UsedPictures()
    pictures.add(used.map((imageKey) => ({ imageKey })))
    expect(pictures.choose(keys.map((imageKey) => ({ imageKey }))).map(({ imageKey }) => imageKey)).toEqual(chosen)
  })
})

describe('the home page opens with', () => {
  const lecture = event('lecture', '2026-12-05')
  const gala = event('gala', '2026-12-19', { imageKey: ['hero-gala', 'scene-chair'] })
  const kites = event('kites', '2027-01-09')
  const walk = event('walk', '2026-06-06', { isFeatured: true, imageKey: 'hero-walk' })
  const ids = (events: AssociationEvent[], count = 4) => heroSlides(events, TODAY, count).map(({ id }) => id)

  test.each([
    ['the next event', [lecture, kites, walk], ['lecture', 'kites', 'walk']],
    ['the first with a picture for the hero', [lecture, gala, kites], ['gala', 'lecture', 'kites']],
    ['the featured one', [lecture, gala, { ...kites, isFeatured: true }], ['kites', 'lecture', 'gala']],
    [
      'never a canceled one',
      [lecture, { ...gala, isFeatured: true, calledOff: 'Snow.' }, kites],
      ['lecture', 'gala', 'kites'],
    ],
    ['never a past one', [walk, lecture], ['lecture', 'walk']],
  ])('%s', (_, events, expected) => {
    expect(ids(events)).toEqual(expected)
  })

  test('a featured event that would not be among the slides is', () => {
    expect(ids([lecture, gala, { ...kites, isFeatured: true }], 2)).toEqual(['kites', 'lecture'])
  })
})
