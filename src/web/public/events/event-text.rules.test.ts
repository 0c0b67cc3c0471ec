import { expect, test } from 'vitest'
import type { AssociationEvent } from '#contract/public/events.ts'
import { eventStatus, fewSeats, fullDate, nearDay, rsvpAnswer } from './event-text.rules.ts'

test.each([
  ['December 19, 2026', '2026-12-19', '2026-12-19', 'Saturday, December 19, 2026'],
  ['December 19, 2026', '2026-12-19', null, 'Saturday, December 19, 2026'],
  ['February 6-7, 2027', '2027-02-06', '2027-02-07', 'February 6-7, 2027'],
  ['Saturday, December 19', '2026-12-19', '2026-12-19', 'Saturday, December 19'],
  ['To be announced', null, null, 'To be announced'],
])('%j from %s to %s is shown as %j', (date, startsOn, endsOn, shown) => {
  expect(fullDate({ date, startsOn, endsOn })).toBe(shown)
})

test.each([
  [{ needsNoRsvp: true, rsvpOpensOn: '2026-12-01' }, 'No RSVP needed'],
  [{ rsvpOpensOn: '2026-12-01' }, 'RSVPs open December 1'],
  [{ rsvpOpensOn: '2026-11-21' }, 'RSVPs aren’t open yet'],
  [{}, 'RSVPs aren’t open yet'],
])('without an RSVP form, %j is answered %j', (event, short) => {
  expect(rsvpAnswer(event, '2026-11-21').short).toBe(short)
})

test.each([
  ['2026-12-15', 'Tuesday, December 15'],
  ['2026-12-31', 'Thursday, December 31'],
  ['2027-01-01', 'Friday, January 1, 2027'],
])('%s is shown as %j in the year 2026', (day, shown) => {
  expect(nearDay(day, '2026-11-21')).toBe(shown)
})

test.each([
  [undefined, null],
  [180, null],
  [41, null],
  [40, '40 seats left'],
  [1, '1 seat left'],
  [0, 'All seats are taken'],
])('a list shows %s seats left as %j', (seatsLeft, shown) => {
  expect(fewSeats(seatsLeft)).toBe(shown)
})

const gala = { id: 'gala', date: 'December 19-20, 2026', startsOn: '2026-12-19', endsOn: '2026-12-20' }

test.each([
  ['2026-12-18', {}, null],
  ['2026-12-19', {}, 'Happening now'],
  ['2026-12-20', { endsOn: '2026-12-20', startsOn: '2026-12-20' }, 'Happening today'],
  ['2026-12-21', {}, null],
  ['2026-12-21', { calledOff: 'The hall has flooded.' }, 'Canceled'],
])('on %s, the status of an event with %j is %j', (today, over, status) => {
  expect(eventStatus({ ...gala, ...over } as AssociationEvent, today)).toBe(status)
})
