import { describe, expect, test } from 'vitest'
import { cardCodeIn } from './card-code.ts'

describe('the code in what was scanned', () => {
  const code = 'AbCd_-0123456789AbCd_-0123456789AbCd_-01234'
  test.each([
    ['the code alone', code],
    ['the address of a card', `https://example.org/card#${code}`],
    ['the address of a local site', `http://localhost:3000/card#${code}`],
  ])('is found in %s', (_name, scanned) => {
    expect(cardCodeIn(scanned)).toBe(code)
  })
  test.each([
    ['', 'nothing'],
    [code.slice(1), 'a shorter one'],
    [`${code}x`, 'a longer one'],
    [`https://example.org/other#${code}`, 'another page'],
    [`javascript:alert(1)/card#${code}`, 'no web address'],
    ['01jxyz.AbCd_-0123456789AbCd', 'the code of an RSVP'],
  ])('is not found in %j: %s', (scanned) => {
    expect(cardCodeIn(scanned)).toBeNull()
  })
})
