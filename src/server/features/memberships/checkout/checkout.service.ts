import { isChargedAutomatically } from '#contract/level-terms.ts'
import type { AppContext } from '#server/app-context.ts'
import type { Level } from '#server/features/levels/level.queries.ts'
import type { OrderKind } from '#server/features/orders/order-kind.registry.ts'
import type { OpenPage } from '#server/features/orders/order-page.service.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import type { CreditedPrice } from '../membership-price.service.ts'
import { reserveCredit } from '../payments/payment-credit.repository.ts'
import { findCheckout } from './checkout.commands.ts'
import type { Checkout } from './checkout.queries.ts'
import { reserveCheckout } from './checkout.repository.ts'

/** An account, or a verified registration that will become one. */
export interface Payer {
  personId: string
  email: string
}

export function createCheckoutService(
  { db, clock }: AppContext,
  {
    orders,
    kind,
    takesCodes: acceptsCoupons,
  }: {
    orders: Orders
    kind: OrderKind<Checkout>
    /** Whether an active coupon code applies to this person and level. */
    takesCodes(levelKey: string, payer: Payer): Promise<boolean>
  },
) {
  return {
    /**
     * Returns the page where a person pays for a level. Each person has at most one open checkout: repeated calls return it, another level replaces it.
     * `paid` when the open checkout turns out to be paid already.
     * @throws Problem CHECKOUT_FAILED when the provider cannot be reached; a retry resumes where this call stopped
     */
    async open(payer: Payer, level: Level, { creditFrom, ...quoted }: CreditedPrice): Promise<OpenPage | 'paid'> {
      // Coupon codes apply to a first term, not to a manual renewal: a single payment for what is otherwise charged automatically.
      const isRenewal = isChargedAutomatically(level) && quoted.mode === 'payment'
      const allowsCodes = !isRenewal && (await acceptsCoupons(level.key, payer))
      const { personId } = payer
      const { amount, credit, mode } = quoted
      const wanted = { personId, levelKey: level.key, amount, credit, currency: level.currency, mode, allowsCodes }

      async function reserve(): Promise<Checkout | null> {
        const draft = orders.draft(kind)
        const isReserved = await db.transaction().execute(async (tx) => {
          if (!(await reserveCheckout(tx, { ...wanted, ...draft }))) return false
          await reserveCredit(tx, draft.id, creditFrom, clock.now())
          return true
        })
        return isReserved ? findCheckout(db, draft.id) : null
      }

      const fits = (checkout: Checkout) =>
        checkout.levelKey === wanted.levelKey &&
        checkout.amount === wanted.amount &&
        checkout.mode === wanted.mode &&
        checkout.currency === wanted.currency &&
        checkout.allowsCodes === wanted.allowsCodes
      return orders.open(kind, { openKey: personId, reserve, fits })
    },
  }
}

export type CheckoutService = ReturnType<typeof createCheckoutService>
