import { expect, test } from 'vitest'
import { deviceErrorMessage, suggestPasskeyName } from './passkey-errors.rules.ts'

test.each([
  [{ name: 'NotAllowedError' }, /^The request was canceled or timed out/],
  [{ name: 'AbortError', code: 'ERROR_CEREMONY_ABORTED' }, /^The request was canceled or timed out/],
  [{ name: 'InvalidStateError' }, /already has a passkey for you/],
  [{ name: 'WebAuthnError', code: 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' }, /already has a passkey for you/],
  [{ name: 'ConstraintError' }, /screen lock/],
  [{ name: 'SecurityError' }, /own address/],
  [new TypeError('x is undefined'), /didn’t work on this device/],
  [null, /didn’t work on this device/],
  ['a word', /didn’t work on this device/],
])('%j has a message with a next step', (failure, sentence) => {
  expect(deviceErrorMessage(failure)).toMatch(sentence)
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
