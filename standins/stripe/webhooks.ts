import { createHmac } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { Store } from '../store.ts'
import type { StoredEvent } from './account.ts'

export const WEBHOOK_MODES = ['deliver', 'drop', 'double', 'delay', 'shuffle'] as const
export type WebhookMode = (typeof WEBHOOK_MODES)[number]

/** One event being delivered to one address; kept until delivered, or permanently when dropped. */
type Delivery = { id: string; event: string; attempts: number; dueAt: number; since: number; dropped: boolean }

export type Webhooks = {
  enqueue(event: StoredEvent): void
  setMode(mode: WebhookMode): void
  setTargets(urls: string[]): void
  /** Resolves when every pending delivery (except dropped ones) was attempted once more. */
  flush(): Promise<void>
  /** Starts deliveries that are due. */
  poke(): void
  undelivered(event: string): number
  delivered(): number
  /** Signs the events. */
  readonly secret: string
  close(): void
}

const CONCURRENCY = 16
const ATTEMPT_MS = 15_000
/** By the stand-ins' clock: fast at first, so that a test that restarts the site does not wait. */
const BACKOFF_MS = [100, 300, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 3_600_000]
const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000
const DELAY_MS = 10_000
const SHUFFLE_MS = 1500

type WebhookParts = {
  store: Store
  clock: Clock
  secret: string
  targets: string[]
  findEvent: (id: string) => StoredEvent | undefined
}

export function createWebhooks({ store, clock, secret, targets, findEvent }: WebhookParts): Webhooks {
  const deliveries = store.collection<Delivery>('deliveries', { indexes: { event: ({ event }) => event } })
  const waiting = new Map<string, Delivery>()
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let mode: WebhookMode = 'deliver'
  let urls = targets
  let nextTarget = 0
  let arrived = 0
  let timer: NodeJS.Timeout | null = null
  let scheduledFor = 0

  for (const delivery of deliveries.all()) if (!delivery.dropped) waiting.set(delivery.id, delivery)

  function enqueue(event: StoredEvent): void {
    const now = clock.now()
    const copies = mode === 'double' ? 2 : 1
    const hold = mode === 'delay' ? DELAY_MS : mode === 'shuffle' ? Math.random() * SHUFFLE_MS : 0
    for (let copy = 0; copy < copies; copy++) {
      const dropped = mode === 'drop'
      const delivery = { id: newId('whd_', 16), event: event.id, attempts: 0, dueAt: now + hold, since: now, dropped }
      deliveries.put(delivery)
      if (!dropped) waiting.set(delivery.id, delivery)
    }
    if (mode !== 'drop') schedule(hold)
  }

  function poke(): void {
    if (stopping.signal.aborted || urls.length === 0) return
    const now = clock.now()
    let next = Infinity
    for (const delivery of waiting.values()) {
      if (running.size >= CONCURRENCY) return
      if (running.has(delivery.id)) continue
      if (delivery.dueAt <= now) void start(delivery)
      else next = Math.min(next, delivery.dueAt - now)
    }
    if (next < Infinity) schedule(next)
  }

  function schedule(waitMs: number): void {
    if (stopping.signal.aborted) return
    const at = Date.now() + waitMs
    if (timer && scheduledFor <= at) return
    if (timer) clearTimeout(timer)
    scheduledFor = at
    timer = setTimeout(
      () => {
        timer = null
        poke()
      },
      Math.min(waitMs, 60_000),
    )
    timer.unref()
  }
  function start(delivery: Delivery): Promise<void> {
    const attempt = attemptDelivery(delivery).finally(() => {
      running.delete(delivery.id)
      poke()
    })
    running.set(delivery.id, attempt)
    return attempt
  }

  async function attemptDelivery(delivery: Delivery): Promise<void> {
    const event = findEvent(delivery.event)
    const accepted = event === undefined || (await post(event.payload))
    if (stopping.signal.aborted) return
    const now = clock.now()
    if (accepted || now - delivery.since > GIVE_UP_AFTER_MS) {
      if (accepted) arrived++
      waiting.delete(delivery.id)
      if (accepted) deliveries.remove(delivery.id)
      else deliveries.put({ ...delivery, dropped: true })
      return
    }
    const pause = BACKOFF_MS[Math.min(delivery.attempts, BACKOFF_MS.length - 1)]!
    const later = { ...delivery, attempts: delivery.attempts + 1, dueAt: now + pause }
    deliveries.put(later)
    if (waiting.has(delivery.id)) waiting.set(delivery.id, later)
  }

  async function post(payload: string): Promise<boolean> {
    const url = urls[nextTarget++ % urls.length]
    if (url === undefined) return false
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': sign(payload, { secret, at: clock.now() }),
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), stopping.signal]),
      })
      await response.arrayBuffer()
      return response.ok
    } catch {
      return false
    }
  }

  return {
    secret,
    enqueue,
    poke,
    setMode(next) {
      mode = next
    },
    setTargets(next) {
      urls = next
      poke()
    },
    async flush() {
      const pending = [...waiting.values()]
      const queue = pending.values()
      const worker = async () => {
        for (const { id } of queue) {
          await running.get(id)
          const delivery = waiting.get(id)
          if (delivery && urls.length > 0) await (running.get(id) ?? start(delivery))
        }
      }
      await Promise.all(Array.from({ length: CONCURRENCY }, worker))
    },
    undelivered: (event) => deliveries.by('event', event).length,
    delivered: () => arrived,
    close() {
      stopping.abort()
      if (timer) clearTimeout(timer)
    },
  }
}

/**
 * `t=…,v1=…` over the timestamp and the body. The timestamp is the stand-ins' time, like the site's; a client that compares it with the system clock accepts it
 * as well, since the SDK rejects only old timestamps.
 */
function sign(payload: string, { secret, at }: { secret: string; at: number }): string {
  const time = Math.floor(at / 1000)
  const signature = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')
  return `t=${time},v1=${signature}`
}
