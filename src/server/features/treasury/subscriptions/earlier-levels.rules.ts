import type { EarlierPrice } from '#contract/console/money/subscription-imports.ts'
import { isChargedAutomatically, termMonths } from '#contract/level-terms.ts'
import type { Level } from '#server/features/levels/level.queries.ts'
import { headingKey } from '#server/features/member-admin/import/systems/heading-key.rules.ts'
import type { ForeignSubscription } from '#server/stripe/payment-gateway.ts'

/** What officers chose for prices of earlier systems: the key of a level, or null to leave its subscriptions out. */
export type EarlierLevels = ReadonlyMap<string, string | null>

/** Prices with one name, amount and term are one choice: some systems create a price for each subscription. */
export function earlierPriceKey({ name, currency, months, snapshot }: ForeignSubscription): string {
  return [headingKey(name).slice(0, 200), snapshot.renewalAmount ?? '', currency, months ?? ''].join(' ')
}

/** Whether subscriptions can be at a level: it is one that the card provider charges. */
export function isLevelForSubscriptions(level: Level): boolean {
  return isChargedAutomatically(level)
}

/** The level that a price probably is: of the same term and currency, with the same name, then a similar one, then the same amount. Never one of several. */
function suggestLevel(
  {
    name,
    currency,
    months,
    snapshot,
  }: Pick<ForeignSubscription, 'name' | 'currency' | 'months'> & {
    snapshot: Pick<ForeignSubscription['snapshot'], 'renewalAmount'>
  },
  levels: readonly Level[],
): Level | null {
  const fitting = levels.filter(
    (level) => isLevelForSubscriptions(level) && level.currency === currency && termMonths(level) === months,
  )
  const written = headingKey(name)
  const isSimilar = (level: Level) => {
    const key = headingKey(level.name)
    return written !== '' && key !== '' && (written.includes(key) || key.includes(written))
  }
  return (
    only(fitting.filter((level) => headingKey(level.name) === written)) ??
    only(fitting.filter(isSimilar)) ??
    only(fitting.filter(({ unitAmount }) => unitAmount === snapshot.renewalAmount))
  )
}

/** Every price of the subscriptions with its level, those with most subscriptions first. */
export function earlierPrices(
  subscriptions: readonly ForeignSubscription[],
  { levels, chosen }: { levels: readonly Level[]; chosen: EarlierLevels },
): EarlierPrice[] {
  const groups = Map.groupBy(
    subscriptions.filter(({ isOurs }) => !isOurs),
    earlierPriceKey,
  )
  return [...groups]
    .map(([key, group]) => {
      const [first] = group as [ForeignSubscription]
      const { name, currency, months, snapshot } = first
      const price = { key, name, amount: snapshot.renewalAmount, currency, months, subscriptions: group.length }
      const known = chosen.get(key)
      if (known === null) return { ...price, choice: 'left-out' as const, levelKey: null }
      // A chosen level may have been removed since.
      if (known !== undefined && levels.some((level) => level.key === known && isLevelForSubscriptions(level)))
        return { ...price, choice: 'chosen' as const, levelKey: known }
      const suggested = suggestLevel(first, levels)
      return {
        ...price,
        choice: suggested ? ('suggested' as const) : ('none' as const),
        levelKey: suggested?.key ?? null,
      }
    })
    .sort((a, b) => b.subscriptions - a.subscriptions || a.key.localeCompare(b.key))
}

function only<Item>(items: readonly Item[]): Item | null {
  return items.length === 1 ? (items[0] ?? null) : null
}
