import type { Db } from '#server/db/database.ts'
import type { PaymentGateway } from '#server/payments/payment-gateway.ts'
import { setLevelPrice, type Level } from '../membership/level.repository.ts'

export interface LevelPrices {
  /** The provider's price of a level, made when first needed. @throws PaymentProviderError */
  priceOf(level: Level): Promise<string>
}

export function createLevelPrices({ db, gateway }: { db: Db; gateway: PaymentGateway }): LevelPrices {
  return {
    async priceOf(level) {
      if (level.stripePriceId) return level.stripePriceId
      const priceId = await gateway.ensurePrice(level)
      await setLevelPrice(db, level, priceId)
      return priceId
    },
  }
}
