import { region } from '#contract/region.ts'

/** 'Nov 23', as tables have it. */
export function formatShortDay(instant: string, timeZone = region().timeZone): string {
  return new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone }).format(new Date(instant))
}
