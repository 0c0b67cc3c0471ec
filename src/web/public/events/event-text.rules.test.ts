import { expect, test } from 'vitest'
import { fullDate, rsvpAnswer } from './event-text.rules.ts'

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
