import { afterEach, expect, test, vi } from 'vitest'
import { fetchList } from './fetch-list.ts'

afterEach(() => vi.unstubAllGlobals())

const names = (answer: unknown) => (Array.isArray(answer) ? answer.map(String) : undefined)

function answering(answer: () => Response | Promise<Response>) {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => answer()),
  )
  return fetchList('/api/names', names)
}

test('returns the list', async () => {
  expect(await answering(() => Response.json(['a', 'b']))).toEqual(['a', 'b'])
})

test.each([
  ['a bad status', () => Response.json(['a'], { status: 500 })],
  ['another shape', () => Response.json({ names: ['a'] })],
  ['no JSON', () => new Response('<html>')],
])('%s is an empty list', async (_, answer) => {
  expect(await answering(answer)).toEqual([])
})

test('a network error is not an empty list', async () => {
  await expect(answering(() => Promise.reject(new TypeError('failed to fetch')))).rejects.toThrow('failed to fetch')
})
