import type { Db } from '#server/db/database.ts'
import type { PaymentGateway } from '#server/stripe/payment-gateway.ts'
import { saveStripePriceId } from './level.commands.ts'
import { type Level } from './level.queries.ts'

export interface LevelPrices {
  /** Returns the provider's price id of a level; creates the price when first needed. @throws PaymentProviderError */
  ensurePriceId(level: Level): Promise<string>
}

export function createLevelPrices({ db, gateway }: { db: Db; gateway: PaymentGateway }): LevelPrices {
  return {
    async ensurePriceId(level) {
      if (level.stripePriceId) return level.stripePriceId
      const priceId = await gateway.ensurePrice(level)
      await saveStripePriceId(db, level, priceId)
      return priceId
    },
  }
}
