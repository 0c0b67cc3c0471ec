import { couponLimits, type addCoupon, type ConsoleCoupon, type CouponList } from '#contract/console-coupons.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { PaymentProviderError, type PaymentGateway } from '#server/payments/payment-gateway.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { startOfDay } from '#server/platform/local-time.rules.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { findOpenCheckout } from '../membership/checkout.repository.ts'
import { listLevels, type Level } from '../membership/level.repository.ts'
import {
  endCoupon,
  findCoupon,
  insertCoupon,
  listCoupons,
  hasHeldPaidTerm,
  settleCoupon,
  type CountedCoupon,
} from './coupon.repository.ts'
import { couponState, offWords, priceAfter, readOff, takesCodes } from './coupon.rules.ts'
import { listNames } from './dues.repository.ts'

export interface CouponsService {
  list(): Promise<Omit<CouponList, 'mayChange'>>
  /** Written down at once, and made at the card provider a moment later. @throws Problem INVALID_INPUT */
  add(by: Officer, wanted: BodyOf<typeof addCoupon>): Promise<void>
  /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE when it is over already */
  end(by: Officer, id: string): Promise<void>
  /**
   * Whether a code is out that this person may use for a level: it is for a first paid term, also of somebody who comes back with another account, and
   * not for whoever gave one out.
   */
  takesCodes(levelKey: string, payer: { personId: string; email: string }): Promise<boolean>
  effects: Record<string, (payload: Record<string, unknown>) => Promise<void>>
}

