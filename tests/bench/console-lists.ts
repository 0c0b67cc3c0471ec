import { listRecords } from '#server/features/content-store/content.queries.ts'
import { readSchedule } from '#server/features/content-store/event-times.rules.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import type { Insertable, Kysely } from 'kysely'
import { openDatabase } from '#server/db/open-database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { gatherStatistics } from '#server/db/table-statistics.ts'
import { newId } from '#server/lib/ids.ts'
import type { Random } from '#tests/trust/random.ts'

const HOUR_MS = 3_600_000
const BATCH = 500
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

const SUBJECTS = ['Membership', 'The gala', 'Clinic hours', 'A question about dues', 'Volunteering']
const ACTIONS = ['member.changed', 'credential.approved', 'payment.recorded', 'content.published', 'message.answered']

export interface ListSizes {
  messages: number
  subscribers: number
  credentials: number
  history: number
  guests: number
}

/** Fills officers' lists as after years of use, for existing members: most entries are done, a few are open. @returns the event with the RSVPs */
export async function fillLists(databaseUrl: string, sizes: ListSizes, random: Random): Promise<{ eventId: string }> {
  const { db, close } = openDatabase(databaseUrl, quiet)
  try {
    const members = await db.selectFrom('account').select(['id', 'email']).orderBy('id').execute()
    const memberIds = members.map(({ id }) => id)
    const now = Date.now()
    await insert(db, 'contactMessage', sizes.messages, (number) => message(number, now, random))
    await insert(db, 'subscriber', sizes.subscribers, (number) => subscriber(number, now))
    await insert(db, 'credential', sizes.credentials, (number) => credential(number, memberIds, now))
    await insert(db, 'audit', sizes.history, (number) => auditEntry(number, memberIds, now, random))
    const eventId = await offerEvent(db, now)
    await insert(db, 'rsvp', sizes.guests, (number) => guest(number, eventId, now, random))
    // What autovacuum would do some minutes later on a real server.
    await gatherStatistics(db)
    return { eventId }
  } finally {
    await close()
  }
}

async function insert<Table extends keyof Schema>(
  db: Kysely<Schema>,
  table: Table,
  count: number,
  row: (number: number) => Insertable<Schema[Table]>,
): Promise<void> {
  for (let first = 0; first < count; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - first) }, (_, at) => row(first + at))
    await db.insertInto(table).values(rows).execute()
  }
}

/** One in a hundred is open, one in fifty spam. */
function message(number: number, now: number, random: Random): Insertable<Schema['contactMessage']> {
  const at = now - number * 6 * HOUR_MS
  return {
    id: newId(at),
    name: `Visitor ${number}`,
    email: `visitor${number}@bench.example`,
    subject: random.pick(SUBJECTS),
    message: `I write about matter ${number}. ${'Please tell me what I have to do, and until when. '.repeat(8)}`,
    receivedAt: at,
    answeredAt: number % 100 === 0 ? null : at + HOUR_MS,
    assignedTo: null,
    spamAt: number % 50 === 1 ? at : null,
    version: 1,
  }
}

/** One in ten never confirmed, one in ten unsubscribed. */
function subscriber(number: number, now: number): Insertable<Schema['subscriber']> {
  const at = now - number * HOUR_MS
  const state = (['pending', 'left'] as const)[number % 10] ?? 'subscribed'
  return {
    id: newId(at),
    email: `Reader${number}@bench.example`,
    emailKey: `reader${number}@bench.example`,
    state,
    source: 'homepage',
    askedAt: at,
    confirmedAt: state === 'pending' ? null : at,
    leftAt: state === 'left' ? at + HOUR_MS : null,
    hardBounces: 0,
    softBounces: 0,
  }
}

/** One in fifty is pending. */
function credential(number: number, memberIds: readonly string[], now: number): Insertable<Schema['credential']> {
  const at = now - number * HOUR_MS
  const waits = number % 50 === 0
  return {
    id: newId(at),
    accountId: memberIds[number % memberIds.length] ?? '',
    kind: 'licence',
    npi: String(1_000_000_000 + number),
    licenceState: 'GA',
    givenAt: at,
    status: waits ? 'waiting' : 'approved',
    decidedAt: waits ? null : at + HOUR_MS,
    evidence: waits ? null : 'The registry lists this number under this name.',
  }
}

function auditEntry(
  number: number,
  memberIds: readonly string[],
  now: number,
  random: Random,
): Insertable<Schema['audit']> {
  const at = now - number * 600_000
  return {
    id: newId(at),
    at,
    actor: random.chance(0.5) ? random.pick(memberIds) : 'system',
    action: random.pick(ACTIONS),
    subjectId: random.pick(memberIds),
    details: JSON.stringify({ before: { phone: `404-555-${number}` }, after: { phone: `678-555-${number}` } }),
  }
}

async function offerEvent(db: Kysely<Schema>, now: number): Promise<string> {
  const today = new Date(now).toISOString().slice(0, 10)
  const newestFirst = await listRecords(db, eventKind)
  const next = newestFirst.findLast(({ value }) => (readSchedule(value).startsOn ?? '') >= today)
  if (!next) throw new Error('No event is ahead')
  const { id } = next
  await db.deleteFrom('rsvp').where('eventId', '=', id).execute()
  await db.deleteFrom('rsvpSettings').where('eventId', '=', id).execute()
  const offer = {
    eventId: id,
    isOpen: 1,
    guestsMax: 4,
    meals: '["Vegetarian","Chicken"]',
    kinds: '[]',
    version: 1,
    turn: 1,
  }
  await db
    .insertInto('rsvpSettings')
    .values({ ...offer, updatedAt: now })
    .execute()
  return id
}

function guest(number: number, eventId: string, now: number, random: Random): Insertable<Schema['rsvp']> {
  const at = now - number * 60_000
  const guests = random.between(0, 3)
  return {
    id: newId(at),
    eventId,
    name: `Guest ${number}`,
    email: `guest${number}@bench.example`,
    emailKey: `guest${number}@bench.example`,
    guests,
    meals: JSON.stringify(Array.from({ length: guests + 1 }, () => 'Vegetarian')),
    status: 'coming',
    askedAt: at,
    changedAt: at,
    tickets: '[]',
    ownPrice: 0,
    guestPrice: 0,
    isWalkIn: 0,
    arrived: 0,
  }
}
