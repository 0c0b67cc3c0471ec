import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashCardCode } from './card-hash.ts'

const CODE = 'AbCd_-0123456789AbCd_-0123456789AbCd_-01234'

test.each([CODE, `https://example.org/card#${CODE}`])('%s has the hash that the server stores', async (scanned) => {
  expect(await hashCardCode(scanned)).toBe(createHash('sha256').update(CODE).digest('hex'))
})

test('the code of an RSVP is no card’s', async () => {
  expect(await hashCardCode('01jxyz01jxyz01jxyz01jxyz01.AbCd_-0123456789AbCd_x')).toBeNull()
})
