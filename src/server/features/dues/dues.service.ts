import { formatMoney } from '#contract/money.ts'
import type { AppContext } from '#server/app-context.ts'
import { createHash } from 'node:crypto'
import {
  duesLimits,
  type changePrice,
  type DuesLevel,
  type LevelWithChanges,
  type previewPrice,
  type PriceChange,
  type PriceEffect,
  type saveLevel,
} from '#contract/console/dues.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Db } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { lockContent, incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { findLevel, listLevels, toPublicLevel, type Level } from '#server/features/levels/level.queries.ts'
import { hasRights, membershipStatus } from '#server/features/memberships/membership.rules.ts'
import {
  countHolders,
  countMoves,
  countOpenCheckouts,
  findPriceChange,
  insertPriceChange,
  listLevelMembers,
  listAccountNames,
  listPriceChanges,
  setLevelOrder,
  closePlannedChange,
  updateLevelDetails,
  type LevelMember,
  type MoveCounts,
  type PriceChangeRecord,
} from './dues.repository.ts'
import { chargedAmounts, priceChangeEffect, renewalKind } from './dues.rules.ts'
import type { PriceMoves } from './price-moves.service.ts'
import { renameLevel } from './dues.effects.ts'

type Wanted = BodyOf<typeof previewPrice>

const NO_MOVES: MoveCounts = { waiting: 0, moved: 0, gone: 0 }

