import { ROLE_NAMES } from '#contract/access.ts'
import { dayOf, formatLongDate } from '#contract/dates.ts'
import type { EventDetails } from '#contract/events.ts'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/platform/clock.ts'
import { listMergedInto } from '../account/account-merge.repository.ts'
import { findAccount, type Account } from '../account/account.repository.ts'
import { rolesFrom } from '../console/officer.repository.ts'
import { spanOf } from '../events/event-times.rules.ts'
import { listEventsOf } from '../events/rsvp.repository.ts'
import { findSubscriberByEmail } from '../newsletter/subscriber.repository.ts'
import type { EndingFacts } from './ending.rules.ts'
import { findLevel } from './level.repository.ts'
import { findCurrentMembership } from './membership.repository.ts'
import { hasLiveSubscription, hasRights, membershipStatus, rightsEndAt } from './membership.rules.ts'

export type ReadEndingFacts = (handle: Db, account: Account) => Promise<EndingFacts>

/** Reads what an officer has to know before an account is ended. */
export function createEndingFacts({
  clock,
  timeZone,
  graceMs,
  events,
}: {
  clock: Clock
  timeZone: string
  graceMs(): number
  events(): ReadonlyMap<string, EventDetails>
}): ReadEndingFacts {
  async function membershipOf(handle: Db, accountId: string): Promise<EndingFacts['membership']> {
    const membership = await findCurrentMembership(handle, accountId)
    if (!membership) return null
    const isLive = hasLiveSubscription(membership)
    if (!hasRights(membershipStatus(membership, clock.now(), graceMs())) && !isLive) return null
    const endsAt = rightsEndAt(membership, graceMs()) ?? membership.endsAt
    return {
      levelName: (await findLevel(handle, membership.levelKey))?.name ?? membership.levelKey,
      until: endsAt === null ? null : formatLongDate(endsAt, timeZone),
      card: !isLive
        ? 'none'
        : membership.pastDueSince !== null
          ? 'owed'
          : membership.cancelAtPeriodEnd
            ? 'stops'
            : 'renews',
    }
  }

  /** Titles of events to come for which an address has an RSVP that was not canceled. */
  async function eventsOf(handle: Db, email: string): Promise<string[]> {
    return (await listEventsOf(handle, email)).flatMap((eventId) => {
      const event = events().get(eventId)
      if (!event) return []
      const { endsAt } = spanOf(event, timeZone)
      return endsAt === null || endsAt > clock.now() ? [event.title] : []
    })
  }

  return async (handle, account) => {
    const { id, email, firstName, lastName } = account
    const merged: string[] = []
    for (const mergedId of await listMergedInto(handle, id)) {
      const other = await findAccount(handle, mergedId)
      if (other) merged.push(other.email)
    }
    const roles = await rolesFrom(handle, id, dayOf(clock.now(), timeZone))
    return {
      name: `${firstName} ${lastName}`,
      email,
      membership: await membershipOf(handle, id),
      roles: roles.map((role) => ROLE_NAMES[role]),
      isReader: (await findSubscriberByEmail(handle, email))?.state === 'subscribed',
      events: await eventsOf(handle, email),
      mergedAccounts: merged,
    }
  }
}
