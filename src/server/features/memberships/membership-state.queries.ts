import { sql, type RawBuilder } from 'kysely'
import type { MemberRenewal, MemberState } from '#contract/console/member-list.ts'

/** Inputs of the state besides the rows. */
export interface StatusContext {
  now: number
  graceMs: number
}

/** `runsUntil` in SQL; a test compares them. */
export function runsUntilSql({ graceMs }: Pick<StatusContext, 'graceMs'>): RawBuilder<number | null> {
  const stopsTrying = sql`coalesce(membership.gave_up_at, membership.next_attempt_at, 0)`
  const graceEnds = sql`membership.past_due_since + ${graceMs}`
  return sql<number | null>`case
    when membership.ended_at is not null then membership.ended_at
    when membership.past_due_since is null then membership.ends_at
    when ${stopsTrying} > ${graceEnds} then ${stopsTrying}
    else ${graceEnds} end`
}

/** `membershipStatus` in portable SQL, so the database can filter and page; a test compares them. */
export function stateOf({ now, graceMs }: StatusContext): RawBuilder<MemberState> {
  return sql<MemberState>`case
    when account.deactivated_by = 'self' then 'LEFT'
    when account.deactivated_by = 'deceased' then 'DECEASED'
    when account.deactivated_by = 'officer' then 'DISABLED'
    when membership.id is null then 'NONE'
    when membership.ended_at <= ${now} then 'CANCELED'
    when membership.kind = 'ONE_TIME' then 'ACTIVE'
    when membership.stripe_status is null and membership.ends_at <= ${now}
      then case when membership.cancel_at_period_end = 1 then 'CANCELED' else 'EXPIRED' end
    when membership.stripe_status is null then 'ACTIVE'
    when membership.stripe_status = 'incomplete' then 'INCOMPLETE'
    when membership.stripe_status = 'incomplete_expired' then 'EXPIRED'
    when membership.stripe_status in ('active', 'trialing') and membership.ends_at <= ${now}
      and membership.cancel_at_period_end = 1 then 'CANCELED'
    when membership.stripe_status in ('active', 'trialing') then 'ACTIVE'
    when membership.past_due_since is null
      then case when membership.stripe_status = 'past_due' then 'PAST_DUE' else 'CANCELED' end
    when membership.stripe_status = 'past_due' and membership.next_attempt_at is not null then 'PAST_DUE'
    when membership.past_due_since > ${now - graceMs} then 'PAST_DUE'
    when coalesce(membership.gave_up_at, membership.next_attempt_at, 0) > ${now} then 'PAST_DUE'
    else 'EXPIRED' end`
}

/** How the membership goes on; null without one and after its end. */
export function renewalOf({ now, graceMs }: StatusContext): RawBuilder<MemberRenewal | null> {
  return sql<MemberRenewal | null>`case
    when membership.id is null or membership.ended_at is not null then null
    when membership.kind = 'ONE_TIME' then 'never'
    when membership.cancel_at_period_end = 1 then case when ${runsUntilSql({ graceMs })} > ${now} then 'ends' end
    when membership.stripe_status is null or membership.stripe_status in ('canceled', 'incomplete_expired') then 'manual'
    else 'card' end`
}
