import { expect, test } from 'vitest'
import { withParams, readFilters, readColumns, readPage } from './member-list-params.rules.ts'

test.each([
  ['status=PAST_DUE', { status: 'PAST_DUE' }],
  ['ending=45&page=3&columns=email', { ending: '45' }],
  ['status=GONE&level=annual_member&ending=soon&q=', { level: 'annual_member' }],
  ['joinedFrom=2026-02-30&joinedTo=2026-02-28&descending=no', { joinedTo: '2026-02-28' }],
  ['order=ends&descending=yes', { order: 'ends', descending: 'yes' }],
])('the address ?%s chooses %o', (query, choice) => {
  expect(readFilters(new URLSearchParams(query))).toEqual(choice)
})

test.each([
  ['', ['email', 'level', 'state', 'ends']],
  ['columns=joined,email,nothing', ['email', 'joined']],
  ['columns=', []],
])('the address ?%s shows %o', (query, columns) => {
  expect(readColumns(new URLSearchParams(query))).toEqual(columns)
})

test.each([
  ['', 1],
  ['page=4', 4],
  ['page=-2', 1],
  ['page=x', 1],
])('the address ?%s is page %i', (query, page) => {
  expect(readPage(new URLSearchParams(query))).toBe(page)
})

test('another filter begins at the first page', () => {
  const params = new URLSearchParams('q=rao&page=4')
  expect(String(withParams(params, { status: 'ACTIVE' }))).toBe('q=rao&status=ACTIVE')
  expect(String(withParams(params, { page: '5' }))).toBe('q=rao&page=5')
  expect(String(withParams(params, { q: null }))).toBe('')
})
