import type { MembershipStatus, Subscription } from '#contract/public/account.ts'
import { formatLongDate } from '#contract/dates/dates.ts'

const STATUS_LABELS: Record<MembershipStatus, string> = {
  ACTIVE: 'Active',
  PAST_DUE: 'Past due',
  CANCELED: 'Canceled',
  EXPIRED: 'Expired',
  INCOMPLETE: 'Incomplete',
}

/** Green when active, red for every other status. */
export function statusLabel(status: MembershipStatus): { label: string; tone: 'ok' | 'bad' } {
  return { label: STATUS_LABELS[status], tone: status === 'ACTIVE' ? 'ok' : 'bad' }
}

/** The membership's dates as shown to the member; a lifetime membership has no next billing date. */
export function membershipDates({ kind, status, startDate, nextBillDate, cancelDate }: Subscription) {
  const dates = [{ label: 'Started', value: formatLongDate(startDate) }]
  if (kind === 'ONE_TIME') return [...dates, { label: 'Ends', value: 'Never: life membership' }]
  if (nextBillDate) dates.push({ label: 'Next billing date', value: formatLongDate(nextBillDate) })
  if (cancelDate) dates.push({ label: hasEnded(status) ? 'Ended' : 'Active until', value: formatLongDate(cancelDate) })
  return dates
}

interface NextStep {
  message: string
  /** The button's label; null if there is nothing to do yet. */
  label: string | null
}

const RENEW_FREE_WITHIN_MS = 45 * 86_400_000

/** How a current membership renews and what the member can do about it; null for life members. */
export function renewalAction(
  { kind, renewal, cancelDate, membershipLevel }: Subscription,
  now: number,
): NextStep | null {
  if (kind === 'ONE_TIME') return null
  if (renewal === 'stopped') {
    return { message: 'It will not renew. You can resume it until its last day.', label: 'Manage billing' }
  }
  if (renewal !== 'by-hand' || cancelDate === null) {
    return { message: 'It renews automatically. We email you 45 and 7 days before.', label: 'Manage billing' }
  }
  const opensAt = Date.parse(cancelDate) - RENEW_FREE_WITHIN_MS
  if (membershipLevel.unitAmount === 0 && now < opensAt) {
    return { message: `No card is charged. You can renew it starting ${formatLongDate(opensAt)}.`, label: null }
  }
  return {
    message: 'No card is charged automatically. Renewing adds a term to your current one.',
    label: 'Renew membership',
  }
}

function hasEnded(status: MembershipStatus): boolean {
  return status === 'CANCELED' || status === 'EXPIRED'
}

interface AccountProblem {
  message: string
  /** What to offer: logging in or trying again. */
  action: 'log-in' | 'try-again'
}

/** Why the account could not be loaded; `status` is 0 without a response. */
export function accountProblem(status: number, code: string | undefined): AccountProblem {
  if (code === 'AUTHENTICATION_REQUIRED')
    return { message: 'Authentication required. Please log in again.', action: 'log-in' }
  if (status === 401) return { message: 'Your session has expired. Please log in again.', action: 'log-in' }
  if (status === 403)
    return {
      message: 'Your account has been deactivated. Please contact support if you believe this is an error.',
      action: 'log-in',
    }
  if (status === 0)
    return { message: 'Unable to connect to the server. Please check your internet connection.', action: 'try-again' }
  return { message: 'Failed to load account information. Please try again.', action: 'try-again' }
}
