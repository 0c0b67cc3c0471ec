import { orderCommands } from '#server/features/orders/order.commands.ts'
import { toOrder } from './rsvp-order.queries.ts'

export const rsvpOrders = orderCommands('rsvpOrder', toOrder)
export const { find: findRsvpOrder } = rsvpOrders
