import type { Clock } from '../clock.ts'
import type { HttpReply } from '../http.ts'
import type { Store } from '../store.ts'
import { StripeFailure } from './errors.ts'

type Remembered = { id: string; endpoint: string; parameters: string; status: number; body: string; at: number }

export type KeyedRequest = { key: string; endpoint: string; parameters: string }

export type IdempotencyKeys = {
  /** What was answered before; throws when the key is in use or was used for something else. */
  begin(request: KeyedRequest): HttpReply | null
  remember(request: KeyedRequest, reply: HttpReply): void
  end(request: KeyedRequest): void
  forgetOld(): void
}

const KEPT_MS = 24 * 3_600_000
/** The SDK makes such a key for each call of its own: worth remembering for its retries, not for long. */
const MADE_BY_SDK = 'stripe-node-retry-'
const MADE_BY_SDK_KEPT_MS = 600_000

/** Stripe keeps the first result of a key, errors included, and replays it for 24 hours. */
export function createIdempotencyKeys(store: Store, clock: Clock): IdempotencyKeys {
  const remembered = store.collection<Remembered>('idempotency', { kept: (item) => !item.id.startsWith(MADE_BY_SDK) })
  const inUse = new Set<string>()

  return {
    begin({ key, endpoint, parameters }) {
      if (inUse.has(key)) throw inUseFailure(key)
      const earlier = remembered.get(key)
      if (!earlier || earlier.at + KEPT_MS <= clock.now()) {
        inUse.add(key)
        return null
      }
      if (earlier.endpoint !== endpoint) throw otherEndpointFailure(earlier.endpoint, endpoint, key)
      if (earlier.parameters !== parameters) throw otherParametersFailure(key)
      return {
        status: earlier.status,
        headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' },
        body: earlier.body,
      }
    },
    remember({ key, endpoint, parameters }, reply) {
      const { status, body } = reply
      remembered.put({ id: key, endpoint, parameters, status, body: String(body), at: clock.now() })
    },
    end({ key }) {
      inUse.delete(key)
    },
    forgetOld() {
      const now = clock.now()
      for (const { id, at } of remembered.all()) {
        if (at + (id.startsWith(MADE_BY_SDK) ? MADE_BY_SDK_KEPT_MS : KEPT_MS) < now) remembered.remove(id)
      }
    },
  }
}

function inUseFailure(key: string): StripeFailure {
  const message =
    'There is currently another in-progress request using this Idempotent Key (that probably means you submitted ' +
    `twice, and the other request is still going through): ${key}. Please try again later, or specify your own ` +
    'Idempotent Key.'
  return new StripeFailure(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use', message }, false)
}

function otherEndpointFailure(before: string, now: string, key: string): StripeFailure {
  const message =
    `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${before}' vs ` +
    `'${now}'). Try using a key other than '${key}' if you meant to execute a different request.`
  return new StripeFailure(400, { type: 'idempotency_error', message }, false)
}

function otherParametersFailure(key: string): StripeFailure {
  const message =
    'Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a ' +
    `key other than '${key}' if you meant to execute a different request.`
  return new StripeFailure(400, { type: 'idempotency_error', message }, false)
}
