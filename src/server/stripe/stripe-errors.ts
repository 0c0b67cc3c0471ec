import Stripe from 'stripe'
import { PaymentProviderError } from './payment-gateway.ts'

/** Whether Stripe said that there is no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404
}

/** null for what Stripe does not know. @throws PaymentProviderError */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (isMissing(error)) return null
    throw toProviderError(error)
  }
}

/** @throws PaymentProviderError instead of Stripe's own errors */
export async function translate<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw toProviderError(error)
  }
}

/** The same for what comes page by page. */
export async function* translateEach<T>(items: AsyncIterable<T>): AsyncIterable<T> {
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
  // An earlier call under the same key is still being worked on, or the object is locked: no answer yet, not a refusal.
  if (error.statusCode === 409) return new PaymentProviderError('unknown', reason)
  return new PaymentProviderError('refused', reason)
}
