import type { EarlierPrice, SubscriptionVerdict } from '#contract/console/money/subscription-imports.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { errors } from '#contract/errors.ts'
import { termMonths } from '#contract/level-terms.ts'
import type { Level } from '#server/features/levels/level.queries.ts'
import type { Membership } from '#server/features/memberships/membership.queries.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from '#server/features/memberships/membership.rules.ts'
import type { ActRefusal } from '#server/features/officers/officer-acts.rules.ts'
import type { ForeignSubscription } from '#server/stripe/payment-gateway.ts'

/** Statuses in which the provider charges the card for the next term. */
const CHARGING = new Set(['active', 'past_due', 'trialing'])

/** Whether the provider will charge a subscription that is not this site's. */
export function isCharging({ isOurs, snapshot }: ForeignSubscription): boolean {
  return !isOurs && CHARGING.has(snapshot.status)
}

/** What is known here about a subscription at the provider. */
export interface SubscriptionFacts {
  /** A membership here has it, or an import is about to. */
  isKnown: boolean
  /** How many live subscriptions have its customer's address. */
  withSameEmail: number
  choice: EarlierPrice['choice']
  level: Level | null
  /** The account with its customer's address. */
  account: {
    isClosed: boolean
    /** Why the officer may not change it. */
    refusal: ActRefusal | null
    membership: Membership | null
  } | null
}

export interface JudgedSubscription {
  verdict: SubscriptionVerdict
  sentence: string
}

interface Moment {
  now: number
  graceMs: number
  timeZone: string
}

/** What an import does with a subscription, and why. */
export function judgeSubscription(
  subscription: ForeignSubscription,
  facts: SubscriptionFacts,
  moment: Moment,
): JudgedSubscription {
  if (facts.isKnown || subscription.isOurs)
    return { verdict: 'ours', sentence: 'It belongs to this site already. Nothing changes.' }
  if (facts.choice === 'left-out') return { verdict: 'left-out', sentence: 'Its price is left out.' }
  const { level } = facts
  const wrong =
    problemAtProvider(subscription, moment) ??
    problemWithAccount(facts, moment) ??
    (level ? problemWithLevel(subscription, level) : 'Choose the level of its price.')
  if (wrong !== null || !level) return { verdict: 'wrong', sentence: wrong ?? '' }
  const { cancelsAtPeriodEnd, periodEndsAt, status } = subscription.snapshot
  const day = formatLongDate(periodEndsAt, moment.timeZone)
  if (cancelsAtPeriodEnd) return { verdict: 'ending', sentence: `Becomes ${level.name}, and ends on ${day}.` }
  if (status === 'past_due')
    return { verdict: 'ready', sentence: `Becomes ${level.name}. Its last charge failed and is still due.` }
  return { verdict: 'ready', sentence: `Becomes ${level.name}. Renews on ${day} at the old price.` }
}

function problemAtProvider({ snapshot, items, obstacle, email }: ForeignSubscription, moment: Moment): string | null {
  const notRunning = problemOfStatus(snapshot, moment)
  if (notRunning !== null) return notRunning
  if (items > 1) return 'It charges for more than one thing.'
  if (snapshot.renewalAmount === null) return 'Its price is not a fixed amount.'
  if (snapshot.renewalAmount === 0) return 'It charges nothing.'
  if (obstacle === 'invoices') return 'It sends invoices and charges no card.'
  if (obstacle === 'paused') return 'Its charges are paused. Resume them at the card provider first.'
  if (obstacle === 'schedule')
    return 'A schedule at the card provider changes its price. Release it from the schedule first.'
  if (obstacle === 'ends-later')
    return 'It ends on a day after its current term. Remove that day at the card provider first.'
  return email === null ? 'Its customer has no email address.' : null
}

/** Why a subscription is not one that runs; null if it is. */
export function problemOfStatus(
  snapshot: ForeignSubscription['snapshot'],
  { now, graceMs }: Pick<Moment, 'now' | 'graceMs'>,
): string | null {
  if (!CHARGING.has(snapshot.status) || snapshot.endedAt !== null)
    return `The card provider does not charge it (${snapshot.status.replaceAll('_', ' ')}).`
  if (!runs(snapshot, now, graceMs)) return 'Its last charge failed and is no longer tried. Let the member join again.'
  return null
}

/** Whether a membership with this subscription would have rights: otherwise it would expire here, which cancels the subscription. */
function runs(snapshot: ForeignSubscription['snapshot'], now: number, graceMs: number): boolean {
  return hasRights(membershipStatus(statusOf(snapshot), now, graceMs))
}

/** The columns of a membership that its subscription determines. */
function statusOf(snapshot: ForeignSubscription['snapshot']) {
  return {
    kind: 'RECURRING' as const,
    stripeStatus: snapshot.status,
    endsAt: snapshot.periodEndsAt,
    cancelAtPeriodEnd: snapshot.cancelsAtPeriodEnd,
    pastDueSince: snapshot.failedSince,
    nextAttemptAt: snapshot.nextAttemptAt,
    gaveUpAt: null,
    endedAt: snapshot.endedAt,
  }
}

function problemWithAccount({ account, withSameEmail }: SubscriptionFacts, moment: Moment): string | null {
  if (withSameEmail > 1)
    return 'Several subscriptions have this email. Cancel all but one at the card provider, or give them other addresses there.'
  if (!account)
    return 'No account has this email. Import its member first, or correct the address at the card provider.'
  return problemOfAccount(account, moment)
}

/** Why an account cannot have an imported subscription; null if it can. */
export function problemOfAccount(
  { isClosed, refusal, membership }: NonNullable<SubscriptionFacts['account']>,
  { now, graceMs }: Pick<Moment, 'now' | 'graceMs'>,
): string | null {
  if (isClosed) return errors.ACCOUNT_CLOSED.message
  if (refusal !== null) return errors[refusal].message
  if (!membership) return null
  if (hasLiveSubscription(membership))
    return 'This member has another subscription here. Cancel one of the two, or the member pays twice.'
  if (membership.kind === 'ONE_TIME' && hasRights(membershipStatus(membership, now, graceMs)))
    return 'This member has a lifetime membership. Cancel the subscription at the card provider.'
  return null
}

function problemWithLevel({ currency, months }: ForeignSubscription, level: Level): string | null {
  if (currency !== level.currency)
    return `The currency is ${currency.toUpperCase()}; ${level.name} is sold in ${level.currency.toUpperCase()}.`
  const expected = termMonths(level)
  if (months !== expected)
    return `Its terms last ${lengthOf(months)}; those of ${level.name} last ${lengthOf(expected)}.`
  return null
}

function lengthOf(months: number | null): string {
  if (months === null) return 'days or weeks'
  if (months % 12 === 0) return months === 12 ? 'a year' : `${months / 12} years`
  return months === 1 ? 'a month' : `${months} months`
}
