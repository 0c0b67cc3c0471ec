import { orderQueries } from '#server/features/orders/order.commands.ts'
import { toOrder } from './rsvp-order.queries.ts'

export const queries = orderQueries('rsvpOrder', toOrder)

export const {
  find: findRsvpOrder,
  findBySession: findRsvpOrderBySession,
  listPending: listPendingRsvpOrders,
  lease: leaseRsvpOrder,
  release: releaseRsvpOrder,
  markOpen: markRsvpOrderOpen,
  close: closeRsvpOrder,
  markChecked: markRsvpOrderChecked,
} = queries
