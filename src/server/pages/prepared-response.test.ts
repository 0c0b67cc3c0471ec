import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { responseBytes, prepareResponse, preparePackedResponse, type Representation } from './prepared-response.ts'
import { brotli } from './encodings.ts'

const body = Buffer.from('Every form says the same. '.repeat(400))
const content = { status: 200, contentType: 'text/css; charset=utf-8', body, headers: [], compressible: true }

const header = ({ headers }: Representation, name: string) => headers[headers.indexOf(name) + 1]

test('a packed response stores only Brotli and creates the other encodings on demand', async () => {
  const br = await brotli(body)
  const answer = preparePackedResponse(content, br)
  const { identity, gzip } = answer.representations
  expect(identity.body.equals(body)).toBe(true)
  expect(gzip && gunzipSync(gzip.body).equals(body)).toBe(true)
  expect(answer.representations.gzip).toBe(gzip)
  expect(responseBytes(answer)).toBe(br.length)
  for (const form of [identity, gzip, answer.representations.br] as Representation[]) {
    expect(header(form, 'content-length')).toBe(String(form.body.length))
    expect(header(form, 'vary')).toBe('accept-encoding')
  }
  expect(identity.headers).not.toContain('content-encoding')
})

test('packed and unpacked responses have the same ETags', async () => {
  const packed = preparePackedResponse(content, await brotli(body))
  const plain = prepareResponse(content)
  expect(packed.tag).toBe(plain.tag)
  expect(header(packed.representations.identity, 'etag')).toBe(header(plain.representations.identity, 'etag'))
})
