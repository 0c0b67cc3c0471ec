import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import {
  duesLimits,
  type changePrice,
  type DuesLevel,
  type LevelWithChanges,
  type previewPrice,
  type PriceChange,
  type PriceEffect,
  type saveLevel,
} from '#contract/console-dues.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { startOfDay } from '#server/platform/local-time.rules.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { holdContent, raiseContentVersion } from '../association/content.repository.ts'
import { findLevel, listLevels, toPublicLevel, type Level } from '../membership/level.repository.ts'
import { hasRights, membershipStatus } from '../membership/membership.rules.ts'
import {
  countMoves,
  countOpenCheckouts,
  findPriceChange,
  insertPriceChange,
  listAllHolders,
  listLevelHolders,
  listNames,
  listPriceChanges,
  placeLevels,
  settlePlanned,
  updateLevelWords,
  type LevelHolder,
  type MoveCounts,
  type PriceChangeRecord,
} from './dues.repository.ts'
import { chargedAmounts, effectOf, renewalOf } from './dues.rules.ts'
import type { PriceMoves } from './price-moves.ts'

type Wanted = BodyOf<typeof previewPrice>

export interface DuesService {
  list(): Promise<DuesLevel[]>
  /** @throws Problem NOT_FOUND, as does everything that names a level */
  read(key: string): Promise<Omit<LevelWithChanges, 'mayChange'>>
  /** What another price would mean, by the same rules as it is changed. @throws Problem INVALID_INPUT, PRICE_CHANGE_PLANNED */
  preview(key: string, wanted: Wanted): Promise<PriceEffect>
  /** At once, or from a day on. @throws Problem CHANGED_MEANWHILE, INVALID_INPUT, PRICE_CHANGE_PLANNED */
  changePrice(by: Officer, key: string, wanted: BodyOf<typeof changePrice>): Promise<void>
  /** @throws Problem CHANGED_MEANWHILE when its day has come, PRICE_CHANGE_BEGUN when members were moved to it */
  withdraw(by: Officer, key: string, changeId: string): Promise<void>
  /** @throws Problem CHANGED_MEANWHILE, LAST_LEVEL */
  save(by: Officer, key: string, wanted: BodyOf<typeof saveLevel>): Promise<void>
  /** @throws Problem CHANGED_MEANWHILE when these are not all levels there are */
  order(by: Officer, keys: readonly string[]): Promise<void>
}

const NO_MOVES: MoveCounts = { waiting: 0, moved: 0, gone: 0 }

