import Stripe from 'stripe'
import { PaymentProviderError } from './payment-gateway.ts'

/** Whether Stripe reported that the object does not exist. */
export function isMissing(error: unknown): boolean {
  // 404 for the object in the address, 400 for one that a parameter names.
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    (error.statusCode === 404 || error.code === 'resource_missing')
  )
}

/** Resolves to null if the object does not exist. @throws PaymentProviderError */
export async function nullIfMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (isMissing(error)) return null
    throw toProviderError(error)
  }
}

/** @throws PaymentProviderError in place of Stripe's own errors */
export async function withProviderErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw toProviderError(error)
  }
}

/** Same as `translate`, for paginated lists. */
export async function* withProviderErrorsEach<T>(items: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* items
  } catch (error) {
    throw toProviderError(error)
  }
}

export function toProviderError(error: unknown): Error {
  if (!(error instanceof Stripe.errors.StripeError)) return error as Error
  const reason = `${error.type} ${error.code ?? ''} ${error.statusCode ?? ''}`.trim()
  if (error instanceof Stripe.errors.StripeConnectionError) return new PaymentProviderError('unknown', reason)
  if (error instanceof Stripe.errors.StripeAPIError) {
    return new PaymentProviderError((error.statusCode ?? 0) >= 500 ? 'broken' : 'unknown', reason)
  }
  if (error instanceof Stripe.errors.StripeRateLimitError) return new PaymentProviderError('unknown', reason)
  // A request with the same key is still in progress, or the object is locked. That is no rejection, so the call may be retried.
  if (error.statusCode === 409) return new PaymentProviderError('unknown', reason)
  return new PaymentProviderError('refused', reason)
}
