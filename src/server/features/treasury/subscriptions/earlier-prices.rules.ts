import type { EarlierPrice } from '#contract/console/money/subscription-imports.ts'
import { isChargedAutomatically, termMonths } from '#contract/level-terms.ts'
import { matchLevel, only, suggestLevel, type EarlierLevels } from '#server/features/levels/earlier-levels.rules.ts'
import type { Level } from '#server/features/levels/level.queries.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'
import type { ForeignSubscription } from '#server/stripe/payment-gateway.ts'

/** Prices with one name, amount and term are one choice: some systems create a price for each subscription. */
export function earlierPriceKey({ name, currency, months, snapshot }: ForeignSubscription): string {
  return [headingKey(name).slice(0, 200), snapshot.renewalAmount ?? '', currency, months ?? ''].join(' ')
}

/** Whether subscriptions can be at a level: it is one that the card provider charges. */
export function isLevelForSubscriptions(level: Level): boolean {
  return isChargedAutomatically(level)
}

/** The level that a price probably is: of the same term and currency, by its name, then by the same amount. Never one of several. */
function suggestForPrice(
  { name, currency, months, snapshot }: ForeignSubscription,
  { levels, chosen }: { levels: readonly Level[]; chosen: EarlierLevels },
): Level | null {
  const fitting = levels.filter((level) => level.currency === currency && termMonths(level) === months)
  return (
    suggestLevel(name, { levels: fitting, chosen }) ??
    only(fitting.filter(({ unitAmount }) => unitAmount === snapshot.renewalAmount))
  )
}

/** Every price of the subscriptions with its level, those with most subscriptions first. */
export function earlierPrices(
  subscriptions: readonly ForeignSubscription[],
  { levels, chosen }: { levels: readonly Level[]; chosen: EarlierLevels },
): EarlierPrice[] {
  const charged = levels.filter(isLevelForSubscriptions)
  const groups = Map.groupBy(
    subscriptions.filter(({ isOurs }) => !isOurs),
    earlierPriceKey,
  )
  return [...groups]
    .map(([key, group]) => {
      const [first] = group as [ForeignSubscription]
      const { name, currency, months, snapshot } = first
      const suggest = () => suggestForPrice(first, { levels: charged, chosen })
      return {
        key,
        name,
        amount: snapshot.renewalAmount,
        currency,
        months,
        subscriptions: group.length,
        ...matchLevel(key, { levels: charged, chosen, suggest }),
      }
    })
    .sort((a, b) => b.subscriptions - a.subscriptions || a.key.localeCompare(b.key))
}
