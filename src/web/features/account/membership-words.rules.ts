import type { MembershipStatus, Subscription } from '#contract/account.ts'
import { formatLongDate } from '#contract/dates.ts'

const STATUS_WORDS: Record<MembershipStatus, string> = {
  ACTIVE: 'Active',
  PAST_DUE: 'Past due',
  CANCELED: 'Canceled',
  EXPIRED: 'Expired',
  INCOMPLETE: 'Incomplete',
}

/** The active value in green, every other in red. */
export function statusWords(status: MembershipStatus): { words: string; tone: 'ok' | 'bad' } {
  return { words: STATUS_WORDS[status], tone: status === 'ACTIVE' ? 'ok' : 'bad' }
}

/** The dates of a membership as its holder reads them; a lifetime membership has no next billing date. */
export function membershipDates({ kind, status, startDate, nextBillDate, cancelDate }: Subscription) {
  const dates = [{ label: 'Began', value: formatLongDate(startDate) }]
  if (kind === 'ONE_TIME') return [...dates, { label: 'Ends', value: 'Never: it is for life' }]
  if (nextBillDate) dates.push({ label: 'Next billing date', value: formatLongDate(nextBillDate) })
  if (cancelDate) dates.push({ label: hasEnded(status) ? 'Ended' : 'Active until', value: formatLongDate(cancelDate) })
  return dates
}

interface WayOn {
  sentence: string
  /** Of the button; null when there is nothing to do yet. */
  label: string | null
}

const RENEW_FREE_WITHIN_MS = 45 * 86_400_000

/** How a running membership goes on, and what can be done about it; null for life. */
export function wayOn({ kind, renewal, cancelDate, membershipLevel }: Subscription, now: number): WayOn | null {
  if (kind === 'ONE_TIME') return null
  if (renewal === 'stopped') {
    return { sentence: 'It will not renew. Until its last day you can resume it.', label: 'Manage billing' }
  }
  if (renewal !== 'by-hand' || cancelDate === null) {
    return { sentence: 'It renews automatically; we write to you 45 and 7 days before.', label: 'Manage billing' }
  }
  const opensAt = Date.parse(cancelDate) - RENEW_FREE_WITHIN_MS
  if (membershipLevel.unitAmount === 0 && now < opensAt) {
    return { sentence: `No card is charged. You can renew it from ${formatLongDate(opensAt)} on.`, label: null }
  }
  return {
    sentence: 'No card is charged automatically. Renewing adds a term to your current one.',
    label: 'Renew membership',
  }
}

function hasEnded(status: MembershipStatus): boolean {
  return status === 'CANCELED' || status === 'EXPIRED'
}

interface AccountProblem {
  sentence: string
  /** What helps: logging in, or asking again. */
  way: 'log-in' | 'try-again'
}

/** Why the account could not be shown; `status` is 0 without an answer. */
export function accountProblem(status: number, code: string | undefined): AccountProblem {
  if (code === 'AUTHENTICATION_REQUIRED')
    return { sentence: 'Authentication required. Please log in again.', way: 'log-in' }
  if (status === 401) return { sentence: 'Your session has expired. Please log in again.', way: 'log-in' }
  if (status === 403)
    return {
      sentence: 'Your account has been deactivated. Please contact support if you believe this is an error.',
      way: 'log-in',
    }
  if (status === 0)
    return { sentence: 'Unable to connect to the server. Please check your internet connection.', way: 'try-again' }
  return { sentence: 'Failed to load account information. Please try again.', way: 'try-again' }
}
