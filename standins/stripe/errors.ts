import type { HttpReply } from '../http.ts'

export type StripeErrorBody = {
  type: 'invalid_request_error' | 'card_error' | 'api_error' | 'idempotency_error' | 'rate_limit_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  doc_url?: string
  charge?: string
  payment_intent?: unknown
}

/** An error response of the API; `kept` says whether an idempotency key stores it. */
export class StripeFailure extends Error {
  readonly status: number
  readonly body: StripeErrorBody
  readonly isStored: boolean

  constructor(status: number, body: StripeErrorBody, kept = true) {
    super(body.message)
    this.status = status
    this.body = body.code
      ? { doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll('_', '-')}`, ...body }
      : body
    this.isStored = kept
  }
}

export function invalid(
  message: string,
  details: { param?: string; code?: string; status?: number } = {},
): StripeFailure {
  const { status = 400, ...rest } = details
  return new StripeFailure(status, { type: 'invalid_request_error', message, ...rest })
}

/** An invalid parameter: Stripe does not store the result under the idempotency key then. */
export function badParameter(message: string, param: string, code?: string): StripeFailure {
  return new StripeFailure(400, { type: 'invalid_request_error', message, param, ...(code ? { code } : {}) }, false)
}

export function missingParameter(param: string): StripeFailure {
  return badParameter(`Missing required param: ${param}.`, param, 'parameter_missing')
}

/** `param` is `id` for the object in the path (404), else the parameter that named it (400). */
export function noSuch(what: string, id: string, param = 'id'): StripeFailure {
  const status = param === 'id' ? 404 : 400
  return invalid(`No such ${what}: '${id}'`, { status, param, code: 'resource_missing' })
}

export function toReply(failure: StripeFailure): HttpReply {
  return {
    status: failure.status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: failure.body }),
  }
}

export const serverError = new StripeFailure(500, {
  type: 'api_error',
  message: 'An unknown error occurred. (Set in the stand-in.)',
})

export const tooManyRequests = new StripeFailure(
  429,
  {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message: 'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
  },
  false,
)
