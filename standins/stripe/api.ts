import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { performWith } from '../faults.ts'
import type { Dropped, HttpReply, HttpRequest } from '../http.ts'
import { newId } from '../ids.ts'
import type { Store } from '../store.ts'
import type { Account } from './account.ts'
import { API_VERSION } from './account.ts'
import { priceEndpoints } from './billing/prices.ts'
import { productEndpoints } from './billing/products.ts'
import { balanceTransactionEndpoints } from './payments/balance-transaction-endpoints.ts'
import { couponEndpoints } from './billing/coupons.ts'
import { checkoutSessionEndpoints } from './checkout/checkout-sessions.ts'
import { customerEndpoints } from './customers.ts'
import { disputeEndpoints } from './payments/disputes.ts'
import type { Endpoint } from './endpoint.ts'
import { StripeFailure, invalid, serverError, toReply, tooManyRequests } from './errors.ts'
import { createEventEndpoints } from './events.ts'
import { expand } from './expand.ts'
import { parseForm } from './form-encoding.ts'
import type { KeyedRequest } from './idempotency.ts'
import { createIdempotencyKeys } from './idempotency.ts'
import { invoiceEndpoints } from './billing/invoices.ts'
import { paymentMethodEndpoints } from './payments/payment-methods.ts'
import { paymentEndpoints } from './payments/payments.ts'
import { payoutEndpoints } from './payments/payouts.ts'
import { portalConfigurationEndpoints } from './checkout/portal-configurations.ts'
import { portalSessionEndpoints } from './checkout/portal-sessions.ts'
import { refundEndpoints } from './payments/refunds.ts'
import { subscriptionEndpoints } from './billing/subscription-endpoints.ts'
import { createWebhookEndpoints } from './webhook-endpoints.ts'
import type { Webhooks } from './webhooks.ts'

export type StripeApi = {
  serve(request: HttpRequest): Promise<HttpReply | Dropped>
  /** Maps `POST /v1/customers/:id` to the number of calls. */
  requestCounts: Map<string, number>
  deleteExpiredKeys(): void
}

type ApiParts = { account: Account; store: Store; clock: Clock; faults: Faults; webhooks: Webhooks }

export function createStripeApi({ account, store, clock, faults, webhooks }: ApiParts): StripeApi {
  const keys = createIdempotencyKeys(store, clock)
  const find = createFinder([
    ...customerEndpoints,
    ...productEndpoints,
    ...priceEndpoints,
    ...couponEndpoints,
    ...checkoutSessionEndpoints,
    ...subscriptionEndpoints,
    ...invoiceEndpoints,
    ...paymentMethodEndpoints,
    ...paymentEndpoints,
    ...refundEndpoints,
    ...disputeEndpoints,
    ...payoutEndpoints,
    ...balanceTransactionEndpoints,
    ...portalConfigurationEndpoints,
    ...portalSessionEndpoints,
    ...createEventEndpoints(webhooks),
    ...createWebhookEndpoints(webhooks),
  ])
  const requestCounts = new Map<string, number>()

  function work(
    request: HttpRequest,
    { requestId, keyed }: { requestId: string; keyed: KeyedRequest | null },
  ): HttpReply {
    try {
      const found = find(request.method, request.path)
      if (!found) throw unrecognised(request)
      const form = parseForm(request.method === 'POST' ? request.body.toString('utf8') : String(request.query))
      const { expand: paths, work: act } = found.endpoint.prepare(account, form, found.ids)
      const cause = { id: requestId, idempotency_key: keyed?.key ?? null }
      const result = expand(account, account.during(cause, act), paths)
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(result) }
    } catch (error) {
      if (error instanceof StripeFailure) return Object.assign(toReply(error), { forgotten: !error.isStored })
      throw error
    }
  }

  async function serve(request: HttpRequest): Promise<HttpReply | Dropped> {
    const requestId = newId('req_', 14)
    count(requestCounts, request, find)
    const fault = faults.consume('stripe')
    const headers = { 'request-id': requestId, 'stripe-version': readVersion(request) }
    const keyed = readKey(request)
    let began = false
    try {
      requireKey(request)
      // Connection faults happen before Stripe reads the request.
      const reachesStripe = !fault || !['refuse', 'reset', 'blackhole', 'garbage', 'limited'].includes(fault.kind)
      if (keyed && reachesStripe) {
        const earlier = keys.begin(keyed)
        if (earlier && fault?.kind !== 'lostReply') return withHeaders(earlier, headers)
        if (earlier)
          return await performWith({
            request,
            fault,
            work: () => earlier,
            error: () => earlier,
            limited: () => earlier,
          })
        began = true
      }
      const replied = (reply: HttpReply): HttpReply => {
        const { forgotten, ...plain } = reply as HttpReply & { forgotten?: boolean }
        if (keyed && !forgotten) keys.remember(keyed, plain)
        return withHeaders(plain, {
          ...headers,
          ...(keyed ? { 'idempotency-key': keyed.key, 'original-request': requestId } : {}),
          ...(keyed && plain.status >= 500 ? { 'stripe-should-retry': 'false' } : {}),
        })
      }
      return await performWith({
        request,
        fault,
        work: () => replied(work(request, { requestId, keyed })),
        error: () => (keyed ? replied(toReply(serverError)) : withHeaders(toReply(serverError), headers)),
        limited: () => withHeaders(toReply(tooManyRequests), headers),
      })
    } catch (error) {
      if (error instanceof StripeFailure) return withHeaders(toReply(error), headers)
      throw error
    } finally {
      if (keyed && began) keys.end(keyed)
    }
  }

  return { serve, requestCounts, deleteExpiredKeys: keys.deleteExpired }
}

