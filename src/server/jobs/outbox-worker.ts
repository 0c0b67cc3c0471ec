import type { Kysely } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Lane } from './effect-priorities.ts'
import { createLeaseOwner, freeLeasesOfPredecessor, RENEW_EVERY_MS, type LeaseOwner } from '#server/lib/lease-owner.ts'
import { createBatchWriter } from './batch-writer.ts'
import { retry, FAILOVER_RETRY_PAUSES_MS } from './retry.ts'
import type { Log } from '#server/lib/logger.ts'
import {
  deadLetter,
  claimEffects,
  markEffectsDone,
  postponeEffect,
  renewLeases,
  type ClaimedEffect,
} from './outbox.repository.ts'
import { createPrioritySlots } from '#server/lib/priority-slots.ts'

/** Runs one effect. Throw to retry; throw `PermanentFailure` to give up immediately. */
export type EffectHandler = (payload: unknown, effect: ClaimedEffect) => Promise<void>

/** A failure that retrying cannot fix, such as an address that does not exist. */
export class PermanentFailure extends Error {}

export interface OutboxWorker {
  /** Polls now instead of waiting for the next interval. */
  wake(): void
  /** Runs everything that is due and resolves when nothing is left; for tests and admin commands. */
  drain(): Promise<void>
  /** Waits for effects in flight. */
  stop(): Promise<void>
}

const POLL_MS = 500
/** Concurrency limit per lane, by priority: effects of that priority and all less urgent ones. Some slots are reserved for urgent effects. */
const CONCURRENCY_LIMITS = [16, 14, 12, 8] as const
const LEASE_MS = 120_000
/** An email whose completion is not recorded is sent again after a crash, but recording each one separately would halve the throughput. */
const RECORD_WITHIN_MS = 20
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 3_600_000
const GIVE_UP_AFTER_MS = 4 * 86_400_000

/** Exponential backoff from 5 s to an hour. */
export function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS)
}

type WorkerOptions = Parameters<typeof startWorker>[0]

/**
 * Runs outbox effects under leases, so several processes may each have a worker. Emails have their own lane. Leases of a killed process of the same instance
 * are taken over shortly after the start.
 */
export function startOutbox(options: Omit<WorkerOptions, 'lane' | 'holder'> & { owner?: LeaseOwner }): OutboxWorker {
  const { db, log, polling = true, owner: holder = createLeaseOwner() } = options
  const lanes = [startWorker({ ...options, holder, lane: 'rest' }), startWorker({ ...options, holder, lane: 'emails' })]
  const wake = () => lanes.forEach((lane) => lane.wake())
  if (polling) {
    freeLeasesOfPredecessor(db, holder).then(
      (freed) => {
        if (freed === 0) return
        log.warn({ freed }, 'took over effects of a killed process')
        wake()
      },
      (error: unknown) => log.warn({ reason: describe(error) }, 'leases of the previous process could not be read'),
    )
  }
  return {
    wake,
    async drain() {
      // Effects of the other lane may queue emails, never the reverse.
      for (const lane of lanes) await lane.drain()
    },
    stop: async () => void (await Promise.all(lanes.map((lane) => lane.stop()))),
  }
}

