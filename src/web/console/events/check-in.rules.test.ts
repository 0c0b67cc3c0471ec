import { expect, test } from 'vitest'
import type { CheckInEntry } from '#contract/console/rsvp.ts'
import {
  applyResponse,
  nextBatch,
  parseCheckIn,
  interpretScan,
  searchEntries,
  currentEntries,
  serializeCheckIn,
  type CheckInState,
} from './check-in.rules.ts'

const entry = (id: string, over: Partial<CheckInEntry> = {}): CheckInEntry => ({
  id,
  name: `Person ${id}`,
  email: `${id}@example.com`,
  guests: 0,
  meals: [],
  place: 'coming',
  arrived: 0,
  isWalkIn: false,
  paid: 0,
  code: `${id}.code`,
  cardHash: null,
  ...over,
})
const event = {
  id: 'e',
  title: 'E',
  date: '',
  location: '',
  state: 'open' as const,
  capacity: null,
  counts: { coming: 0, waiting: 0, paying: 0, held: 0, arrived: 0 },
}
const list = (...entries: CheckInEntry[]) => ({ event, entries, meals: [] })
const mark = (id: string, rsvpId: string, arrived: number) => ({ id, rsvpId, arrived, at: 0 })

test.each<[string, string, Partial<CheckInEntry>, string]>([
  ['who comes', 'a.code', {}, 'welcome'],
  ['who is in', 'a.code', { arrived: 1 }, 'again'],
  ['who waits', 'a.code', { place: 'waiting' }, 'waiting'],
  ['who cancelled', 'a.code', { place: 'cancelled' }, 'unknown'],
  ['an unknown code', 'b.code', {}, 'unknown'],
  ['an empty code, which every walk-in has', '', { code: '', isWalkIn: true }, 'unknown'],
])('a scan of %s', (_, code, over, kind) => {
  expect(interpretScan({ code, cardHash: null }, [entry('a', over)]).kind).toBe(kind)
})

test.each<[string, string, Partial<CheckInEntry>, string]>([
  ['who comes', 'h1', { cardHash: 'h1' }, 'welcome'],
  ['who is in', 'h1', { cardHash: 'h1', arrived: 1 }, 'again'],
  ['who waits: a card admits no one', 'h1', { cardHash: 'h1', place: 'waiting' }, 'waiting'],
  ['who has not paid', 'h1', { cardHash: 'h1', place: 'paying' }, 'paying'],
  ['who has no RSVP', 'h2', { cardHash: 'h1' }, 'unknown-card'],
  ['who cancelled', 'h1', { cardHash: 'h1', place: 'cancelled' }, 'unknown-card'],
  ['whose card the list does not have', 'h1', {}, 'unknown-card'],
])('a scan of the card of someone %s', (_, cardHash, over, kind) => {
  const address = 'https://example.org/card#code'
  expect(interpretScan({ code: address, cardHash }, [entry('a', over)]).kind).toBe(kind)
})

test('local changes apply on top of the server’s list; the last mark of a guest wins', () => {
  const kept: CheckInState = {
    list: list(entry('a'), entry('b', { arrived: 1 })),
    walkIns: [{ id: 'w', name: 'Walt', guests: 1 }],
    marks: [mark('1', 'a', 1), mark('2', 'a', 0), mark('3', 'b', 0), mark('4', 'w', 2)],
    receivedAt: 0,
  }
  expect(currentEntries(kept).map(({ id, arrived }) => [id, arrived])).toEqual([
    ['a', 0],
    ['b', 0],
    ['w', 2],
  ])
  const sent = nextBatch(kept)
  const meanwhile = { ...kept, marks: [...kept.marks, mark('5', 'a', 1)] }
  const after = applyResponse(meanwhile, sent, { list: list(entry('a')), heardAt: 9 })
  expect([after.marks.map(({ id }) => id), after.walkIns]).toEqual([['5'], []])
})

test('no email addresses are stored, and invalid storage is ignored', () => {
  const kept: CheckInState = { list: list(entry('a')), walkIns: [], marks: [mark('1', 'a', 1)], receivedAt: 1 }
  expect(serializeCheckIn(kept)).not.toContain('@')
  expect(parseCheckIn(serializeCheckIn(kept))?.marks).toEqual(kept.marks)
  for (const text of [null, '', '{', '[]', '{"list":{}}', 'null']) expect(parseCheckIn(text)).toBeNull()
})

test.each([
  ['person', ['a', 'b']],
  ['  PERSON   B ', ['b']],
  ['b@example', ['b']],
  ['unknown', []],
])('searching for %j', (text, ids) => {
  expect(searchEntries([entry('a'), entry('b')], text).map(({ id }) => id)).toEqual(ids)
})
