import type { AppContext } from '#server/app-context.ts'
import { createOrderCompletion } from './order-completion.service.ts'
import { createOrderRegistry, type OrderKind } from './order-kind.registry.ts'
import { createOrderPages } from './order-page.service.ts'
import { createPaymentSync } from './order-payments.service.ts'
import { createOrderRefunds } from './payments/order-refunds.service.ts'

/**
 * Everything that is paid on the provider's page. An order is `creating`, then `open`; it ends `paid` (or `refunded` at once), `expired` or `failed`. Its kind
 * says what is bought.
 */
export function createOrders(ctx: AppContext, kinds: readonly OrderKind[]) {
  const { db } = ctx
  const registry = createOrderRegistry(kinds)
  const completion = createOrderCompletion(ctx, registry)
  const payments = createPaymentSync(ctx, registry)
  return {
    ...completion,
    ...createOrderPages(ctx, completion),
    payments,
    refunds: createOrderRefunds(ctx, { kinds, payments }),

    find: (id: string) => registry.find(db, id),
    /** Payment intents with an open dispute, as of the last sync with the provider. */
    listDisputed: () => registry.listDisputed(db),
    /** Orders that were last checked before `before`, with how to check them. */
    async listPending(before: number, limit: number) {
      const found = await Promise.all(
        kinds.map(async (kind) =>
          (await kind.orders.listPending(db, before, limit)).map((order) => ({
            kind: kind.name,
            id: order.id,
            check: () => completion.check(kind, order),
          })),
        ),
      )
      return found.flat()
    },
  }
}

export type Orders = ReturnType<typeof createOrders>