type Found = { endpoint: Endpoint; ids: Record<string, string> }

function createFinder(endpoints: Endpoint[]): (method: string, path: string) => Found | null {
  const exact = new Map<string, Endpoint>()
  const patterns: { endpoint: Endpoint; parts: string[] }[] = []
  for (const endpoint of endpoints) {
    if (endpoint.path.includes(':')) patterns.push({ endpoint, parts: endpoint.path.split('/') })
    else exact.set(`${endpoint.method} ${endpoint.path}`, endpoint)
  }
  return (method, path) => {
    const direct = exact.get(`${method} ${path}`)
    if (direct) return { endpoint: direct, ids: {} }
    const parts = path.split('/')
    const match = patterns.find(
      ({ endpoint, parts: requested }) =>
        endpoint.method === method &&
        requested.length === parts.length &&
        requested.every((part, position) => part.startsWith(':') || part === parts[position]),
    )
    if (!match) return null
    const named = match.parts.map((part, position) => [part, decodeURIComponent(parts[position]!)] as const)
    const ids = Object.fromEntries(
      named.filter(([part]) => part.startsWith(':')).map(([part, id]) => [part.slice(1), id]),
    )
    return { endpoint: match.endpoint, ids }
  }
}

function count(
  counts: Map<string, number>,
  { method, path }: HttpRequest,
  find: (method: string, path: string) => Found | null,
): void {
  const name = `${method} ${find(method, path)?.endpoint.path ?? path}`
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function readKey(request: HttpRequest): KeyedRequest | null {
  const key = request.headers['idempotency-key']
  if (request.method !== 'POST' || typeof key !== 'string') return null
  return { key, endpoint: `${request.method} ${request.path}`, parameters: request.body.toString('utf8') }
}

function requireKey({ headers: { authorization } }: HttpRequest): void {
  if (authorization === undefined) {
    throw invalid(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      { status: 401 },
    )
  }
  const key = authorization.startsWith('Basic ')
    ? Buffer.from(authorization.slice(6), 'base64').toString().split(':')[0]!
    : authorization.replace(/^Bearer /, '')
  if (!/^[sr]k_test_\w+$/.test(key)) throw invalid(`Invalid API Key provided: ${key.slice(0, 8)}****`, { status: 401 })
}

function unrecognised({ method, path }: HttpRequest): StripeFailure {
  return new StripeFailure(
    404,
    {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    },
    false,
  )
}

function readVersion(request: HttpRequest): string {
  const version = request.headers['stripe-version']
  return typeof version === 'string' ? version : API_VERSION
}

function withHeaders(reply: HttpReply, headers: Record<string, string>): HttpReply {
  return { ...reply, headers: { ...headers, ...reply.headers } }
}
