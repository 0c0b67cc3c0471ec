/** Noon in UTC, which is the same day wherever the association is: how terms that officers set begin and end. */
export function noonOf(day: string): number {
  return Date.parse(`${day}T12:00:00Z`)
}
