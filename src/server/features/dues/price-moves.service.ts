import type { AppContext } from '#server/app-context.ts'
import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { findLevel, listLevels, type Level } from '#server/features/levels/level.queries.ts'
import { hasRights, membershipStatus } from '#server/features/memberships/membership.rules.ts'
import type { SubscriptionService } from '#server/features/memberships/subscription.service.ts'
import {
  findMemberBySubscription,
  findPriceChange,
  deleteMove,
  insertMove,
  isWaitingToMove,
  listPriceChanges,
  listSubscriptionsToMove,
  setLevelAmount,
  completeMove,
  closePlannedChange,
  type LevelMember,
  type PriceChangeRecord,
} from './dues.repository.ts'
import { movesAtNextRenewal, currentPriceChange } from './dues.rules.ts'
import type { LevelPrices } from '#server/features/levels/set-level-price.service.ts'
import { ensurePrice, movePrice, type renameLevel } from './dues.effects.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'

const EVERY_MS = 60_000
/** Moves queued per transaction, so that the tables are not locked for long. */
const BATCH = 200

/** Moves subscriptions to another price at the provider (decision record 19). */
export function createPriceMoves(
  { db, clock, gateway, timeZone, graceMs, wakeOutbox, cache }: AppContext,
  {
    levelPrices,
    subscriptions,
  }: {
    levelPrices: LevelPrices
    subscriptions: SubscriptionService
  },
) {
  async function findMovingChange(on: Db, level: Level) {
    const changes = (await listPriceChanges(on, level.key)).flatMap((change) =>
      change.state === 'withdrawn' ? [] : [{ ...change, state: change.state }],
    )
    return currentPriceChange(changes, level, clock.now())
  }

  function isDue(member: LevelMember, change: PriceChangeRecord, begunBefore: number | null): boolean {
    const now = clock.now()
    if (begunBefore !== null && member.startedAt >= begunBefore) return false
    // An imported subscription keeps its price until officers change the price again.
    if (member.subscriptionImportedAt !== null && member.subscriptionImportedAt >= change.askedAt) return false
    return hasRights(membershipStatus(member, now, graceMs())) && movesAtNextRenewal(member, change, now)
  }

  async function begin(tx: Tx, change: PriceChangeRecord, actor: string): Promise<boolean> {
    const now = clock.now()
    if (!(await closePlannedChange(tx, change.id, { state: 'begun', now }))) return false
    const { levelKey, amountAfter, scope, startsAt } = change
    const before = await findLevel(tx, levelKey)
    await setLevelAmount(tx, levelKey, amountAfter)
    await incrementContentVersion(tx)
    const details = {
      before: { amount: before?.unitAmount ?? change.amountBefore },
      after: { amount: amountAfter, scope, startsOn: dayOf(startsAt, timeZone) },
    }
    await writeAudit(tx, { actor, action: 'dues.price_changed', subjectId: levelKey, details }, now)
    // Created now instead of at the first payment, so that a rejection by the provider is noticed immediately.
    await addToOutbox(tx, { effect: ensurePrice, payload: { levelKey } }, now)
    return true
  }

  /** Queues every subscription of a level that should pay the new price from its next renewal. */
  async function queue(level: Level): Promise<void> {
    const moving = await findMovingChange(db, level)
    if (!moving) return
    const { change, begunBefore } = moving
    const due = (await listSubscriptionsToMove(db, change)).flatMap((member) =>
      member.subscriptionId !== null && isDue(member, change, begunBefore) ? [member.subscriptionId] : [],
    )
    for (let i = 0; i < due.length; i += BATCH) {
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        for (const subscriptionId of due.slice(i, i + BATCH)) {
          const payload = { changeId: change.id, subscriptionId }
          if (await insertMove(tx, payload, now)) await addToOutbox(tx, { effect: movePrice, payload }, now)
        }
      })
    }
    if (due.length > 0) wakeOutbox()
  }

  async function move(changeId: string, subscriptionId: string, attempts: number): Promise<void> {
    if (!(await isWaitingToMove(db, changeId, subscriptionId))) return
    const moveKey = { changeId, subscriptionId }
    const change = await findPriceChange(db, changeId)
    const member = await findMemberBySubscription(db, subscriptionId)
    const level = change && (await findLevel(db, change.levelKey))
    const moving = level && (await findMovingChange(db, level))
    if (!change || !level || member?.levelKey !== level.key || moving?.change.id !== changeId) {
      return completeMove(db, moveKey, { state: 'gone', now: clock.now() })
    }
    // A reminder was sent, or the renewal stopped, since the move was queued.
    if (!isDue(member, change, moving.begunBefore)) return deleteMove(db, moveKey)
    const priceId = await levelPrices.ensurePriceId(
      level.unitAmount === change.amountAfter
        ? level
        : { ...level, unitAmount: change.amountAfter, stripePriceId: null },
    )
    // The call sets an absolute state, so a retry under another key is safe; a reused key would repeat a failure for a day.
    const state = await gateway.switchPrice(
      subscriptionId,
      priceId,
      `move-price:${changeId}:${subscriptionId}:${attempts}`,
    )
    await subscriptions.sync(subscriptionId)
    await completeMove(db, moveKey, { state, now: clock.now() })
  }

  async function run(): Promise<void> {
    const due = (await listPriceChanges(db)).filter(
      ({ state, startsAt }) => state === 'planned' && startsAt <= clock.now(),
    )
    try {
      await forEachCollectingErrors(
        due,
        ({ id }) => `price change ${id}`,
        (change) => db.transaction().execute((tx) => begin(tx, change, 'system')),
      )
    } finally {
      wakeOutbox()
      if (due.length > 0) await cache.refresh()
    }
    await forEachCollectingErrors(await listLevels(db), ({ key }) => `level ${key}`, queue)
  }

  return {
    /** Applies a planned price within a transaction. Returns false if another process did so first or the change was withdrawn. */
    apply: begin,
    queue,
    /** Applies prices on their first day and finds members who still have to be moved. */
    job: { name: 'dues', everyMs: EVERY_MS, run } satisfies Job,
    effects: {
      async 'payment.ensure_price'({ levelKey }) {
        const level = await findLevel(db, levelKey)
        if (level && level.unitAmount > 0) await levelPrices.ensurePriceId(level)
      },
      'payment.move_price': ({ changeId, subscriptionId }, { attempts }) => move(changeId, subscriptionId, attempts),
      async 'payment.rename_level'({ levelKey }) {
        const level = await findLevel(db, levelKey)
        if (level) await gateway.renameLevel(level.key, level.name)
      },
    } satisfies HandlersOf<typeof ensurePrice | typeof movePrice | typeof renameLevel>,
  }
}

export type PriceMoves = ReturnType<typeof createPriceMoves>
