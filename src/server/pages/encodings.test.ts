import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { acceptedEncodings, brotli, gzip, unbrotli } from './encodings.ts'

test.each([
  [undefined, ['identity']],
  ['', ['identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['gzip', ['gzip', 'identity']],
  ['GZIP;Q=1', ['gzip', 'identity']],
  ['x-gzip', ['gzip', 'identity']],
  ['br;q=0.5, gzip;q=0.8', ['gzip', 'br', 'identity']],
  ['br;q=0, gzip', ['gzip', 'identity']],
  ['*', ['br', 'gzip', 'identity']],
  ['*;q=0', ['identity']],
  ['br, *;q=0', ['br', 'identity']],
  ['identity', ['identity']],
  ['identity;q=1, gzip;q=0.5', ['identity', 'gzip']],
  ['gzip, identity;q=0', ['gzip', 'identity']],
  ['identity;q=0', ['identity']],
  ['zstd', ['identity']],
  ['gzip;q=nonsense', ['identity']],
])('%s accepts %j', (header, encodings) => {
  expect(acceptedEncodings(header)).toEqual(encodings)
})

test('compression is lossless', async () => {
  const text = Buffer.from('One house, many rooms. '.repeat(200))
  expect(unbrotli(await brotli(text)).equals(text)).toBe(true)
  expect(gunzipSync(gzip(text)).equals(text)).toBe(true)
})
