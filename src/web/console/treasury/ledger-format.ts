import { dateFormat, numberFormat } from '#contract/formatters.ts'
import { region } from '#contract/region.ts'

/** Cents in a ledger: always with their fraction, so that columns line up: '$1,250.00', '-$25.00'. */
export function ledgerMoney(cents: number, currency: string): string {
  // Adding zero turns -0 into 0.
  return numberFormat({ style: 'currency', currency }).format(cents / 100 + 0)
}

/** A day in a table: 'Nov 25, 2026'. */
export function tableDay(instant: string, timeZone = region().timeZone): string {
  return dateFormat({ dateStyle: 'medium', timeZone }).format(new Date(instant))
}