export function createDuesService(
  { db, clock, timeZone, graceMs, wakeOutbox, cache }: AppContext,
  {
    moves,
  }: {
    moves: PriceMoves
  },
) {
  const withRights = (holders: readonly LevelMember[]) =>
    holders.filter((member) => hasRights(membershipStatus(member, clock.now(), graceMs())))

  async function requireLevel(on: Db, key: string): Promise<Level> {
    const level = await findLevel(on, key)
    if (!level) throw new Problem('NOT_FOUND')
    return level
  }

  async function findPlannedChange(on: Db, key: string): Promise<PriceChangeRecord | null> {
    return (await listPriceChanges(on, key)).find(({ state }) => state === 'planned') ?? null
  }

  /** @throws Problem CHANGED_MEANWHILE */
  async function requireUnchanged(on: Db, key: string, version: string): Promise<Level> {
    const level = await requireLevel(on, key)
    if (levelVersion(level, await findPlannedChange(on, key)) !== version) throw new Problem('CHANGED_MEANWHILE')
    return level
  }

  /** Validates a price change. @throws Problem INVALID_INPUT, PRICE_CHANGE_PLANNED */
  async function plan(on: Db, level: Level, { amount, scope, startsOn }: Wanted) {
    if (await findPlannedChange(on, level.key)) throw new Problem('PRICE_CHANGE_PLANNED')
    const today = dayOf(clock.now(), timeZone)
    const day = startsOn ?? today
    if (level.unitAmount === 0) {
      throw fieldProblem(
        'amount',
        'This level is free, so its members have no card on file. Put another level on sale instead.',
      )
    }
    if (amount < duesLimits.smallestAmount)
      throw fieldProblem('amount', `Please enter at least ${formatMoney(duesLimits.smallestAmount, level.currency)}`)
    if (day < today) throw fieldProblem('startsOn', 'This date has passed. Leave it empty to start immediately.')
    if (day > addDays(today, duesLimits.plannedDaysMax)) {
      throw fieldProblem('startsOn', 'Please choose a day within two years')
    }
    const holders = withRights(await listLevelMembers(on, level.key))
    const hasOtherPrices = holders.some(
      (member) => renewalKind(member) === 'card' && (member.renewalAmount ?? level.unitAmount) !== amount,
    )
    if (amount === level.unitAmount && !(scope === 'everybody' && hasOtherPrices)) {
      throw fieldProblem('amount', 'This is already the price of the level')
    }
    const isToday = day === today
    const startsAt = isToday ? clock.now() : startOfDay(day, timeZone)
    // A one-time level has no renewals.
    const price = { amountAfter: amount, scope: level.isRecurring ? scope : ('joining' as const), startsAt }
    return { price, startsOn: day, isToday, holders }
  }

  async function toPriceChanges(changes: readonly PriceChangeRecord[]): Promise<Map<string, PriceChange>> {
    const counts = await countMoves(db)
    const names = await listAccountNames(
      db,
      changes.map(({ askedBy }) => askedBy),
    )
    return new Map(
      changes.map(({ levelKey: _level, startsAt, askedBy, askedAt, currency: _currency, ...change }) => [
        change.id,
        {
          ...change,
          startsOn: dayOf(startsAt, timeZone),
          askedBy: names.get(askedBy) ?? 'Deleted account',
          askedAt: new Date(askedAt).toISOString(),
          moves: counts.get(change.id) ?? NO_MOVES,
        },
      ]),
    )
  }

  async function describe(levels: readonly Level[], changes: readonly PriceChangeRecord[]) {
    const changesById = await toPriceChanges(changes)
    const moment = { now: clock.now(), graceMs: graceMs() }
    const holders = Map.groupBy(
      await countHolders(db, moment, levels.length === 1 ? levels[0]?.key : undefined),
      ({ levelKey }) => levelKey,
    )
    return levels.map((level): DuesLevel => {
      const held = holders.get(level.key) ?? []
      const planned = changes.find(({ levelKey, state }) => levelKey === level.key && state === 'planned') ?? null
      const { _id, ...fields } = toPublicLevel(level)
      return {
        ...fields,
        isOnSale: level.isOnSale,
        holders: held.reduce((sum, { count }) => sum + count, 0),
        charged: chargedAmounts(level, held),
        planned: planned && (changesById.get(planned.id) ?? null),
        version: levelVersion(level, planned),
      }
    })
  }

  return {
    list: async (): Promise<DuesLevel[]> => describe(await listLevels(db), await listPriceChanges(db)),

    /** @throws Problem NOT_FOUND, as does every method that takes a level */
    async read(key: string): Promise<Omit<LevelWithChanges, 'mayChange'>> {
      const found = await requireLevel(db, key)
      const changes = await listPriceChanges(db, key)
      const [level] = await describe([found], changes)
      if (!level) throw new Problem('NOT_FOUND')
      const changesById = await toPriceChanges(changes)
      return { level, changes: changes.toReversed().flatMap(({ id }) => changesById.get(id) ?? []) }
    },

    /** Previews the effect of another price with the rules that `changePrice` uses. @throws Problem INVALID_INPUT, PRICE_CHANGE_PLANNED */
    async preview(key: string, wanted: Wanted): Promise<PriceEffect> {
      const level = await requireLevel(db, key)
      const { price, startsOn, isToday, holders } = await plan(db, level, wanted)
      return {
        ...priceChangeEffect(level, holders, { price, now: clock.now() }),
        startsOn,
        isToday,
        openCheckouts: await countOpenCheckouts(db, key, clock.now()),
        version: levelVersion(level, null),
      }
    },

    /** Changes the price immediately or from a given day. @throws Problem CHANGED_MEANWHILE, INVALID_INPUT, PRICE_CHANGE_PLANNED */
    async changePrice(by: Officer, key: string, { version, ...wanted }: BodyOf<typeof changePrice>): Promise<void> {
      const now = clock.now()
      const level = await db.transaction().execute(async (tx) => {
        await lockContent(tx)
        const before = await requireUnchanged(tx, key, version)
        const { price, startsOn, isToday } = await plan(tx, before, wanted)
        const change: PriceChangeRecord = {
          id: newId(now),
          levelKey: key,
          amountBefore: before.unitAmount,
          currency: before.currency,
          ...price,
          state: 'planned',
          askedBy: by.accountId,
          askedAt: now,
        }
        if (!(await insertPriceChange(tx, change))) throw new Problem('PRICE_CHANGE_PLANNED')
        if (isToday) await moves.apply(tx, change, by.accountId)
        else {
          const after = { amount: price.amountAfter, scope: price.scope, startsOn }
          const details = { before: { amount: before.unitAmount }, after }
          await writeAudit(tx, { actor: by.accountId, action: 'dues.price_planned', subjectId: key, details }, now)
        }
        return requireLevel(tx, key)
      })
      await cache.refresh()
      await moves.queue(level)
      wakeOutbox()
    },

    /** @throws Problem CHANGED_MEANWHILE if it has started, PRICE_CHANGE_BEGUN if members were already moved to it */
    async withdraw(by: Officer, key: string, changeId: string): Promise<void> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await lockContent(tx)
        const change = await findPriceChange(tx, changeId)
        if (change?.levelKey !== key) throw new Problem('NOT_FOUND')
        const counts = (await countMoves(tx)).get(changeId) ?? NO_MOVES
        if (counts.waiting + counts.moved > 0) throw new Problem('PRICE_CHANGE_BEGUN')
        if (!(await closePlannedChange(tx, changeId, { state: 'withdrawn', now })))
          throw new Problem('CHANGED_MEANWHILE')
        const before = { amount: change.amountAfter, scope: change.scope, startsOn: dayOf(change.startsAt, timeZone) }
        const details = { before, after: null }
        await writeAudit(tx, { actor: by.accountId, action: 'dues.price_withdrawn', subjectId: key, details }, now)
      })
    },

    /** @throws Problem CHANGED_MEANWHILE, LAST_LEVEL */
    async save(by: Officer, key: string, { version, ...wanted }: BodyOf<typeof saveLevel>): Promise<void> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await lockContent(tx)
        const { name, description, isOnSale } = await requireUnchanged(tx, key, version)
        if (isOnSale && !wanted.isOnSale) {
          const others = (await listLevels(tx)).filter((level) => level.isOnSale && level.key !== key)
          if (others.length === 0) throw new Problem('LAST_LEVEL')
        }
        await updateLevelDetails(tx, key, wanted)
        await incrementContentVersion(tx)
        const details = { before: { name, description, isOnSale }, after: wanted }
        await writeAudit(tx, { actor: by.accountId, action: 'dues.level_changed', subjectId: key, details }, now)
        if (name !== wanted.name) await addToOutbox(tx, { effect: renameLevel, payload: { levelKey: key } }, now)
      })
      await cache.refresh()
      wakeOutbox()
    },

    /** @throws Problem CHANGED_MEANWHILE if `keys` does not list exactly the existing levels */
    async reorder(by: Officer, keys: readonly string[]): Promise<void> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await lockContent(tx)
        const before = (await listLevels(tx)).map(({ key }) => key)
        if (before.toSorted().join(' ') !== keys.toSorted().join(' ')) throw new Problem('CHANGED_MEANWHILE')
        await setLevelOrder(tx, keys)
        await incrementContentVersion(tx)
        const details = { before, after: keys }
        await writeAudit(tx, { actor: by.accountId, action: 'dues.order_changed', subjectId: 'levels', details }, now)
      })
      await cache.refresh()
    },
  }
}

export type DuesService = ReturnType<typeof createDuesService>

/** Changes whenever anything changes that a treasurer's decision may rest on. */
function levelVersion({ name, description, unitAmount, isOnSale }: Level, planned: PriceChangeRecord | null): string {
  const fields = JSON.stringify([name, description, unitAmount, isOnSale, planned?.id ?? null])
  return createHash('sha256').update(fields).digest('hex').slice(0, 16)
}
