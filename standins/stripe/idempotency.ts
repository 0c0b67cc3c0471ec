import type { Clock } from '../clock.ts'
import type { HttpReply } from '../http.ts'
import type { Store } from '../store.ts'
import { StripeFailure } from './errors.ts'

type StoredResult = { id: string; endpoint: string; parameters: string; status: number; body: string; at: number }

export type KeyedRequest = { key: string; endpoint: string; parameters: string }

export type IdempotencyKeys = {
  /** Returns the stored response; throws when the key is in use or was used with other parameters. */
  begin(request: KeyedRequest): HttpReply | null
  remember(request: KeyedRequest, reply: HttpReply): void
  end(request: KeyedRequest): void
  deleteExpired(): void
}

const RETENTION_MS = 24 * 3_600_000
/** The SDK generates such keys for its own retries: they need not be stored for long. */
const MADE_BY_SDK = 'stripe-node-retry-'
const SDK_KEY_RETENTION_MS = 600_000

/** Stripe stores the first result of a key, errors included, and replays it for 24 hours. */
export function createIdempotencyKeys(store: Store, clock: Clock): IdempotencyKeys {
  const stored = store.collection<StoredResult>('idempotency', { kept: (item) => !item.id.startsWith(MADE_BY_SDK) })
  const inUse = new Set<string>()

  return {
    begin({ key, endpoint, parameters }) {
      if (inUse.has(key)) throw inUseFailure(key)
      const earlier = stored.get(key)
      if (!earlier || earlier.at + RETENTION_MS <= clock.now()) {
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
      stored.put({ id: key, endpoint, parameters, status, body: String(body), at: clock.now() })
    },
    end({ key }) {
      inUse.delete(key)
    },
    deleteExpired() {
      const now = clock.now()
      for (const { id, at } of stored.all()) {
        if (at + (id.startsWith(MADE_BY_SDK) ? SDK_KEY_RETENTION_MS : RETENTION_MS) < now) stored.remove(id)
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
