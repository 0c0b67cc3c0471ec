import type { AppContext } from '#server/app-context.ts'
import { couponLimits, type addCoupon, type ConsoleCoupon, type CouponList } from '#contract/console/coupons.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findOpenCheckout } from '#server/features/memberships/checkout/checkout.commands.ts'
import { listLevels, type Level } from '#server/features/levels/level.queries.ts'
import {
  endCoupon,
  findCoupon,
  insertCoupon,
  listCoupons,
  hasHadPaidTerm,
  setCouponResult,
  type CountedCoupon,
} from './coupon.repository.ts'
import { couponState, formatDiscount, discountedPrice, parseDiscount, acceptsCodes } from './coupon.rules.ts'
import { listAccountNames } from './dues.repository.ts'
import { expireCheckout } from '#server/features/memberships/membership.effects.ts'
import { deactivateCoupon, makeCoupon } from './dues.effects.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'

export function createCouponsService({ db, clock, gateway, timeZone, wakeOutbox }: AppContext) {
  /** The levels that a coupon can be valid for. */
  async function levelsOnSale(): Promise<Level[]> {
    return (await listLevels(db)).filter(({ isOnSale, unitAmount }) => isOnSale && unitAmount > 0)
  }

  /** Validates the input, including what the card provider can charge. @throws Problem INVALID_INPUT */
  async function validate({ kind, off: typed, levels: keys, validUntil }: BodyOf<typeof addCoupon>) {
    const levels = (await levelsOnSale()).filter(({ key }) => keys.includes(key))
    const [first] = levels
    if (!first || levels.length < new Set(keys).size)
      throw fieldProblem('levels', 'Please choose from the levels listed')
    const off = parseDiscount(kind, typed, first.currency)
    if (!off) {
      throw fieldProblem(
        'off',
        kind === 'percent'
          ? 'Please enter a whole percentage from 1 to 100'
          : 'Please enter the amount, like 20 or 20.50',
      )
    }
    const tooSmall = levels.find(({ unitAmount }) => discountedPrice(unitAmount, off) === null)
    if (tooSmall) {
      throw fieldProblem(
        'off',
        `The discounted price of ${tooSmall.name} is too low to charge: leave at least 50 cents, or make it free`,
      )
    }
    const today = dayOf(clock.now(), timeZone)
    if (validUntil !== undefined && validUntil < today) throw fieldProblem('validUntil', 'This date has passed')
    if (validUntil !== undefined && validUntil > addDays(today, couponLimits.validDaysMax)) {
      throw fieldProblem('validUntil', 'Please choose a day within five years')
    }
    const end = validUntil === undefined ? null : startOfDay(addDays(validUntil, 1), timeZone)
    return { off, levelKeys: levels.map(({ key }) => key), validUntil: end }
  }

  async function createAtProvider({ couponId }: { couponId: string }): Promise<void> {
    const coupon = await findCoupon(db, couponId)
    if (coupon?.state !== 'waiting') return
    const levels = (await listLevels(db)).filter(({ key }) => coupon.levelKeys.includes(key))
    try {
      const { id, code, off, validUntil, mostUses } = coupon
      const promotionId = await gateway.createCoupon({ couponId: id, code, off, levels, validUntil, mostUses })
      const isActive = await setCouponResult(db, id, { state: 'active', promotionId })
      // Ended while it was being created.
      if (!isActive) await gateway.deactivateCoupon(promotionId)
    } catch (error) {
      if (!(error instanceof PaymentProviderError) || error.outcome !== 'refused') throw error
      await setCouponResult(db, coupon.id, { state: 'refused' })
      const details = { code: coupon.code, reason: error.message }
      await writeAudit(db, { actor: 'stripe', action: 'coupon.refused', subjectId: coupon.id, details }, clock.now())
    }
  }

  return {
    async list(): Promise<Omit<CouponList, 'mayChange'>> {
      const coupons = await listCoupons(db)
      const levels = await listLevels(db)
      const names = await listAccountNames(
        db,
        coupons.map(({ createdBy }) => createdBy),
      )
      return {
        coupons: coupons.map((coupon) => toConsoleCoupon(coupon, levels, names)),
        levels: (await levelsOnSale()).map(({ key, name, unitAmount, currency }) => ({
          key,
          name,
          unitAmount,
          currency,
        })),
      }
    },

    /** Stores the coupon and queues its creation at the card provider. @throws Problem INVALID_INPUT */
    async add(by: Officer, wanted: BodyOf<typeof addCoupon>): Promise<void> {
      const now = clock.now()
      const { code, mostUses = null, note } = wanted
      const coupon = { id: newId(now), code, ...(await validate(wanted)), mostUses, note }
      await db.transaction().execute(async (tx) => {
        if (!(await insertCoupon(tx, { ...coupon, createdBy: by.accountId, createdAt: now }))) {
          throw fieldProblem('code', 'This code already exists. Please choose another.')
        }
        const { id, ...after } = coupon
        const details = { before: null, after }
        await writeAudit(tx, { actor: by.accountId, action: 'coupon.added', subjectId: id, details }, now)
        // Officers must not use their own code on a page that they opened earlier, so that page is expired first.
        const checkout = await findOpenCheckout(tx, by.accountId)
        if (checkout?.stripeSessionId)
          await addToOutbox(tx, { effect: expireCheckout, payload: { checkoutId: checkout.id } }, now)
        await addToOutbox(tx, { effect: makeCoupon, payload: { couponId: id } }, now)
      })
      wakeOutbox()
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE if it has already ended */
    async end(by: Officer, id: string): Promise<void> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const coupon = await findCoupon(tx, id)
        if (!coupon) throw new Problem('NOT_FOUND')
        if (!(await endCoupon(tx, id, now))) throw new Problem('CHANGED_MEANWHILE')
        const details = { before: { code: coupon.code, state: coupon.state }, after: { state: 'ended' } }
        await writeAudit(tx, { actor: by.accountId, action: 'coupon.ended', subjectId: id, details }, now)
        await addToOutbox(tx, { effect: deactivateCoupon, payload: { couponId: id } }, now)
      })
      wakeOutbox()
    },

    /**
     * Whether this person may use a code for a level. Codes are only for a first paid term, counting other accounts with the same address, and not for
     * the officer who created one.
     */
    async acceptsCodes(levelKey: string, payer: { personId: string; email: string }): Promise<boolean> {
      const coupons = await listCoupons(db)
      if (!acceptsCodes(coupons, { levelKey, personId: payer.personId }, clock.now())) return false
      return !(await hasHadPaidTerm(db, payer))
    },

    effects: {
      'payment.make_coupon': createAtProvider,
      async 'payment.end_coupon'({ couponId }) {
        const coupon = await findCoupon(db, couponId)
        if (coupon?.stripePromotionId) await gateway.deactivateCoupon(coupon.stripePromotionId)
      },
    } satisfies HandlersOf<typeof makeCoupon | typeof deactivateCoupon>,
  }

  function toConsoleCoupon(
    { id, code, off, levelKeys, validUntil, uses, mostUses, note, createdBy, createdAt, ...coupon }: CountedCoupon,
    levels: readonly Level[],
    names: ReadonlyMap<string, string>,
  ): ConsoleCoupon {
    const counted = { ...coupon, id, code, off, levelKeys, validUntil, uses, mostUses, note, createdBy, createdAt }
    return {
      id,
      code,
      off: formatDiscount(off),
      levels: levelKeys.map((key) => levels.find((level) => level.key === key)?.name ?? key),
      // `validUntil` is exclusive.
      validUntil: validUntil === null ? null : dayOf(validUntil - 1, timeZone),
      uses,
      mostUses,
      note,
      state: couponState(counted, clock.now()),
      createdBy: names.get(createdBy) ?? 'Deleted account',
      createdAt: new Date(createdAt).toISOString(),
    }
  }
}

export type CouponsService = ReturnType<typeof createCouponsService>