function startWorker({
  db,
  clock,
  log,
  lane,
  holder,
  handlers,
  onDead,
  polling = true,
  pausesMs = FAILOVER_RETRY_PAUSES_MS,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  lane: Lane
  holder: LeaseOwner
  handlers: Record<string, EffectHandler>
  /** Called in the transaction that dead-letters an effect; `refused` when retrying could not have helped. */
  onDead(effect: ClaimedEffect, refused: boolean, tx: Tx): Promise<void>
  polling?: boolean
  /** Pauses between attempts to record an effect's result. */
  pausesMs?: readonly number[]
}): OutboxWorker {
  let stopped = false
  const slots = createPrioritySlots(CONCURRENCY_LIMITS)
  /** Effects in flight, until their result is recorded. */
  const inHand = new Map<string, Promise<void>>()
  /** How many of them are still running. */
  let running = 0
  let claiming: Promise<boolean> | null = null
  let pollRequested = false
  let renewal: NodeJS.Timeout | undefined
  const doneWriter = createBatchWriter<string>(RECORD_WITHIN_MS, (ids) =>
    retry(() => markEffectsDone(db, ids, clock.now()), pausesMs),
  )

  /** Starts due effects while there are free slots. Returns whether there were any. */
  async function claimAll(): Promise<boolean> {
    let foundAny = false
    try {
      while (pollRequested && !stopped) {
        pollRequested = false
        const effects = await claimEffects(db, {
          lane,
          slots,
          leaseMs: LEASE_MS,
          holder: holder.id,
          inHand: [...inHand.keys()],
          now: clock.now(),
        })
        if (effects.length === 0) continue
        foundAny = true
        pollRequested = true
        for (const effect of effects) start(effect)
      }
    } catch (error) {
      log.warn({ reason: describe(error) }, 'outbox could not be read')
    }
    return foundAny
  }

  /** A poll may be requested while another is running; it then runs once more, since the running one may have read older rows. */
  function poll(): Promise<boolean> {
    pollRequested = true
    claiming ??= claimAll().finally(() => {
      claiming = null
    })
    return claiming
  }

  function start(effect: ClaimedEffect): void {
    running++
    renewal ??= setInterval(() => void renew([...inHand.keys()]), RENEW_EVERY_MS)
    inHand.set(
      effect.id,
      processEffect(effect).finally(() => {
        inHand.delete(effect.id)
        slots.release(effect.priority)
        if (inHand.size > 0) return
        clearInterval(renewal)
        renewal = undefined
      }),
    )
  }

  /** Each result is recorded as soon as it is known, independent of the others. Never rejects. */
  async function processEffect(effect: ClaimedEffect): Promise<void> {
    const failure = await run(effect)
    const recorded = failure ? retry(() => recordFailure(effect, failure.error), pausesMs) : doneWriter.add(effect.id)
    if (--running === 0) doneWriter.flush()
    await recorded.catch((error: unknown) => {
      log.error(
        { effect: effect.id, kind: effect.kind, reason: describe(error) },
        'result of an effect could not be recorded',
      )
    })
    if (!stopped) setImmediate(() => void poll())
  }

  async function run(effect: ClaimedEffect): Promise<{ error: unknown } | null> {
    const handler = handlers[effect.kind]
    try {
      if (!handler) throw new PermanentFailure(`no handler for ${effect.kind}`)
      await handler(effect.payload, effect)
      return null
    } catch (error) {
      return { error }
    }
  }

  async function recordFailure(effect: ClaimedEffect, error: unknown): Promise<void> {
    const { id, kind, attempts } = effect
    const now = clock.now()
    const reason = describe(error)
    const refused = error instanceof PermanentFailure
    if (refused || now - effect.createdAt > GIVE_UP_AFTER_MS) {
      await db.transaction().execute(async (tx) => {
        await deadLetter(tx, { id, error: reason, now })
        await onDead(effect, refused, tx)
      })
      log.error({ effect: id, kind, attempts, reason }, 'effect given up')
    } else {
      await postponeEffect(db, { id, dueAt: now + retryDelayMs(attempts), error: reason })
      log.warn({ effect: id, kind, attempts, reason }, 'effect will be retried')
    }
  }

  /** A slow mail server may hold an effect for longer than its lease. */
  async function renew(ids: string[]): Promise<void> {
    const leasedUntil = clock.now() + LEASE_MS
    await renewLeases(db, ids, { leasedUntil, holder: holder.id }).catch((error: unknown) => {
      log.warn({ reason: describe(error) }, 'leases could not be renewed')
    })
  }

  async function finishInHand(): Promise<void> {
    while (inHand.size > 0) await Promise.all(inHand.values())
  }

  const timer = polling ? setInterval(() => void poll(), POLL_MS) : null
  timer?.unref()
  return {
    wake: () => void poll(),
    async drain() {
      // Until a poll finds nothing and nothing is in flight.
      while ((await poll()) || inHand.size > 0) await finishInHand()
    },
    async stop() {
      if (timer) clearInterval(timer)
      stopped = true
      await claiming
      await finishInHand()
    },
  }
}

function describe(error: unknown): string {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string }
  // Provider messages may contain addresses: mask them and keep the first words only.
  return [
    code,
    responseCode,
    String(message ?? error)
      .replace(/(?<![^\s@])[^\s@]+@\S+/g, '<address>')
      .slice(0, 120),
  ]
    .filter(Boolean)
    .join(' ')
}
