import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { findRecord } from '#server/features/content-store/content.queries.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { levelsByKey } from '#server/features/levels/level.queries.ts'
import { notes } from '../notes/note.queries.ts'
import type { TimelinePlace, TimelineSource } from './timeline.repository.ts'

/** The rows behind one page of a timeline, by id, in one query for each table that is on it. */
export async function readTimelineRows(db: Db, places: readonly TimelinePlace[]) {
  const idsOf = (...sources: TimelineSource[]) =>
    places.filter(({ source }) => sources.includes(source)).map(({ id }) => id)
  const payments = await byId(idsOf('payment', 'refund', 'void'), (ids) =>
    db.selectFrom('payment').selectAll().where('id', 'in', ids).execute(),
  )
  const orders = await byId(idsOf('seats', 'seats-refund', 'seats-void'), (ids) =>
    db.selectFrom('rsvpOrder').selectAll().where('id', 'in', ids).execute(),
  )
  const sponsorships = await byId(idsOf('sponsorship', 'sponsorship-refund', 'sponsorship-void'), (ids) =>
    db.selectFrom('sponsorship').selectAll().where('id', 'in', ids).execute(),
  )
  const rsvps = await byId(idsOf('rsvp', 'check-in'), (ids) =>
    db.selectFrom('rsvp').selectAll().where('id', 'in', ids).execute(),
  )
  const messages = await byId(idsOf('message'), (ids) =>
    db
      .selectFrom('contactMessage')
      .select(['id', 'subject', 'answeredAt'])
      .select((eb) =>
        eb
          .selectFrom('messageAnswer')
          .innerJoin('account', 'account.id', 'messageAnswer.sentBy')
          .select(sql<string>`account.first_name || ' ' || account.last_name`.as('name'))
          .whereRef('messageAnswer.messageId', '=', 'contactMessage.id')
          .orderBy('messageAnswer.sentAt', 'desc')
          .limit(1)
          .as('answeredBy'),
      )
      .where('id', 'in', ids)
      .execute(),
  )
  const emails = await byId(idsOf('email'), (ids) =>
    db.selectFrom('outbox').select(['id', 'kind', 'doneAt', 'deadAt', 'lastError']).where('id', 'in', ids).execute(),
  )
  const reminders = await byId(idsOf('reminder'), (ids) =>
    db.selectFrom('membershipReminder').select(['id', 'kind', 'state', 'sentTo']).where('id', 'in', ids).execute(),
  )
  const newsletters = await byId(idsOf('newsletter'), (ids) =>
    db
      .selectFrom('delivery')
      .innerJoin('campaign', 'campaign.id', 'delivery.campaignId')
      .select(['delivery.id', 'delivery.campaignId', 'campaign.recipients', 'campaign.name'])
      .select(['state', 'reason', 'delivery.email'])
      .where('delivery.id', 'in', ids)
      .execute(),
  )
  const written = await byId(idsOf('note'), (ids) => notes(db).where('memberNote.id', 'in', ids).execute())
  const eventIds = [...rsvps.values(), ...orders.values()].map(({ eventId }) => eventId)
  const recorders = await findRecorders(db, [...payments.values()])
  return {
    payments,
    orders,
    sponsorships,
    rsvps,
    messages,
    emails,
    reminders,
    newsletters,
    notes: written,
    levels: await levelsByKey(db),
    recorders,
    officers: await namesOf(db, [
      ...recorders.values(),
      ...[...payments.values(), ...orders.values(), ...sponsorships.values()].flatMap(({ voidedBy }) => voidedBy ?? []),
    ]),
    eventTitles: await titlesOf(db, eventIds),
  }
}

export type TimelineRows = Awaited<ReturnType<typeof readTimelineRows>>

async function byId<Row extends { id: string }>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<ReadonlyMap<string, Row>> {
  if (ids.length === 0) return new Map()
  return new Map((await read([...new Set(ids)])).map((row) => [row.id, row]))
}

/** Who recorded payments by hand, by payment id. The audit entry was written in the same transaction, at the same time. */
async function findRecorders(
  db: Db,
  payments: readonly { id: string; accountId: string; recordedAt: number }[],
): Promise<ReadonlyMap<string, string>> {
  if (payments.length === 0) return new Map()
  const entries = await db
    .selectFrom('audit')
    .select(['at', 'actor', 'subjectId'])
    .where('action', '=', 'payment.recorded')
    .where('subjectId', 'in', [...new Set(payments.map(({ accountId }) => accountId))])
    .where(
      'at',
      'in',
      payments.map(({ recordedAt }) => recordedAt),
    )
    .execute()
  return new Map(
    payments.flatMap(({ id, accountId, recordedAt }) => {
      const entry = entries.find(({ at, subjectId }) => at === recordedAt && subjectId === accountId)
      return entry ? [[id, entry.actor] as const] : []
    }),
  )
}

/** The names of officers, by id; "the webmaster" for commands. */
async function namesOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const people = await byId(ids, (some) =>
    db
      .selectFrom('account')
      .select(['id', sql<string>`first_name || ' ' || last_name`.as('name')])
      .where('id', 'in', some)
      .execute(),
  )
  return new Map([['webmaster', 'the webmaster'], ...[...people.values()].map(({ id, name }) => [id, name] as const)])
}

async function titlesOf(db: Db, eventIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>()
  for (const id of new Set(eventIds)) {
    const record = await findRecord(db, eventKind, id)
    if (record) titles.set(id, record.value.title)
  }
  return titles
}
