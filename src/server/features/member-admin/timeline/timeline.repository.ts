import { sql, type RawBuilder } from 'kysely'
import type { TimelineFilter } from '#contract/console/people/member-timeline.ts'
import type { Db } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'

/** Where an entry of a timeline is stored. */
export type TimelineSource =
  | 'payment'
  | 'refund'
  | 'void'
  | 'seats'
  | 'seats-refund'
  | 'seats-void'
  | 'sponsorship'
  | 'sponsorship-refund'
  | 'sponsorship-void'
  | 'email'
  | 'reminder'
  | 'newsletter'
  | 'rsvp'
  | 'check-in'
  | 'message'
  | 'change'
  | 'note'

/** A place in a timeline: entries are ordered by time, then by key. */
export interface TimelinePlace {
  at: number
  source: TimelineSource
  /** The id of the row in its table. */
  id: string
}

export interface TimelineScope {
  accountId: string
  email: string
  /** What outbox rows about this person may refer to. */
  emailSubjects: readonly string[]
  show: TimelineFilter
  mayLookAtMoney: boolean
  mayReadMessages: boolean
  /** Actions of the audit log to include. */
  actions: { only: readonly string[] } | { without: readonly string[] }
  /** null for the first page. */
  before: { at: number; key: string } | null
  limit: number
}

interface Part {
  source: TimelineSource
  at: RawBuilder<number>
  id: RawBuilder<string>
  from: RawBuilder<unknown>
  where: RawBuilder<boolean>
}

/**
 * The next entries of a person's timeline, newest first: one query, which reads at most `limit` rows of each source by an index. The entries are read by
 * their source afterward.
 */
export async function findTimeline(db: Db, scope: TimelineScope): Promise<TimelinePlace[]> {
  const { before, limit } = scope
  const parts = partsFor(scope).map(({ source, at, id, from, where }) => {
    const key = sql`${sql.lit(`${source}:`)} || ${id}`
    const isBefore = before
      ? sql`(${at} < ${before.at} or (${at} = ${before.at} and ${key} < ${before.key}))`
      : sql`1 = 1`
    return sql`select * from (
      select ${at} as moment, ${key} as entry_key from ${from} where ${where} and ${isBefore}
      order by 1 desc, 2 desc limit ${limit}
    ) as ${sql.ref(source)}`
  })
  const { rows } = await sql<{ moment: number; entryKey: string }>`
    select moment, entry_key from (${sql.join(parts, sql` union all `)}) as timeline
    order by 1 desc, 2 desc limit ${limit}`.execute(db)
  return rows.map(({ moment, entryKey }) => {
    const [source = '', ...id] = entryKey.split(':')
    return { at: Number(moment), source: source as TimelineSource, id: id.join(':') }
  })
}

export function timelineKey({ source, id }: Pick<TimelinePlace, 'source' | 'id'>): string {
  return `${source}:${id}`
}

function partsFor(scope: TimelineScope): Part[] {
  const { show, mayLookAtMoney } = scope
  const money = mayLookAtMoney ? moneyParts(scope) : []
  if (show === 'payments') return money.length > 0 ? money : [NOTHING]
  if (show === 'emails') return emailParts(scope)
  if (show === 'notes') return [notePart(scope)]
  return [...money, ...emailParts(scope), notePart(scope), ...otherParts(scope)]
}

const NOTHING: Part = {
  source: 'payment',
  at: sql`paid_at`,
  id: sql`id`,
  from: sql`payment`,
  where: sql`1 = 0`,
}

function moneyParts({ accountId, email }: TimelineScope): Part[] {
  const isTheirs = sql<boolean>`account_id = ${accountId}`
  const seats = sql<boolean>`email_key = ${nameKey(email)}`
  const sponsor = sql<boolean>`lower(email) = ${nameKey(email)}`
  const part = (
    source: TimelineSource,
    table: string,
    { at, where }: { at: 'paid_at' | 'refunded_at' | 'voided_at'; where: RawBuilder<boolean> },
  ): Part => ({
    source,
    at: sql.ref(at),
    id: sql`id`,
    from: sql.table(table),
    where: sql`${where} and ${sql.ref(at)} is not null`,
  })
  return [
    part('payment', 'payment', { at: 'paid_at', where: isTheirs }),
    part('refund', 'payment', { at: 'refunded_at', where: sql`${isTheirs} and amount_refunded > 0` }),
    part('void', 'payment', { at: 'voided_at', where: isTheirs }),
    part('seats', 'rsvp_order', { at: 'paid_at', where: seats }),
    part('seats-refund', 'rsvp_order', { at: 'refunded_at', where: sql`${seats} and amount_refunded > 0` }),
    part('seats-void', 'rsvp_order', { at: 'voided_at', where: seats }),
    part('sponsorship', 'sponsorship', { at: 'paid_at', where: sponsor }),
    part('sponsorship-refund', 'sponsorship', { at: 'refunded_at', where: sql`${sponsor} and amount_refunded > 0` }),
    part('sponsorship-void', 'sponsorship', { at: 'voided_at', where: sponsor }),
  ]
}

function emailParts({ accountId, email, emailSubjects }: TimelineScope): Part[] {
  const about = sql.join(emailSubjects)
  // A reminder has its own row, with the proof of sending, from the moment it is sent.
  const isReminder = sql`kind = 'email.membership_reminder' and done_at is not null`
  return [
    {
      source: 'email',
      at: sql`coalesce(dead_at, done_at, created_at)`,
      id: sql`id`,
      from: sql`outbox`,
      where: sql`(subject in (${about}) or recipient in (${about})) and kind like 'email.%' and not (${isReminder})`,
    },
    {
      source: 'reminder',
      at: sql`coalesce(closed_at, queued_at)`,
      id: sql`id`,
      from: sql`membership_reminder`,
      where: sql`account_id = ${accountId} and state <> 'queued'`,
    },
    {
      source: 'newsletter',
      at: sql`coalesce(finished_at, due_at)`,
      id: sql`id`,
      from: sql`delivery`,
      where: sql`recipient_id in (select ${accountId} union all select id from subscriber where email_key = ${nameKey(email)})
        and state <> 'skipped'`,
    },
  ]
}

function notePart({ accountId }: TimelineScope): Part {
  return {
    source: 'note',
    at: sql`written_at`,
    id: sql`id`,
    from: sql`member_note`,
    where: sql`account_id = ${accountId} and deleted_at is null`,
  }
}

function otherParts({ accountId, email, mayReadMessages, actions }: TimelineScope): Part[] {
  const chosen =
    'only' in actions ? sql`action in (${sql.join(actions.only)})` : sql`action not in (${sql.join(actions.without)})`
  const message: Part = {
    source: 'message',
    at: sql`received_at`,
    id: sql`id`,
    from: sql`contact_message`,
    where: sql`lower(email) = ${nameKey(email)} and spam_at is null`,
  }
  return [
    { source: 'rsvp', at: sql`asked_at`, id: sql`id`, from: sql`rsvp`, where: sql`email_key = ${nameKey(email)}` },
    {
      source: 'check-in',
      at: sql`arrived_at`,
      id: sql`id`,
      from: sql`rsvp`,
      where: sql`email_key = ${nameKey(email)} and arrived > 0 and arrived_at is not null`,
    },
    ...(mayReadMessages ? [message] : []),
    {
      source: 'change',
      at: sql`at`,
      id: sql`id`,
      from: sql`audit`,
      where: sql`subject_id = ${accountId} and ${chosen}`,
    },
  ]
}
