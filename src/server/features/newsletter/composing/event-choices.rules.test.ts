import { expect, test } from 'vitest'
import type { AssociationEvent } from '#contract/public/events.ts'
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

test('offers upcoming events, the soonest first, but no past or canceled ones', () => {
  expect(titles()).toEqual(['2026-11-23: today', '2026-12-01: ball', '2026-12-01: walk', '2027-05-01: gala'])
})

test('an event that a block already uses stays, labeled past or canceled', () => {
  expect(titles(['past', 'off'])).toEqual([
    '2026-11-22: past (past)',
    '2026-11-23: today',
    '2026-12-01: ball',
    '2026-12-01: walk',
    '2026-12-24: off (canceled)',
    '2027-05-01: gala',
  ])
})
