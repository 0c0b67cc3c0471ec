import type { PaymentReturnService } from '../membership/payment-return.service.ts'

/** Gives a refund or dispute to the one service that knows its payment. */
export function allReturns(services: readonly PaymentReturnService[]): PaymentReturnService {
  async function find(paymentIntentId: string): Promise<PaymentReturnService | null> {
    for (const service of services) if (await service.isKnown(paymentIntentId)) return service
    return null
  }
  return {
    isKnown: async (id) => (await find(id)) !== null,
    sync: async (id) => (await find(id))?.sync(id) ?? false,
  }
}
