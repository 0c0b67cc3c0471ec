import { describe, expect, test } from 'vitest'
import {
  extractChallenge,
  creationOptions,
  userHandleOf,
  isCounterValid,
  knownTransports,
  relyingPartyFor,
  requestOptions,
} from './passkey.rules.ts'

test.each([
  ['https://association.example.org', { id: 'association.example.org', origin: 'https://association.example.org' }],
  ['https://www.example.org:8443', { id: 'www.example.org', origin: 'https://www.example.org:8443' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
])('a passkey of %s belongs to its host alone', (siteUrl, party) => {
  expect(relyingPartyFor(siteUrl)).toEqual(party)
})

test.each([
  { kept: 0, given: 0, fits: true, why: 'a device that does not count' },
  { kept: 0, given: 1, fits: true, why: 'the first that is counted' },
  { kept: 4, given: 5, fits: true, why: 'the next' },
  { kept: 4, given: 900, fits: true, why: 'used on other sites meanwhile' },
  { kept: 4, given: 4, fits: false, why: 'the same again' },
  { kept: 4, given: 3, fits: false, why: 'one that was before' },
  { kept: 4, given: 0, fits: false, why: 'a device that forgot how to count' },
])('$kept, then $given: $why', ({ kept, given, fits }) => {
  expect(isCounterValid({ kept, given })).toBe(fits)
})

describe('the challenge in a response', () => {
  const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('is read', () => {
    expect(extractChallenge(written({ challenge: 'abc', crossOrigin: false }))).toBe('abc')
    expect(extractChallenge(written({ challenge: 'abc' }))).toBe('abc')
  })

  test.each([
    ['nothing', ''],
    ['no JSON', 'e30x'],
    ['null', written(null)],
    ['a list', written(['abc'])],
    ['no challenge', written({})],
    ['a challenge that is no text', written({ challenge: 7 })],
    ['an answer from a frame of another site', written({ challenge: 'abc', crossOrigin: true })],
  ])('is not found in %s', (_what, text) => {
    expect(extractChallenge(text)).toBeNull()
  })
})

test('keeps the known transports, once each', () => {
  expect(knownTransports(['usb', 'internal', 'of-tomorrow', 'usb'])).toEqual(['internal', 'usb'])
  expect(knownTransports([''])).toEqual([])
})

test('requires user verification, and excludes the passkeys the device already has', () => {
  const party = relyingPartyFor('https://example.org')
  const known = [{ credentialId: 'one', transports: ['usb' as const] }]
  const person = { accountId: 'a1', name: 'Ana Rao', email: 'ana@example.com' }
  expect(creationOptions({ challenge: 'c', party, siteName: 'GAPI', person, known })).toMatchObject({
    rp: { id: 'example.org', name: 'GAPI' },
    user: { id: userHandleOf('a1'), name: 'ana@example.com', displayName: 'Ana Rao' },
    excludeCredentials: [{ id: 'one', transports: ['usb'] }],
    authenticatorSelection: { userVerification: 'required' },
    attestation: 'none',
  })
  expect(requestOptions({ challenge: 'c', party, known })).toMatchObject({
    rpId: 'example.org',
    allowCredentials: [{ id: 'one', type: 'public-key', transports: ['usb'] }],
    userVerification: 'required',
  })
})
