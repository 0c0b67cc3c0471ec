import { expect, test } from 'vitest'
import { explainDevice, suggestPasskeyName } from './passkey-words.rules.ts'

test.each([
  [{ name: 'NotAllowedError' }, /^Nothing came from your device/],
  [{ name: 'AbortError', code: 'ERROR_CEREMONY_ABORTED' }, /^Nothing came from your device/],
  [{ name: 'InvalidStateError' }, /has a passkey for you already/],
  [{ name: 'WebAuthnError', code: 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' }, /has a passkey for you already/],
  [{ name: 'ConstraintError' }, /screen lock/],
  [{ name: 'SecurityError' }, /own address/],
  [new TypeError('x is undefined'), /did not work on this device/],
  [null, /did not work on this device/],
  ['a word', /did not work on this device/],
])('%j is said so that somebody can go on', (failure, sentence) => {
  expect(explainDevice(failure)).toMatch(sentence)
})

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) Safari/604.1', 'iPhone'],
  ['Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/150.0 Mobile Safari/537.36', 'Android phone'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 'Mac'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0', 'Windows computer'],
  ['Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0', 'Linux computer'],
  ['', 'My device'],
])('%s: %s', (userAgent, name) => {
  expect(suggestPasskeyName(userAgent)).toBe(name)
})
