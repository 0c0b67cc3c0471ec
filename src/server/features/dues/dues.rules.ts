import type { PriceEffect, PriceScope } from '#contract/console-dues.ts'
import { hasLiveSubscription, type MembershipFacts } from '../membership/membership.rules.ts'

const DAY_MS = 86_400_000
/** So long before a planned price begins are members moved to it: before they are told of a renewal at it, 45 days ahead. */
const MOVE_AHEAD_MS = 60 * DAY_MS

/** Whose rights exist at a level, as far as its price matters. */
export interface Holder extends MembershipFacts {
  /** What the provider charges at each renewal; null without a subscription, and until it was read. */
  renewalAmount: number | null
  /** Whether they were told what the next renewal costs. */
  isTold: boolean
}

interface PricedLevel {
  unitAmount: number
  currency: string
  isRecurring: boolean
  interval: 'year' | 'month' | null
  intervalCount: number | null
}

interface WantedPrice {
  amountAfter: number
  scope: PriceScope
  startsAt: number
}

type Renewal = 'card' | 'hand' | 'stopped' | 'life'

/** How a membership goes on when what is paid for is over. */
export function renewalOf(holder: MembershipFacts): Renewal {
  if (holder.kind === 'ONE_TIME') return 'life'
  if (holder.stripeStatus === null) return 'hand'
  return hasLiveSubscription(holder) && !holder.cancelAtPeriodEnd ? 'card' : 'stopped'
}

/**
 * Whether somebody's next renewal may be charged at the new price: never against what they were told, and never for a renewal before its first day.
 * Whoever may not is asked about again after that renewal.
 */
export function movesAtNextRenewal(holder: Holder, { scope, startsAt }: WantedPrice, now: number): boolean {
  const { endsAt, isTold } = holder
  if (scope !== 'everybody' || renewalOf(holder) !== 'card' || endsAt === null) return false
  return !isTold && endsAt > now && endsAt >= startsAt
}

/** What a new price means for those who hold the level now. */
export function effectOf(
  level: PricedLevel,
  holders: readonly Holder[],
  { price, now }: { price: WantedPrice; now: number },
): Omit<PriceEffect, 'startsOn' | 'isToday' | 'openCheckouts' | 'version'> {
  const { amountAfter, scope } = price
  const how = (wanted: Renewal) => holders.filter((holder) => renewalOf(holder) === wanted)
  const [byCard, byHand] = [how('card'), how('hand')]
  const pays = ({ renewalAmount }: Holder) => renewalAmount ?? level.unitAmount
  const differing = byCard.filter((holder) => pays(holder) !== amountAfter)
  const moving = differing.filter((holder) => movesAtNextRenewal(holder, price, now))
  const renewals = moving.flatMap(({ endsAt }) => endsAt ?? []).sort((a, b) => a - b)
  const charged = sum(byCard.map(pays))
  const chargedAfter = scope === 'everybody' ? byCard.length * amountAfter : charged
  const aYear = (amount: number) => (level.isRecurring ? Math.round(amount * termsPerYear(level)) : null)
  return {
    amountBefore: level.unitAmount,
    amountAfter,
    currency: level.currency,
    holders: holders.length,
    byCard: byCard.length,
    byHand: byHand.length,
    ending: how('stopped').length,
    forLife: how('life').length,
    keepPrice: scope === 'everybody' ? 0 : differing.length,
    movesAtNext: moving.length,
    firstAt: iso(renewals[0]),
    lastAt: iso(renewals.at(-1)),
    paysOnceMore: scope === 'everybody' ? differing.length - moving.length : 0,
    yearBefore: aYear(charged + byHand.length * level.unitAmount),
    yearAfter: aYear(chargedAfter + byHand.length * amountAfter),
  }
}

/** How many members are charged which amount, the most first. */
export function chargedAmounts(level: PricedLevel, holders: readonly Holder[]): { amount: number; members: number }[] {
  const counts = new Map<number, number>()
  for (const holder of holders) {
    if (renewalOf(holder) !== 'card') continue
    const amount = holder.renewalAmount ?? level.unitAmount
    counts.set(amount, (counts.get(amount) ?? 0) + 1)
  }
  return [...counts].map(([amount, members]) => ({ amount, members })).sort((a, b) => b.members - a.members)
}

interface AskedChange extends WantedPrice {
  state: 'planned' | 'begun'
}

/**
 * The change by which members of a level are moved now, and until when they had to begin: whoever joined after a later change pays what that one says.
 * null when there is none, or when the level's price was set by other means since, such as an import of content.
 * @param changes none of them withdrawn, in the order they were asked for
 */
export function movingChange<Change extends AskedChange>(
  changes: readonly Change[],
  level: { unitAmount: number },
  now: number,
): { change: Change; begunBefore: number | null } | null {
  const latest = changes.findLast(({ state }) => state === 'begun')
  if (latest && latest.amountAfter !== level.unitAmount) return null
  const at = changes.findLastIndex(
    ({ scope, state, startsAt }) => scope === 'everybody' && (state === 'begun' || startsAt - now <= MOVE_AHEAD_MS),
  )
  const change = changes[at]
  if (!change) return null
  const later = changes.slice(at + 1).find(({ state }) => state === 'begun')
  return { change, begunBefore: later?.startsAt ?? null }
}

function termsPerYear({ interval, intervalCount }: PricedLevel): number {
  return (interval === 'month' ? 12 : 1) / (intervalCount ?? 1)
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

function iso(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}
