import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Clock } from './clock.ts'
import type { Log } from './logger.ts'
import {
  buryEffect,
  claimEffects,
  markEffectsDone,
  postponeEffect,
  type ClaimedEffect,
  type Lane,
} from './outbox.repository.ts'

/** Runs one effect. Throws to have it tried again; a `PermanentFailure` gives it up at once. */
export type EffectHandler = (payload: Record<string, unknown>, effect: ClaimedEffect) => Promise<void>

/** A failure that trying again cannot cure, such as an address that does not exist. */
export class PermanentFailure extends Error {}

export interface OutboxWorker {
  /** Looks for work now instead of at the next turn. */
  wake(): void
  /** Runs everything that is due and resolves when nothing is left; for tests and for the admin command. */
  drain(): Promise<void>
  /** Finishes what is in flight. */
  stop(): Promise<void>
}

const POLL_MS = 500
const BATCH = 16
const LEASE_MS = 120_000
const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 3_600_000
const GIVE_UP_AFTER_MS = 4 * 86_400_000

/** How long to wait before the next try: doubling from 5 s to an hour. */
export function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS)
}

type WorkerOptions = Parameters<typeof startWorker>[0]

/** Effects of the outbox, run with leases: several processes may each have a worker. Letters have a lane of their own. */
export function startOutbox(options: Omit<WorkerOptions, 'lane'>): OutboxWorker {
  const lanes = [startWorker({ ...options, lane: 'rest' }), startWorker({ ...options, lane: 'letters' })]
  return {
    wake: () => lanes.forEach((lane) => lane.wake()),
    async drain() {
      // Work of one lane may bring work to the other: letters follow from the rest, never the other way.
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
  handlers,
  onDead,
  polling = true,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  lane: Lane
  handlers: Record<string, EffectHandler>
  /** Told of every effect that was given up; `refused` when trying again could not have helped. */
  onDead(effect: ClaimedEffect, refused: boolean): Promise<void>
  polling?: boolean
}): OutboxWorker {
  let stopped = false
  let running: Promise<boolean> | null = null

  async function runOne(effect: ClaimedEffect): Promise<boolean> {
    const handler = handlers[effect.kind]
    try {
      if (!handler) throw new PermanentFailure(`no handler for ${effect.kind}`)
      await handler(effect.payload, effect)
      return true
    } catch (error) {
      const now = clock.now()
      const reason = describe(error)
      const refused = error instanceof PermanentFailure
      if (refused || now - effect.createdAt > GIVE_UP_AFTER_MS) {
        await buryEffect(db, { id: effect.id, error: reason, now })
        log.error({ effect: effect.id, kind: effect.kind, attempts: effect.attempts, reason }, 'effect given up')
        await onDead(effect, refused)
      } else {
        await postponeEffect(db, { id: effect.id, dueAt: now + retryDelayMs(effect.attempts), error: reason })
        log.warn({ effect: effect.id, kind: effect.kind, attempts: effect.attempts, reason }, 'effect will be retried')
      }
      return false
    }
  }

  /** One batch; true when there may be more. */
  async function runBatch(): Promise<boolean> {
    const effects = await claimEffects(db, { lane, limit: BATCH, leaseMs: LEASE_MS, now: clock.now() })
    if (effects.length === 0) return false
    const succeeded = await Promise.all(effects.map(runOne))
    await markEffectsDone(
      db,
      effects.filter((_, index) => succeeded[index]).map((effect) => effect.id),
      clock.now(),
    )
    return true
  }

  async function runAll(): Promise<boolean> {
    let any = false
    try {
      while (!stopped && (await runBatch())) any = true
    } catch (error) {
      log.warn({ reason: describe(error) }, 'outbox could not be read')
    }
    return any
  }

  function turn(): Promise<boolean> {
    running ??= runAll().finally(() => {
      running = null
    })
    return running
  }

  const timer = polling ? setInterval(() => void turn(), POLL_MS) : null
  timer?.unref()
  return {
    wake: () => void turn(),
    async drain() {
      while ((await turn()) || (await turn())) {
        // until a whole turn finds nothing
      }
    },
    async stop() {
      if (timer) clearInterval(timer)
      const last = running
      stopped = true
      await last
    },
  }
}

function describe(error: unknown): string {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string }
  // Provider messages may repeat an address: keep the code and the first words only.
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
