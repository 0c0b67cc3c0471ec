import type { RefundSyncService } from '#server/features/memberships/payments/refund-sync.service.ts'

/** Routes a refund or dispute to the service that knows its payment. */
export function combineRefundSyncs(services: readonly RefundSyncService[]): RefundSyncService {
  async function find(paymentIntentId: string): Promise<RefundSyncService | null> {
    for (const service of services) if (await service.isKnown(paymentIntentId)) return service
    return null
  }
  return {
    isKnown: async (id) => (await find(id)) !== null,
    sync: async (id) => (await find(id))?.sync(id) ?? false,
  }
}
