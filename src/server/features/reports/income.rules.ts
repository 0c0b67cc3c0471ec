/** The longest month. */
const DAYS = 31

/** Cents kept until the end of each day of a month: what was received that day less what was returned. */
export function sumByDay<Entry extends { amount: number }>(
  entries: readonly Entry[],
  dayOfMonth: (entry: Entry) => number,
): number[] {
  const days = Array.from({ length: DAYS }, () => 0)
  for (const entry of entries) {
    const day = dayOfMonth(entry) - 1
    days[day] = (days[day] ?? 0) + entry.amount
  }
  let sum = 0
  return days.map((day) => (sum += day))
}
