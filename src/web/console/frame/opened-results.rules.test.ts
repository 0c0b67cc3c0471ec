import { expect, test } from 'vitest'
import { readOpened, withOpened } from './opened-results.rules.ts'

const found = (number: number) => ({ title: `Member ${number}`, detail: '', url: `/console/members/m${number}` })

test('the last five results are stored, newest first and each once', () => {
  let stored: string | null = null
  for (const number of [1, 2, 3, 4, 5, 6, 3]) stored = withOpened(stored, found(number))
  expect(readOpened(stored).map(({ url }) => url)).toEqual(
    [3, 6, 5, 4, 2].map((number) => `/console/members/m${number}`),
  )
})

test.each([
  'no JSON',
  '{}',
  '[1, null]',
  '[{"title":"Elsewhere","detail":"","url":"https://example.org"}]',
  '[{"title":"Without address","detail":""}]',
])('%s is nothing', (stored) => expect(readOpened(stored)).toEqual([]))
