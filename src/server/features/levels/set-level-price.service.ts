import type { AppContext } from '#server/app-context.ts'
import { saveStripePriceId } from './level.commands.ts'
import { type Level } from './level.queries.ts'

export function createLevelPrices({ db, gateway }: AppContext) {
  return {
    /** Returns the provider's price id of a level; creates the price when first needed. @throws PaymentProviderError */
    async ensurePriceId(level: Level): Promise<string> {
      if (level.stripePriceId) return level.stripePriceId
      const priceId = await gateway.ensurePrice(level)
      await saveStripePriceId(db, level, priceId)
      return priceId
    },
  }
}

export type LevelPrices = ReturnType<typeof createLevelPrices>
