import { describe, expect, test } from 'vitest'
import { missingPart, stillProcessing, verificationProblem } from './payment.rules.ts'

test.each([
  [
    {},
    'This link is missing payment information. If you already paid, please check your email or go to your Account page.',
  ],
  [
    { session_id: 'cs_1' },
    'This link is missing verification information. Please return to the checkout page and try again.',
  ],
  [{ nonce: 'n' }, 'Missing session information. Please refresh the page.'],
])('%j lacks something, and no retry can help', (address, sentence) =>
  expect(missingPart(address)).toEqual({ sentence, canRetry: false }),
)

test('both parts are enough', () => {
  expect(missingPart({ session_id: 'cs_1', nonce: 'n' })).toBeNull()
})

describe('a verification that failed', () => {
  const invalid = 'This link is invalid or expired. Please return to the checkout page and try again.'
  const generic = 'Failed to verify payment. Please contact support.'
  test.each([
    [403, 'Forbidden', invalid, false],
    [403, undefined, invalid, false],
    [502, 'The bank is asleep.', 'The bank is asleep.', true],
    [500, undefined, generic, true],
    [200, undefined, generic, true],
    [0, undefined, 'Verification failed. Please try again or refresh the page.', true],
  ])('%i %s', (status, said, sentence, canRetry) =>
    expect(verificationProblem(status, said)).toEqual({ sentence, canRetry }),
  )
})

test('a payment that takes its time may be asked for again', () => {
  expect(stillProcessing).toEqual({
    sentence: 'Payment is still processing. Please wait a moment or refresh the page.',
    canRetry: true,
  })
})
