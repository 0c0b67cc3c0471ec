import { describe, expect, test } from 'vitest'
import { findMissingParameter, stillProcessing, toPaymentError } from './payment.rules.ts'

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
])('%j is incomplete, and no retry is offered', (address, sentence) =>
  expect(findMissingParameter(address)).toEqual({ message: sentence, canRetry: false }),
)

test('both parameters are enough', () => {
  expect(findMissingParameter({ session_id: 'cs_1', nonce: 'n' })).toBeNull()
})

describe('a failed verification', () => {
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
    expect(toPaymentError(status, said)).toEqual({ message: sentence, canRetry }),
  )
})

test('a slow payment can be checked again', () => {
  expect(stillProcessing).toEqual({
    message: 'Payment is still processing. Please wait a moment or refresh the page.',
    canRetry: true,
  })
})