export function createCouponsService({
  db,
  clock,
  gateway,
  timeZone,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  timeZone: string
  wakeOutbox(): void
}): CouponsService {
  /** Levels that a coupon can be for. */
  async function levelsOnSale(): Promise<Level[]> {
    return (await listLevels(db)).filter(({ isOnSale, unitAmount }) => isOnSale && unitAmount > 0)
  }

  /** What was typed, once it is sure that the card provider can take it. @throws Problem INVALID_INPUT */
  async function read({ kind, off: typed, levels: keys, validUntil }: BodyOf<typeof addCoupon>) {
    const levels = (await levelsOnSale()).filter(({ key }) => keys.includes(key))
    const [first] = levels
    if (!first || levels.length < new Set(keys).size) throw fieldProblem('levels', 'Please choose among these levels')
    const off = readOff(kind, typed, first.currency)
    if (!off) {
      throw fieldProblem(
        'off',
        kind === 'percent'
          ? 'Please enter whole percents from 1 to 100'
          : 'Please enter the amount in dollars, like 20 or 20.50',
      )
    }
    const tooSmall = levels.find(({ unitAmount }) => priceAfter(unitAmount, off) === null)
    if (tooSmall) {
      throw fieldProblem('off', `Of ${tooSmall.name} too little is left to be charged: leave 50 cents, or nothing`)
    }
    const today = dayOf(clock.now(), timeZone)
    if (validUntil !== undefined && validUntil < today) throw fieldProblem('validUntil', 'This day is over')
    if (validUntil !== undefined && validUntil > addDays(today, couponLimits.validDaysMax)) {
      throw fieldProblem('validUntil', 'Please choose a day within five years')
    }
    const end = validUntil === undefined ? null : startOfDay(addDays(validUntil, 1), timeZone)
    return { off, levelKeys: levels.map(({ key }) => key), validUntil: end }
  }

  async function make({ couponId }: Record<string, unknown>): Promise<void> {
    const coupon = await findCoupon(db, String(couponId))
    if (coupon?.state !== 'waiting') return
    const levels = (await listLevels(db)).filter(({ key }) => coupon.levelKeys.includes(key))
    try {
      const { id, code, off, validUntil, mostUses } = coupon
      const promotionId = await gateway.makeCoupon({ couponId: id, code, off, levels, validUntil, mostUses })
      const isOut = await settleCoupon(db, id, { state: 'active', promotionId })
      // Ended while it was being made.
      if (!isOut) await gateway.endCoupon(promotionId)
    } catch (error) {
      if (!(error instanceof PaymentProviderError) || error.outcome !== 'refused') throw error
      await settleCoupon(db, coupon.id, { state: 'refused' })
      const details = { code: coupon.code, reason: error.message }
      await writeAudit(db, { actor: 'stripe', action: 'coupon.refused', subjectId: coupon.id, details }, clock.now())
    }
  }

  return {
    async list() {
      const coupons = await listCoupons(db)
      const levels = await listLevels(db)
      const names = await listNames(
        db,
        coupons.map(({ createdBy }) => createdBy),
      )
      return {
        coupons: coupons.map((coupon) => shown(coupon, levels, names)),
        levels: (await levelsOnSale()).map(({ key, name, unitAmount, currency }) => ({
          key,
          name,
          unitAmount,
          currency,
        })),
      }
    },

    async add(by, wanted) {
      const now = clock.now()
      const { code, mostUses = null, note } = wanted
      const coupon = { id: newId(now), code, ...(await read(wanted)), mostUses, note }
      await db.transaction().execute(async (tx) => {
        if (!(await insertCoupon(tx, { ...coupon, createdBy: by.accountId, createdAt: now }))) {
          throw fieldProblem('code', 'This code was given out before. Please choose another.')
        }
        const { id, ...after } = coupon
        const details = { before: null, after }
        await writeAudit(tx, { actor: by.accountId, action: 'coupon.added', subjectId: id, details }, now)
        // Nobody types the own code on a page that was opened before: it is closed first.
        const checkout = await findOpenCheckout(tx, by.accountId)
        if (checkout?.stripeSessionId)
          await addToOutbox(tx, { kind: 'payment.expire_checkout', payload: { checkoutId: checkout.id } }, now)
        await addToOutbox(tx, { kind: 'payment.make_coupon', payload: { couponId: id } }, now)
      })
      wakeOutbox()
    },

    async end(by, id) {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const coupon = await findCoupon(tx, id)
        if (!coupon) throw new Problem('NOT_FOUND')
        if (!(await endCoupon(tx, id, now))) throw new Problem('CHANGED_MEANWHILE')
        const details = { before: { code: coupon.code, state: coupon.state }, after: { state: 'ended' } }
        await writeAudit(tx, { actor: by.accountId, action: 'coupon.ended', subjectId: id, details }, now)
        await addToOutbox(tx, { kind: 'payment.end_coupon', payload: { couponId: id } }, now)
      })
      wakeOutbox()
    },

    async takesCodes(levelKey, payer) {
      const coupons = await listCoupons(db)
      if (!takesCodes(coupons, { levelKey, personId: payer.personId }, clock.now())) return false
      return !(await hasHeldPaidTerm(db, payer))
    },

    effects: {
      'payment.make_coupon': make,
      async 'payment.end_coupon'({ couponId }) {
        const coupon = await findCoupon(db, String(couponId))
        if (coupon?.stripePromotionId) await gateway.endCoupon(coupon.stripePromotionId)
      },
    },
  }

  function shown(
    { id, code, off, levelKeys, validUntil, uses, mostUses, note, createdBy, createdAt, ...coupon }: CountedCoupon,
    levels: readonly Level[],
    names: ReadonlyMap<string, string>,
  ): ConsoleCoupon {
    const facts = { ...coupon, id, code, off, levelKeys, validUntil, uses, mostUses, note, createdBy, createdAt }
    return {
      id,
      code,
      off: offWords(off),
      levels: levelKeys.map((key) => levels.find((level) => level.key === key)?.name ?? key),
      // The instant is the first that is too late.
      validUntil: validUntil === null ? null : dayOf(validUntil - 1, timeZone),
      uses,
      mostUses,
      note,
      state: couponState(facts, clock.now()),
      createdBy: names.get(createdBy) ?? 'Somebody whose account is gone',
      createdAt: new Date(createdAt).toISOString(),
    }
  }
}
