import { orderQueries } from '#server/features/orders/order.commands.ts'
import { toCheckout } from './checkout.queries.ts'

export const {
  find: findCheckout,
  /** Takes the person's id. */
  findOpen: findOpenCheckout,
  findBySession: findCheckoutBySession,
  listPending: listIncompleteCheckouts,
  lease: leaseCreation,
  release: releaseCreation,
  markOpen,
  close: closeCheckout,
  markChecked: touchCheckout,
} = orderQueries('checkout', toCheckout)
