import { orderCommands } from '#server/features/orders/order.commands.ts'
import { toCheckout } from './checkout.queries.ts'

export const checkouts = orderCommands('checkout', toCheckout, 'completed')

export const {
  find: findCheckout,
  /** Takes the person's id. */
  findOpen: findOpenCheckout,
  findBySession: findCheckoutBySession,
} = checkouts
