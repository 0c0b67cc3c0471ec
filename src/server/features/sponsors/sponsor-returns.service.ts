import { createOrderReturns, type OrderReturns, type ReturnTools } from '../billing/order-returns.ts'
import { findSponsorshipByPayment, updateSponsorshipReturned } from './sponsorship.repository.ts'

/** What comes back of sponsorships: one that was given back whole promises nothing any more. */
export function createSponsorReturns(tools: ReturnTools): OrderReturns {
  return createOrderReturns(tools, {
    name: 'sponsorship',
    action: 'sponsorship.returned',
    find: findSponsorshipByPayment,
    update: updateSponsorshipReturned,
  })
}
