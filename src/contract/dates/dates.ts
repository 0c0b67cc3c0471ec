/** An instant as a long US date, 'November 21, 2026', on the association's calendar whoever looks (docs/product-rules.md#the-associations-day). */
export function formatLongDate(instant: string | number, timeZone = 'America/New_York'): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date(instant))
}

/** An instant to the minute, 'November 21, 2026 at 9:05 AM EST', on the association's clock. */
export function formatMoment(instant: string | number, timeZone = 'America/New_York'): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'long', timeZone })
    .format(new Date(instant))
    .replace(/:\d\d(?= [AP]M)/, '')
}

/** The last minute before a deadline, as people name it: what ends at midnight ends with the day before. */
export function formatDeadline(instant: string | number, timeZone = 'America/New_York'): string {
  const words = formatMoment(instant, timeZone)
  return / 12:00 AM /.test(words) ? formatMoment(new Date(instant).getTime() - 60_000, timeZone) : words
}

/** The association's day at an instant, `YYYY-MM-DD`. */
export function dayOf(instant: number, timeZone: string): string {
  let format = dayFormats.get(timeZone)
  // en-CA writes ISO order. Making a format takes a hundred times as long as using it.
  if (!format) dayFormats.set(timeZone, (format = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone })))
  return format.format(instant)
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()
