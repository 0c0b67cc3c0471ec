import { dateFormat } from '#contract/formatters.ts'
import { region } from '#contract/region.ts'

/** 'Nov 23', as tables have it. */
export function formatShortDay(instant: string, timeZone = region().timeZone): string {
  return dateFormat({ month: 'short', day: 'numeric', timeZone }).format(new Date(instant))
}