export function createDuesService({
  db,
  clock,
  timeZone,
  graceMs,
  moves,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  graceMs(): number
  moves: PriceMoves
  wakeOutbox(): void
}): DuesService {
  const withRights = (holders: readonly LevelHolder[]) =>
    holders.filter((holder) => hasRights(membershipStatus(holder, clock.now(), graceMs())))

  async function require(on: Db, key: string): Promise<Level> {
    const level = await findLevel(on, key)
    if (!level) throw new Problem('NOT_FOUND')
    return level
  }

  async function plannedOf(on: Db, key: string): Promise<PriceChangeRecord | null> {
    return (await listPriceChanges(on, key)).find(({ state }) => state === 'planned') ?? null
  }

  /** @throws Problem CHANGED_MEANWHILE */
  async function requireAsSeen(on: Db, key: string, version: string): Promise<Level> {
    const level = await require(on, key)
    if (versionOf(level, await plannedOf(on, key)) !== version) throw new Problem('CHANGED_MEANWHILE')
    return level
  }

  /** What was asked for, once it is sure that it can be had. @throws Problem INVALID_INPUT, PRICE_CHANGE_PLANNED */
  async function plan(on: Db, level: Level, { amount, scope, startsOn }: Wanted) {
    if (await plannedOf(on, level.key)) throw new Problem('PRICE_CHANGE_PLANNED')
    const today = dayOf(clock.now(), timeZone)
    const day = startsOn ?? today
    if (level.unitAmount === 0) {
      throw fieldProblem('amount', 'This level is free, and its members gave no card. Sell another level instead.')
    }
    if (amount < duesLimits.smallestAmount) throw fieldProblem('amount', 'Please enter at least one dollar')
    if (day < today) throw fieldProblem('startsOn', 'This day is over. Leave it empty to begin at once.')
    if (day > addDays(today, duesLimits.plannedDaysMax)) {
      throw fieldProblem('startsOn', 'Please choose a day within two years')
    }
    const holders = withRights(await listLevelHolders(on, level.key))
    const payElse = holders.some(
      (holder) => renewalOf(holder) === 'card' && (holder.renewalAmount ?? level.unitAmount) !== amount,
    )
    if (amount === level.unitAmount && !(scope === 'everybody' && payElse)) {
      throw fieldProblem('amount', 'This is what the level costs already')
    }
    const isToday = day === today
    const startsAt = isToday ? clock.now() : startOfDay(day, timeZone)
    // A level that is paid once has nobody who renews.
    const price = { amountAfter: amount, scope: level.isRecurring ? scope : ('joining' as const), startsAt }
    return { price, startsOn: day, isToday, holders }
  }

  async function changesOf(changes: readonly PriceChangeRecord[]): Promise<Map<string, PriceChange>> {
    const counts = await countMoves(db)
    const names = await listNames(
      db,
      changes.map(({ askedBy }) => askedBy),
    )
    return new Map(
      changes.map(({ levelKey: _level, startsAt, askedBy, askedAt, currency: _currency, ...change }) => [
        change.id,
        {
          ...change,
          startsOn: dayOf(startsAt, timeZone),
          askedBy: names.get(askedBy) ?? 'Somebody whose account is gone',
          askedAt: new Date(askedAt).toISOString(),
          moves: counts.get(change.id) ?? NO_MOVES,
        },
      ]),
    )
  }

  async function describe(levels: readonly Level[], changes: readonly PriceChangeRecord[]) {
    const shown = await changesOf(changes)
    const holders = await (levels.length === 1 && levels[0]
      ? listLevelHolders(db, levels[0].key).then((found) => new Map([[levels[0]!.key, found]]))
      : listAllHolders(db))
    return levels.map((level): DuesLevel => {
      const held = withRights(holders.get(level.key) ?? [])
      const planned = changes.find(({ levelKey, state }) => levelKey === level.key && state === 'planned') ?? null
      const { _id, ...facts } = toPublicLevel(level)
      return {
        ...facts,
        isOnSale: level.isOnSale,
        holders: held.length,
        charged: chargedAmounts(level, held),
        planned: planned && (shown.get(planned.id) ?? null),
        version: versionOf(level, planned),
      }
    })
  }

  return {
    list: async () => describe(await listLevels(db), await listPriceChanges(db)),

    async read(key) {
      const found = await require(db, key)
      const changes = await listPriceChanges(db, key)
      const [level] = await describe([found], changes)
      if (!level) throw new Problem('NOT_FOUND')
      const shown = await changesOf(changes)
      return { level, changes: changes.toReversed().flatMap(({ id }) => shown.get(id) ?? []) }
    },

    async preview(key, wanted) {
      const level = await require(db, key)
      const { price, startsOn, isToday, holders } = await plan(db, level, wanted)
      return {
        ...effectOf(level, holders, { price, now: clock.now() }),
        startsOn,
        isToday,
        openCheckouts: await countOpenCheckouts(db, key, clock.now()),
        version: versionOf(level, null),
      }
    },

    async changePrice(by, key, { version, ...wanted }) {
      const now = clock.now()
      const level = await db.transaction().execute(async (tx) => {
        await holdContent(tx)
        const before = await requireAsSeen(tx, key, version)
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
        if (isToday) await moves.begin(tx, change, by.accountId)
        else {
          const after = { amount: price.amountAfter, scope: price.scope, startsOn }
          const details = { before: { amount: before.unitAmount }, after }
          await writeAudit(tx, { actor: by.accountId, action: 'dues.price_planned', subjectId: key, details }, now)
        }
        return require(tx, key)
      })
      await moves.queue(level)
      wakeOutbox()
    },

    async withdraw(by, key, changeId) {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await holdContent(tx)
        const change = await findPriceChange(tx, changeId)
        if (change?.levelKey !== key) throw new Problem('NOT_FOUND')
        const counts = (await countMoves(tx)).get(changeId) ?? NO_MOVES
        if (counts.waiting + counts.moved > 0) throw new Problem('PRICE_CHANGE_BEGUN')
        if (!(await settlePlanned(tx, changeId, { state: 'withdrawn', now }))) throw new Problem('CHANGED_MEANWHILE')
        const before = { amount: change.amountAfter, scope: change.scope, startsOn: dayOf(change.startsAt, timeZone) }
        const details = { before, after: null }
        await writeAudit(tx, { actor: by.accountId, action: 'dues.price_withdrawn', subjectId: key, details }, now)
      })
    },

    async save(by, key, { version, ...wanted }) {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await holdContent(tx)
        const { name, description, isOnSale } = await requireAsSeen(tx, key, version)
        if (isOnSale && !wanted.isOnSale) {
          const others = (await listLevels(tx)).filter((level) => level.isOnSale && level.key !== key)
          if (others.length === 0) throw new Problem('LAST_LEVEL')
        }
        await updateLevelWords(tx, key, wanted)
        await raiseContentVersion(tx)
        const details = { before: { name, description, isOnSale }, after: wanted }
        await writeAudit(tx, { actor: by.accountId, action: 'dues.level_changed', subjectId: key, details }, now)
        if (name !== wanted.name)
          await addToOutbox(tx, { kind: 'payment.rename_level', payload: { levelKey: key } }, now)
      })
      wakeOutbox()
    },

    async order(by, keys) {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        await holdContent(tx)
        const before = (await listLevels(tx)).map(({ key }) => key)
        if (before.toSorted().join(' ') !== keys.toSorted().join(' ')) throw new Problem('CHANGED_MEANWHILE')
        await placeLevels(tx, keys)
        await raiseContentVersion(tx)
        const details = { before, after: keys }
        await writeAudit(tx, { actor: by.accountId, action: 'dues.order_changed', subjectId: 'levels', details }, now)
      })
    },
  }
}

/** Changes whenever something about a level does that a treasurer's decision may rest on. */
function versionOf({ name, description, unitAmount, isOnSale }: Level, planned: PriceChangeRecord | null): string {
  const facts = JSON.stringify([name, description, unitAmount, isOnSale, planned?.id ?? null])
  return createHash('sha256').update(facts).digest('hex').slice(0, 16)
}
