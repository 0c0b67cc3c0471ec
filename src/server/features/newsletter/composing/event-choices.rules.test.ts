import { expect, test } from 'vitest'
import type { AssociationEvent } from '#contract/events.ts'
import { eventChoices } from './event-choices.rules.ts'

const event = (id: string, startsOn: string | null, more: Partial<AssociationEvent> = {}) =>
  ({ id, title: id, date: startsOn ?? 'soon', startsOn, ...more }) as AssociationEvent

const EVENTS = [
  event('gala', '2027-05-01'),
  event('walk', '2026-12-01'),
  event('ball', '2026-12-01'),
  event('past', '2026-11-22'),
  event('today', '2026-11-23'),
  event('off', '2026-12-24', { calledOff: 'Snow.' }),
  event('some-day', null),
]
const titles = (used: string[] = []) =>
  eventChoices(EVENTS, { today: '2026-11-23', used: new Set(used) }).map(({ title }) => title)

test('events to come are offered by date, the soonest first; past and canceled ones are not', () => {
  expect(titles()).toEqual(['2026-11-23: today', '2026-12-01: ball', '2026-12-01: walk', '2027-05-01: gala'])
})

test('what a block shows already stays and says what became of it', () => {
  expect(titles(['past', 'off'])).toEqual([
    '2026-11-22: past (past)',
    '2026-11-23: today',
    '2026-12-01: ball',
    '2026-12-01: walk',
    '2026-12-24: off (canceled)',
    '2027-05-01: gala',
  ])
})
