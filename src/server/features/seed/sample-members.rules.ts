import { addTerms, type Term } from '#contract/level-terms.ts'
import { isNpi } from '#contract/credentials/npi.ts'
import type { Membership } from '#server/features/memberships/membership.queries.ts'
import { BY_HAND, addInterval } from '#server/features/memberships/membership.rules.ts'
import type { SamplePerson, SampleStatus } from './samples.schema.ts'

const DAY_MS = 86_400_000
/** Months are at least this long: a term of the last `n` months stays within them. */
const SPREAD_DAYS = 27
/** Days after a declined charge on which the provider charges the card again; then it gives up. */
const RETRIES = [3, 8, 15]

/** When things happened to a sample person. */
export interface SampleTimes {
  at(monthsAgo: number): number
  startedAt: number
  /** When the last term was paid or began. */
  termStartsAt: number
}

/** The times of a person; `index` spreads people over the days of a month. */
export function sampleTimes({ paid, started, failedDaysAgo }: SamplePerson, index: number, now: number): SampleTimes {
  const earlier = (failedDaysAgo ?? (index * 7) % SPREAD_DAYS) * DAY_MS
  const at = (months: number) => addInterval(now, 'month', -months) - earlier
  return { at, startedAt: at(paid[0] ?? started), termStartsAt: at(paid.at(-1) ?? started) }
}

type MembershipState = Pick<
  Membership,
  'endsAt' | 'stripeStatus' | 'cancelAtPeriodEnd' | 'pastDueSince' | 'nextAttemptAt' | 'gaveUpAt' | 'endedAt'
>

const BY_CARD = { ...BY_HAND, stripeStatus: 'active' }
const ENDED = { ...BY_HAND, stripeStatus: 'canceled' }

/** What a membership of a status looks like in the database. */
export function sampleMembership(
  status: Exclude<SampleStatus, 'staff'>,
  person: SamplePerson,
  { times, level, now }: { times: SampleTimes; level: Term; now: number },
): MembershipState {
  const endsAt = addTerms(times.termStartsAt, level)
  if (endsAt === null) return { ...BY_HAND, endsAt, endedAt: status === 'ended' ? times.at(person.closed) : null }
  // After a declined charge the provider has begun the next term.
  const nextEnd = addTerms(endsAt, level)
  const attempt = RETRIES.map((days) => endsAt + days * DAY_MS).find((instant) => instant > now) ?? null
  const gaveUpAt = endsAt + (RETRIES.at(-1) ?? 0) * DAY_MS
  const states: Record<typeof status, Omit<MembershipState, 'endsAt'> & { endsAt?: number | null }> = {
    renewing: BY_CARD,
    manual: BY_HAND,
    stopping: { ...BY_CARD, cancelAtPeriodEnd: true },
    pastDue: { ...BY_CARD, stripeStatus: 'past_due', pastDueSince: endsAt, nextAttemptAt: attempt, endsAt: nextEnd },
    unpaid: { ...ENDED, pastDueSince: endsAt, gaveUpAt, endsAt: nextEnd },
    lifetime: BY_HAND,
    free: BY_HAND,
    complimentary: { ...BY_HAND, endsAt: addInterval(now, 'month', person.endsInMonths ?? 0) },
    lapsed: BY_HAND,
    canceled: { ...ENDED, cancelAtPeriodEnd: true, endedAt: endsAt },
    refunded: { ...ENDED, endedAt: returnedAt(times.termStartsAt) },
    notPaidYet: { ...BY_CARD, stripeStatus: 'incomplete' },
    disabled: BY_HAND,
    deceased: BY_HAND,
    left: { ...BY_CARD, cancelAtPeriodEnd: true },
    ended: { ...ENDED, endedAt: times.at(person.closed) },
  }
  return { endsAt, ...states[status] }
}

/** When a sample payment is refunded or disputed. */
export function returnedAt(paidAt: number): number {
  return paidAt + 20 * DAY_MS
}

/** 'rosa.delgado'. */
export function sampleUsername(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replace(' ', '.')
    .replaceAll(' ', '')
}

/** A well-formed NPI that belongs to nobody: all that were issued begin with 1. */
export function sampleNpi(index: number): string {
  const digits = `2000${String(index).padStart(5, '0')}`
  return Array.from({ length: 10 }, (_, check) => `${digits}${check}`).find(isNpi) ?? digits
}
