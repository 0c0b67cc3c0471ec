import { expect, test } from 'vitest'
import { termBefore, termStartingOn, findNextYear } from './association-year.rules.ts'
import { createRollOverTask } from './roll-over-task.rules.ts'

test.each([
  ['2026-07-01', '2026-27', '2025-26'],
  ['1999-01-01', '1999-00', '1998-99'],
  ['2099-12-31', '2099-00', '2098-99'],
])('a year that begins on %s is called %s, after %s', (day, term, before) => {
  expect([termStartingOn(day), termBefore(term)]).toEqual([term, before])
})

test.each<[string, string, string[], string, string]>([
  ['2026-06-01', '07-01', [], '2026-07-01', '2027-06-30'],
  ['2026-11-21', '07-01', [], '2026-07-01', '2027-06-30'],
  ['2026-11-21', '07-01', ['2026-27'], '2027-07-01', '2028-06-30'],
  ['2027-01-15', '07-01', [], '2027-07-01', '2028-06-30'],
  ['2026-12-20', '01-01', [], '2027-01-01', '2027-12-31'],
  ['2027-01-20', '01-01', [], '2027-01-01', '2027-12-31'],
  ['2027-01-20', '01-01', ['2027-28', '2028-29'], '2029-01-01', '2029-12-31'],
  ['2028-02-29', '02-28', [], '2028-02-28', '2029-02-27'],
])('on %s, where years begin on %s and %j are there, that of %s is next', (today, beginsOn, there, first, last) => {
  const year = findNextYear({ today, beginsOn, isThere: (term) => there.includes(term) })
  expect([year.firstDay, year.newLastDay]).toEqual([first, last])
})

const year = { firstDay: '2027-07-01', lastDay: '2027-06-30', term: '2027-28' }
test.each<[string, 'draft' | 'scheduled' | null, string[], number, string, string]>([
  ['2027-05-01', null, [], 0, 'calm', 'The year ends on June 30, 2027.'],
  ['2027-05-02', null, [], 1, 'calm', 'The year ends on June 30, 2027.'],
  ['2027-06-17', 'draft', [], 1, 'soon', 'The year ends on June 30, 2027. A plan has been started.'],
  ['2027-06-17', 'scheduled', [], 0, 'soon', 'The year ends on June 30, 2027. A plan has been started.'],
  ['2027-07-05', null, [], 1, 'soon', 'The year ended on June 30, 2027.'],
  [
    '2027-07-01',
    'draft',
    ['Enter who is president.'],
    1,
    'late',
    'The scheduled roll-over failed. Enter who is president.',
  ],
])('on %s with a plan that is %s and failed for %j', (today, state, failure, count, urgency, detail) => {
  const task = createRollOverTask({ today, year, open: state && { state, failure } })
  expect([task.count, task.urgency, task.detail]).toEqual([count, urgency, detail])
})
