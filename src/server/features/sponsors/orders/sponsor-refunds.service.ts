import {
  createRefundSync,
  type RefundSync,
  type RefundSyncOptions,
} from '#server/features/orders/order-refund-sync.service.ts'
import { findSponsorshipByPayment, updateSponsorshipRefunds } from './sponsorship.repository.ts'

/** Refunds and disputes of sponsorships. A fully refunded one has no benefits. */
export function createSponsorRefundSync(tools: RefundSyncOptions): RefundSync {
  return createRefundSync(tools, {
    name: 'sponsorship',
    action: 'sponsorship.returned',
    find: findSponsorshipByPayment,
    update: updateSponsorshipRefunds,
  })
}
