/** An instant as a long US date, 'November 21, 2026', on the association's calendar whoever looks (decision E2). */
export function formatLongDate(instant: string | number, timeZone = 'America/New_York'): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date(instant))
}

/** The association's day at an instant, `YYYY-MM-DD`. */
export function dayOf(instant: number, timeZone: string): string {
  // en-CA writes ISO order.
  return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }).format(instant)
}
