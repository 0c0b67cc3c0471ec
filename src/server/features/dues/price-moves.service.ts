import { eachByItself } from '#server/platform/each-by-itself.ts'
import type { Kysely } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { PaymentGateway } from '#server/payments/payment-gateway.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Job } from '#server/platform/job-runner.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { dayOf } from '#contract/dates.ts'
import { raiseContentVersion } from '../association/content.repository.ts'
import { findLevel, listLevels, type Level } from '../membership/level.repository.ts'
import { hasRights, membershipStatus } from '../membership/membership.rules.ts'
import type { SubscriptionService } from '../membership/subscription.service.ts'
import {
  findHolder,
  findPriceChange,
  forgetMove,
  insertMove,
  isWaitingToMove,
  listPriceChanges,
  listUnmoved,
  setLevelAmount,
  settleMove,
  settlePlanned,
  type LevelHolder,
  type PriceChangeRecord,
} from './dues.repository.ts'
import { movesAtNextRenewal, movingChange } from './dues.rules.ts'
import type { LevelPrices } from './level-prices.ts'

export interface PriceMoves {
  /** Puts a planned price in force, in a transaction; false when somebody else did, or it was taken back. */
  begin(tx: Tx, change: PriceChangeRecord, actor: string): Promise<boolean>
  /** Queues every subscription of a level that is to be charged the new price from its next renewal on. */
  queue(level: Level): Promise<void>
  /** Begins prices whose day has come, and finds members whom a change is still to reach. */
  job: Job
  effects: Record<string, (payload: Record<string, unknown>, effect: { attempts: number }) => Promise<void>>
}

const EVERY_MS = 60_000
/** So many are queued in one transaction: others are not kept from the tables for long. */
const BATCH = 200

/** How members come to another price at the provider (decision record 19). */
export function createPriceMoves({
  db,
  clock,
  gateway,
  levelPrices,
  subscriptions,
  timeZone,
  graceMs,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  levelPrices: LevelPrices
  subscriptions: SubscriptionService
  timeZone: string
  graceMs(): number
  wakeOutbox(): void
}): PriceMoves {
  async function ruling(on: Db, level: Level) {
    const changes = (await listPriceChanges(on, level.key)).flatMap((change) =>
      change.state === 'withdrawn' ? [] : [{ ...change, state: change.state }],
    )
    return movingChange(changes, level, clock.now())
  }

  function isDue(holder: LevelHolder, change: PriceChangeRecord, begunBefore: number | null): boolean {
    const now = clock.now()
    if (begunBefore !== null && holder.startedAt >= begunBefore) return false
    return hasRights(membershipStatus(holder, now, graceMs())) && movesAtNextRenewal(holder, change, now)
  }

  async function begin(tx: Tx, change: PriceChangeRecord, actor: string): Promise<boolean> {
    const now = clock.now()
    if (!(await settlePlanned(tx, change.id, { state: 'begun', now }))) return false
    const { levelKey, amountAfter, scope, startsAt } = change
    const before = await findLevel(tx, levelKey)
    await setLevelAmount(tx, levelKey, amountAfter)
    await raiseContentVersion(tx)
    const details = {
      before: { amount: before?.unitAmount ?? change.amountBefore },
      after: { amount: amountAfter, scope, startsOn: dayOf(startsAt, timeZone) },
    }
    await writeAudit(tx, { actor, action: 'dues.price_changed', subjectId: levelKey, details }, now)
    // Made now and not by the first who pays: what the provider would refuse is known at once.
    await addToOutbox(tx, { kind: 'payment.ensure_price', payload: { levelKey } }, now)
    return true
  }

  async function queue(level: Level): Promise<void> {
    const rule = await ruling(db, level)
    if (!rule) return
    const { change, begunBefore } = rule
    const due = (await listUnmoved(db, change)).flatMap((holder) =>
      holder.subscriptionId !== null && isDue(holder, change, begunBefore) ? [holder.subscriptionId] : [],
    )
    for (let i = 0; i < due.length; i += BATCH) {
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        for (const subscriptionId of due.slice(i, i + BATCH)) {
          const payload = { changeId: change.id, subscriptionId }
          if (await insertMove(tx, payload, now)) await addToOutbox(tx, { kind: 'payment.move_price', payload }, now)
        }
      })
    }
    if (due.length > 0) wakeOutbox()
  }

  async function move(changeId: string, subscriptionId: string, attempts: number): Promise<void> {
    if (!(await isWaitingToMove(db, changeId, subscriptionId))) return
    const which = { changeId, subscriptionId }
    const change = await findPriceChange(db, changeId)
    const holder = await findHolder(db, subscriptionId)
    const level = change && (await findLevel(db, change.levelKey))
    const rule = level && (await ruling(db, level))
    if (!change || !level || holder?.levelKey !== level.key || rule?.change.id !== changeId) {
      return settleMove(db, which, { state: 'gone', now: clock.now() })
    }
    // Told of the renewal, or stopped, since it was queued.
    if (!isDue(holder, change, rule.begunBefore)) return forgetMove(db, which)
    const priceId = await levelPrices.priceOf(
      level.unitAmount === change.amountAfter
        ? level
        : { ...level, unitAmount: change.amountAfter, stripePriceId: null },
    )
    // It sets what shall be, so another try under another key does no harm; one key would repeat a failure for a day.
    const state = await gateway.moveToPrice(
      subscriptionId,
      priceId,
      `move-price:${changeId}:${subscriptionId}:${attempts}`,
    )
    await subscriptions.sync(subscriptionId)
    await settleMove(db, which, { state, now: clock.now() })
  }

  async function run(): Promise<void> {
    const due = (await listPriceChanges(db)).filter(
      ({ state, startsAt }) => state === 'planned' && startsAt <= clock.now(),
    )
    try {
      await eachByItself(
        due,
        ({ id }) => `price change ${id}`,
        (change) => db.transaction().execute((tx) => begin(tx, change, 'system')),
      )
    } finally {
      wakeOutbox()
    }
    await eachByItself(await listLevels(db), ({ key }) => `level ${key}`, queue)
  }

  return {
    begin,
    queue,
    job: { name: 'dues', everyMs: EVERY_MS, run },
    effects: {
      async 'payment.ensure_price'({ levelKey }) {
        const level = await findLevel(db, String(levelKey))
        if (level && level.unitAmount > 0) await levelPrices.priceOf(level)
      },
      'payment.move_price': ({ changeId, subscriptionId }, { attempts }) =>
        move(String(changeId), String(subscriptionId), attempts),
      async 'payment.rename_level'({ levelKey }) {
        const level = await findLevel(db, String(levelKey))
        if (level) await gateway.renameLevel(level.key, level.name)
      },
    },
  }
}
