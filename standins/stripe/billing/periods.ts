import type { Stripe } from 'stripe'

const DAY_SECONDS = 86_400

/**
 * Returns the end of the period starting at `start`, relative to the anchor: a subscription of January 31 bills on February 28 and again on March 31. All in
 * epoch seconds.
 */
export function endOfPeriod(anchor: number, start: number, recurring: Stripe.Price.Recurring): number {
  const { interval, interval_count: count } = recurring
  if (interval === 'day') return start + count * DAY_SECONDS
  if (interval === 'week') return start + count * 7 * DAY_SECONDS
  const months = interval === 'year' ? count * 12 : count
  return addMonths(anchor, monthsBetween(anchor, start) + months)
}

function monthsBetween(anchor: number, moment: number): number {
  const from = new Date(anchor * 1000)
  const to = new Date(moment * 1000)
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
}

function addMonths(seconds: number, months: number): number {
  const from = new Date(seconds * 1000)
  const to = new Date(from)
  to.setUTCDate(1)
  to.setUTCMonth(from.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return Math.floor(to.getTime() / 1000)
}
