export function subscriptionsOf(count: number): string {
  return count === 1 ? '1 subscription' : `${count.toLocaleString('en-US')} subscriptions`
}

/** How often a price is charged. */
export function everyMonths(months: number | null): string {
  if (months === null) return 'every few days or weeks'
  if (months % 12 === 0) return months === 12 ? 'a year' : `every ${months / 12} years`
  return months === 1 ? 'a month' : `every ${months} months`
}
