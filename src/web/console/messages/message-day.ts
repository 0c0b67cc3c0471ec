/** 'Nov 23', as tables have it. */
export function formatShortDay(instant: string, timeZone = 'America/New_York'): string {
  return new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone }).format(new Date(instant))
}
