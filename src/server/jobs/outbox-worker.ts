import type { Kysely } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import type { Clock } from './clock.ts'
import type { Lane } from './effect-priorities.ts'
import { createHolder, freeLeasesOfPredecessor, RENEW_EVERY_MS, type Holder } from './holder.ts'
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
} from './outbox.repository.ts'
import { createShares } from './shares.ts'

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
/** By priority, for each lane: effects of that priority and all less urgent ones that run at once. Some places always wait for urgent ones. */
const AT_ONCE = [16, 14, 12, 8] as const
const LEASE_MS = 120_000
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

/**
 * Effects of the outbox, run with leases: several processes may each have a worker. Letters have a lane of their own. What a process of the same instance held
 * when it was killed is taken over soon after the start.
 */
export function startOutbox(options: Omit<WorkerOptions, 'lane' | 'holder'> & { holder?: Holder }): OutboxWorker {
  const { db, log, polling = true, holder = createHolder() } = options
  const lanes = [
    startWorker({ ...options, holder, lane: 'rest' }),
    startWorker({ ...options, holder, lane: 'letters' }),
  ]
  const wake = () => lanes.forEach((lane) => lane.wake())
  if (polling) {
    freeLeasesOfPredecessor(db, holder).then(
      (freed) => {
        if (freed === 0) return
        log.warn({ freed }, 'effects of a process that was killed are taken over')
        wake()
      },
      (error: unknown) => log.warn({ reason: describe(error) }, 'leases of the process before could not be read'),
    )
  }
  return {
    wake,
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
  holder,
  handlers,
  onDead,
  polling = true,
  pausesMs = OVER_A_FAILOVER_MS,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  lane: Lane
  holder: Holder
  handlers: Record<string, EffectHandler>
  /** Told of every effect that is given up, in the transaction that does so; `refused` when trying again could not have helped. */
  onDead(effect: ClaimedEffect, refused: boolean, tx: Tx): Promise<void>
  polling?: boolean
  /** Between two tries to note what became of an effect. */
  pausesMs?: readonly number[]
}): OutboxWorker {
  let stopped = false
  const places = createShares(AT_ONCE)
  /** Effects in hand, each until what became of it is noted. */
  const inHand = new Map<string, Promise<void>>()
  /** Of these, how many are still worked on. */
  let underWay = 0
  let claiming: Promise<boolean> | null = null
  let isWanted = false
  let renewal: NodeJS.Timeout | undefined
  const done = inGroups<string>(NOTE_WITHIN_MS, (ids) =>
    keepTrying(() => markEffectsDone(db, ids, clock.now()), pausesMs),
  )

  /** Begins what is due and finds a place. True when there was any. */
  async function claimAll(): Promise<boolean> {
    let any = false
    try {
      while (isWanted && !stopped) {
        isWanted = false
        const effects = await claimEffects(db, {
          lane,
          places,
          leaseMs: LEASE_MS,
          holder: holder.id,
          inHand: [...inHand.keys()],
          now: clock.now(),
        })
        if (effects.length === 0) continue
        any = true
        isWanted = true
        for (const effect of effects) begin(effect)
      }
    } catch (error) {
      log.warn({ reason: describe(error) }, 'outbox could not be read')
    }
    return any
  }

  /** Another look may be asked for while one is under way: what it read may be older than what is asked for. */
  function look(): Promise<boolean> {
    isWanted = true
    claiming ??= claimAll().finally(() => {
      claiming = null
    })
    return claiming
  }

  function begin(effect: ClaimedEffect): void {
    underWay++
    renewal ??= setInterval(() => void renew([...inHand.keys()]), RENEW_EVERY_MS)
    inHand.set(
      effect.id,
      perform(effect).finally(() => {
        inHand.delete(effect.id)
        places.end(effect.priority)
        if (inHand.size > 0) return
        clearInterval(renewal)
        renewal = undefined
      }),
    )
  }

  /** What became of each is noted as it ends, whatever becomes of the others. Never rejects. */
  async function perform(effect: ClaimedEffect): Promise<void> {
    const failure = await run(effect)
    const noted = failure ? keepTrying(() => noteFailure(effect, failure.error), pausesMs) : done.add(effect.id)
    if (--underWay === 0) done.flush()
    await noted.catch((error: unknown) => {
      log.error({ effect: effect.id, kind: effect.kind, reason: describe(error) }, 'end of an effect not noted')
    })
    if (!stopped) setImmediate(() => void look())
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

  const timer = polling ? setInterval(() => void look(), POLL_MS) : null
  timer?.unref()
  return {
    wake: () => void look(),
    async drain() {
      // Until a look finds nothing while nothing is in hand.
      while ((await look()) || inHand.size > 0) await finishInHand()
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
