import { numberFormat } from './formatters.ts'
import { region } from './region.ts'
import type { Term } from './level-terms.ts'

/** Formats an amount in minor units: whole amounts without cents ('$100'), others with cents ('$12.50'). */
export function formatMoney(minorUnits: number, currency: string): string {
  const whole = minorUnits % 100 === 0
  return numberFormat({
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(minorUnits / 100)
}

/** The sign of the association's currency, for labels: '$'. */
export function currencySign(): string {
  return currencyIn('narrowSymbol')
}

/** The name of the association's currency, for labels: 'dollars', 'pounds'. */
export function currencyName(): string {
  // 'US dollars', 'British pounds': its members know which.
  return currencyIn('name').split(' ').at(-1) ?? ''
}

function currencyIn(currencyDisplay: 'narrowSymbol' | 'name'): string {
  const currency = region().currency.toUpperCase()
  const format = numberFormat({ style: 'currency', currency, currencyDisplay })
  return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency
}

interface Priced extends Term {
  unitAmount: number
  currency: string
  isRecurring: boolean
}

/** The billing period of a price as text: 'a year', 'every 2 years', 'once', 'for one year' if free (docs/product-rules.md#prices-on-plan-cards). */
export function pricePeriod({ unitAmount, isRecurring, interval, intervalCount }: Priced): string {
  if (!isRecurring || interval === null) return 'once'
  const count = intervalCount ?? 1
  if (unitAmount === 0) return count === 1 ? `for one ${interval}` : `for ${count} ${interval}s`
  return count === 1 ? `a ${interval}` : `every ${count} ${interval}s`
}

/** 'Free', or the formatted amount. */
export function priceAmount({ unitAmount, currency }: Pick<Priced, 'unitAmount' | 'currency'>): string {
  return unitAmount === 0 ? 'Free' : formatMoney(unitAmount, currency)
}
