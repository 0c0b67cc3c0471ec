import type { Kysely } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { Clock } from './clock.ts'
import { inGroups } from './in-groups.ts'
import { keepTrying, OVER_A_FAILOVER_MS } from './keep-trying.ts'
import type { Log } from './logger.ts'
import {
  buryEffect,
  claimEffects,
  markEffectsDone,
  postponeEffect,
  renewLeases,
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
const RENEW_EVERY_MS = LEASE_MS / 4
/** A letter whose end is not noted yet goes out again after a crash; a note for each alone would halve how many go out. */
const NOTE_WITHIN_MS = 20
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
  pausesMs = OVER_A_FAILOVER_MS,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  lane: Lane
  handlers: Record<string, EffectHandler>
  /** Told of every effect that is given up, in the transaction that does so; `refused` when trying again could not have helped. */
  onDead(effect: ClaimedEffect, refused: boolean, tx: Tx): Promise<void>
  polling?: boolean
  /** Between two tries to note what became of an effect. */
  pausesMs?: readonly number[]
}): OutboxWorker {
  let stopped = false
  let running: Promise<boolean> | null = null

  /** One batch; true when there may be more. What became of each is noted as it ends, whatever becomes of the others. */
  async function runBatch(): Promise<boolean> {
    const effects = await claimEffects(db, { lane, limit: BATCH, leaseMs: LEASE_MS, now: clock.now() })
    if (effects.length === 0) return false
    const unnoted = new Set(effects.map(({ id }) => id))
    const renewal = setInterval(() => void renew([...unnoted]), RENEW_EVERY_MS)
    const done = inGroups<string>(NOTE_WITHIN_MS, (ids) =>
      keepTrying(() => markEffectsDone(db, ids, clock.now()), pausesMs),
    )
    let underWay = effects.length
    await Promise.all(
      effects.map(async (effect) => {
        const failure = await run(effect)
        const noted = failure ? keepTrying(() => noteFailure(effect, failure.error), pausesMs) : done.add(effect.id)
        if (--underWay === 0) done.flush()
        await noted.catch((error: unknown) => {
          log.error({ effect: effect.id, kind: effect.kind, reason: describe(error) }, 'end of an effect not noted')
        })
        unnoted.delete(effect.id)
      }),
    )
    clearInterval(renewal)
    return true
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

  async function noteFailure(effect: ClaimedEffect, error: unknown): Promise<void> {
    const { id, kind, attempts } = effect
    const now = clock.now()
    const reason = describe(error)
    const refused = error instanceof PermanentFailure
    if (refused || now - effect.createdAt > GIVE_UP_AFTER_MS) {
      await db.transaction().execute(async (tx) => {
        await buryEffect(tx, { id, error: reason, now })
        await onDead(effect, refused, tx)
      })
      log.error({ effect: id, kind, attempts, reason }, 'effect given up')
    } else {
      await postponeEffect(db, { id, dueAt: now + retryDelayMs(attempts), error: reason })
      log.warn({ effect: id, kind, attempts, reason }, 'effect will be retried')
    }
  }

  /** A slow mail server may hold a batch for longer than its lease. */
  async function renew(ids: string[]): Promise<void> {
    await renewLeases(db, ids, clock.now() + LEASE_MS).catch((error: unknown) => {
      log.warn({ reason: describe(error) }, 'leases could not be renewed')
    })
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
