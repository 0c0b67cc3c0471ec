import type { AppContext } from '#server/app-context.ts'
import { ROLE_NAMES } from '#contract/access.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import type { Db } from '#server/db/database.ts'
import { listMergedAccountIds } from '#server/features/accounts/account-merge.queries.ts'
import { findAccount, type Account } from '#server/features/accounts/account.queries.ts'
import { rolesFrom } from '#server/features/officers/officer.queries.ts'
import { eventSpan } from '#server/features/content-store/event-times.rules.ts'
import { listEventIdsByEmail } from '#server/features/rsvps/rsvp.queries.ts'
import { findSubscriberByEmail } from '#server/features/newsletter/subscribers/subscriber.queries.ts'
import type { AccountEndPreview } from './account-end.rules.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import {
  hasLiveSubscription,
  hasRights,
  membershipStatus,
  rightsEndAt,
} from '#server/features/memberships/membership.rules.ts'

export type LoadAccountEndPreview = (handle: Db, account: Account) => Promise<AccountEndPreview>

/** Loads what an officer needs to know before ending an account. */
export function createAccountEndPreview({ clock, timeZone, graceMs, cache }: AppContext): LoadAccountEndPreview {
  async function membershipOf(handle: Db, accountId: string): Promise<AccountEndPreview['membership']> {
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

  /** Titles of upcoming events for which an address has an active RSVP. */
  async function eventsOf(handle: Db, email: string): Promise<string[]> {
    return (await listEventIdsByEmail(handle, email)).flatMap((eventId) => {
      const event = cache.content().events.get(eventId)
      if (!event) return []
      const { endsAt } = eventSpan(event, timeZone)
      return endsAt === null || endsAt > clock.now() ? [event.title] : []
    })
  }

  return async (handle, account) => {
    const { id, email, firstName, lastName } = account
    const merged: string[] = []
    for (const mergedId of await listMergedAccountIds(handle, id)) {
      const other = await findAccount(handle, mergedId)
      if (other) merged.push(other.email)
    }
    const roles = await rolesFrom(handle, id, dayOf(clock.now(), timeZone))
    return {
      name: `${firstName} ${lastName}`,
      email,
      membership: await membershipOf(handle, id),
      roles: roles.map((role) => ROLE_NAMES[role]),
      isSubscriber: (await findSubscriberByEmail(handle, email))?.state === 'subscribed',
      events: await eventsOf(handle, email),
      mergedAccounts: merged,
    }
  }
}
