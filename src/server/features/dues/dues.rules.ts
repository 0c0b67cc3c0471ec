import { termMonths, type Term } from '#contract/level-terms.ts'
import type { PriceEffect, PriceScope } from '#contract/console/dues.ts'
import { hasLiveSubscription, type MembershipSnapshot } from '#server/features/memberships/membership.rules.ts'

const DAY_MS = 86_400_000
/** Members are moved this long before a planned price starts: before they are reminded of a renewal at that price, 45 days ahead. */
const MOVE_AHEAD_MS = 60 * DAY_MS

/** A member with active rights at a level, as far as its price matters. */
export interface PricedMember extends MembershipSnapshot {
  /** The charge at each renewal; null without a subscription and until it has been read. */
  renewalAmount: number | null
  /** Whether a reminder already named the cost of the next renewal. */
  isReminded: boolean
}

interface PricedLevel extends Term {
  unitAmount: number
  currency: string
}

interface WantedPrice {
  amountAfter: number
  scope: PriceScope
  startsAt: number
}

type Renewal = 'card' | 'hand' | 'stopped' | 'life'

/** How a membership renews at the end of its paid term. */
export function renewalKind(member: MembershipSnapshot): Renewal {
  if (member.kind === 'ONE_TIME') return 'life'
  if (member.stripeStatus === null) return 'hand'
  return hasLiveSubscription(member) && !member.cancelAtPeriodEnd ? 'card' : 'stopped'
}

/**
 * Whether a member's next renewal may be charged at the new price: not if a reminder already named the old one, and not before the price starts.
 * Other members are reconsidered after that renewal.
 */
export function movesAtNextRenewal(member: PricedMember, { scope, startsAt }: WantedPrice, now: number): boolean {
  const { endsAt, isReminded } = member
  if (scope !== 'everybody' || renewalKind(member) !== 'card' || endsAt === null) return false
  return !isReminded && endsAt > now && endsAt >= startsAt
}

/** The effect of a new price on current members of the level. */
export function priceChangeEffect(
  level: PricedLevel,
  members: readonly PricedMember[],
  { price, now }: { price: WantedPrice; now: number },
): Omit<PriceEffect, 'startsOn' | 'isToday' | 'openCheckouts' | 'version'> {
  const { amountAfter, scope } = price
  const withRenewal = (wanted: Renewal) => members.filter((member) => renewalKind(member) === wanted)
  const [byCard, byHand] = [withRenewal('card'), withRenewal('hand')]
  const renewalPrice = ({ renewalAmount }: PricedMember) => renewalAmount ?? level.unitAmount
  const changing = byCard.filter((member) => renewalPrice(member) !== amountAfter)
  const moving = changing.filter((member) => movesAtNextRenewal(member, price, now))
  const renewals = moving.flatMap(({ endsAt }) => endsAt ?? []).sort((a, b) => a - b)
  const charged = sum(byCard.map(renewalPrice))
  const chargedAfter = scope === 'everybody' ? byCard.length * amountAfter : charged
  const months = termMonths(level)
  const perYear = (amount: number) => (months === null ? null : Math.round((amount * 12) / months))
  return {
    amountBefore: level.unitAmount,
    amountAfter,
    currency: level.currency,
    holders: members.length,
    byCard: byCard.length,
    byHand: byHand.length,
    ending: withRenewal('stopped').length,
    forLife: withRenewal('life').length,
    keepPrice: scope === 'everybody' ? 0 : changing.length,
    movesAtNext: moving.length,
    firstAt: iso(renewals[0]),
    lastAt: iso(renewals.at(-1)),
    paysOnceMore: scope === 'everybody' ? changing.length - moving.length : 0,
    yearBefore: perYear(charged + byHand.length * level.unitAmount),
    yearAfter: perYear(chargedAfter + byHand.length * amountAfter),
  }
}

/** Number of members by charged amount, most members first. @param holders of the level */
export function chargedAmounts(
  level: PricedLevel,
  holders: readonly { isByCard: boolean; amount: number | null; count: number }[],
): { amount: number; members: number }[] {
  const counts = new Map<number, number>()
  for (const { isByCard, amount, count } of holders) {
    if (!isByCard) continue
    const charged = amount ?? level.unitAmount
    counts.set(charged, (counts.get(charged) ?? 0) + count)
  }
  return [...counts].map(([amount, members]) => ({ amount, members })).sort((a, b) => b.members - a.members)
}

interface RequestedChange extends WantedPrice {
  state: 'planned' | 'begun'
}

/**
 * The change whose price members of a level are being moved to, and the instant before which they must have joined: members who joined after a later
 * change keep that later price. null if there is none, or if the level's price was since set otherwise, such as by a content import.
 * @param changes
 * without withdrawn ones, in the order they were requested
 */
export function currentPriceChange<Change extends RequestedChange>(
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

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

function iso(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}
