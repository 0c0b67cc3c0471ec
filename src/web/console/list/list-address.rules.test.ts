import { describe, expect, test } from 'vitest'
import { changeListAddress, isFiltered, readListAddress, viewOf } from './list-address.rules.ts'

const FILTERS = ['status', 'level']

describe('reading an address', () => {
  test('an empty address is the first page of everything', () => {
    expect(readListAddress(new URLSearchParams(), FILTERS)).toEqual({
      query: '',
      page: 1,
      size: 25,
      sort: null,
      isDescending: false,
      filters: {},
      columns: null,
      open: null,
    })
  })

  test('filters with several values, sort, size, columns and the open panel are read', () => {
    const params = new URLSearchParams(
      'q=rao&status=ACTIVE,PAST_DUE&level=&sort=ends&descending=yes&size=100&page=3&columns=email,level&open=m1',
    )
    expect(readListAddress(params, FILTERS)).toEqual({
      query: 'rao',
      page: 3,
      size: 100,
      sort: 'ends',
      isDescending: true,
      filters: { status: ['ACTIVE', 'PAST_DUE'] },
      columns: ['email', 'level'],
      open: 'm1',
    })
  })

  test.each(['page=0', 'page=-2', 'page=1.5', 'page=many', 'size=7', 'unknown=1'])('%s is left out', (address) => {
    const { page, size, filters } = readListAddress(new URLSearchParams(address), FILTERS)
    expect({ page, size, filters }).toEqual({ page: 1, size: 25, filters: {} })
  })
})

describe('changing an address', () => {
  test.each([
    ['page=4&q=rao', { status: 'ACTIVE' }, 'q=rao&status=ACTIVE'],
    ['page=4&q=rao', { open: 'm1' }, 'page=4&q=rao&open=m1'],
    ['page=4', { columns: 'email' }, 'page=4&columns=email'],
    ['page=4', { page: '5' }, 'page=5'],
    ['q=rao&status=ACTIVE', { q: '', status: null }, ''],
  ])('%s with %j becomes "%s"', (before, changes, after) => {
    expect(String(changeListAddress(new URLSearchParams(before), changes))).toBe(after)
  })
})

test('a view keeps filters, sort and columns in one order, and neither page nor panel', () => {
  expect(viewOf(new URLSearchParams('status=ACTIVE&page=3&open=m1&q=rao'))).toBe('q=rao&status=ACTIVE')
})

test.each([
  ['', false],
  ['page=2&sort=ends&descending=yes&columns=email&size=50&open=m1', false],
  ['q=rao', true],
  ['status=ACTIVE', true],
])('"%s" is filtered: %s', (address, filtered) => {
  expect(isFiltered(new URLSearchParams(address))).toBe(filtered)
})
