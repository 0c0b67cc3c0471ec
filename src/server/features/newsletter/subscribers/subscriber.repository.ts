import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { inBatches } from '#server/db/in-batches.ts'
import type { SubscriberTable } from '#server/db/newsletter-schema.ts'
import { nameKey } from '../account/account.repository.ts'

/** `pending`: asked for and not confirmed, so nothing but the question is mailed. */
export type SubscriberState = SubscriberTable['state']

// Every value of every row is a parameter, and engines take only so many.
const ROWS_AT_ONCE = 100

export interface Subscriber {
  id: string
  email: string
  state: SubscriberState
  source: string
  /** Epoch milliseconds. */
  askedAt: number
  confirmedAt: number | null
  leftAt: number | null
  /** Of whoever came in a list: when it was imported, and what it says of the consent. */
  imported?: { at: number; consentOn: string | null; consentSource: string | null }
}

export async function findSubscriber(db: Db, id: string): Promise<Subscriber | null> {
  const row = await db.selectFrom('subscriber').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toSubscriber(row) : null
}

export async function findSubscriberByEmail(db: Db, email: string): Promise<Subscriber | null> {
  const row = await db.selectFrom('subscriber').selectAll().where('email_key', '=', nameKey(email)).executeTakeFirst()
  return row ? toSubscriber(row) : null
}

/** Notes that somebody asked for the newsletter with this address; who is subscribed stays so. */
export async function noteRequest(
  db: Db,
  { id, email, source, now }: { id: string; email: string; source: string; now: number },
): Promise<void> {
  await db
    .insertInto('subscriber')
    .values({
      id,
      email,
      email_key: nameKey(email),
      state: 'pending',
      source,
      asked_at: now,
      confirmed_at: null,
      left_at: null,
      ...NOT_IMPORTED,
      hard_bounces: 0,
      soft_bounces: 0,
    })
    .onConflict((conflict) => conflict.column('email_key').doUpdateSet({ asked_at: now }))
    .execute()
}

const NOT_IMPORTED = { imported_at: null, consent_on: null, consent_source: null }

/** For samples. */
export async function insertSubscribers(db: Db, subscribers: readonly Subscriber[]): Promise<void> {
  const rows = subscribers.map((subscriber) => ({
    id: subscriber.id,
    email: subscriber.email,
    email_key: nameKey(subscriber.email),
    state: subscriber.state,
    source: subscriber.source,
    asked_at: subscriber.askedAt,
    confirmed_at: subscriber.confirmedAt,
    left_at: subscriber.leftAt,
    ...NOT_IMPORTED,
    hard_bounces: 0,
    soft_bounces: 0,
  }))
  await inBatches(rows, (some) => db.insertInto('subscriber').values(some).execute())
}

/** Of these addresses those that are on the list in whatever state, in small letters. */
export async function findKnownAddresses(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const rows = await inBatches(emails.map(nameKey), (some) =>
    db.selectFrom('subscriber').select('email_key').where('email_key', 'in', some).execute(),
  )
  return new Set(rows.map((row) => row.email_key))
}

/** Subscribes whom a list names, without a confirmation of their own. Who is there stays as they are; answers how many were added. */
export async function insertImported(
  db: Db,
  readers: readonly { id: string; email: string; consentOn: string | null; consentSource: string | null }[],
  now: number,
): Promise<number> {
  const rows = readers.map(({ id, email, consentOn, consentSource }) => ({
    id,
    email,
    email_key: nameKey(email),
    state: 'subscribed' as const,
    source: 'import',
    asked_at: now,
    confirmed_at: null,
    left_at: null,
    imported_at: now,
    consent_on: consentOn,
    consent_source: consentSource,
    hard_bounces: 0,
    soft_bounces: 0,
  }))
  const added = await inBatches(
    rows,
    (some) =>
      db
        .insertInto('subscriber')
        .values(some)
        .onConflict((conflict) => conflict.column('email_key').doNothing())
        .returning('id')
        .execute(),
    ROWS_AT_ONCE,
  )
  return added.length
}

/** Subscribes, unless the person left after `issuedAt`, when the proof was made. True when they are subscribed now. */
export async function confirmSubscriber(
  db: Db,
  { id, issuedAt, now }: { id: string; issuedAt: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('subscriber')
    .set((eb) => ({
      state: 'subscribed' as const,
      hard_bounces: 0,
      soft_bounces: 0,
      // A second opening of the same letter changes nothing.
      confirmed_at: eb
        .case()
        .when('state', '=', 'subscribed')
        .then(eb.fn.coalesce('confirmed_at', eb.val<number | null>(now)))
        .else(eb.val<number | null>(now))
        .end(),
    }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('left_at', 'is', null), eb('left_at', '<=', issuedAt)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Of whoever is subscribed or was asked. Everybody else is nobody's business. */
export async function markLeft(db: Db, email: string, now: number): Promise<void> {
  await db
    .updateTable('subscriber')
    .set({ state: 'left', left_at: now })
    .where('email_key', '=', nameKey(email))
    .where('state', '!=', 'left')
    .execute()
}

/** Adds a letter that came back, and answers how many that makes since the address was confirmed. */
export async function countBounce(db: Db, id: string, kind: 'hard' | 'soft'): Promise<{ hard: number; soft: number }> {
  const column = kind === 'hard' ? 'hard_bounces' : 'soft_bounces'
  const row = await db
    .updateTable('subscriber')
    .set((eb) => ({ [column]: eb(column, '+', 1) }))
    .where('id', '=', id)
    .returning(['hard_bounces', 'soft_bounces'])
    .executeTakeFirst()
  return { hard: row?.hard_bounces ?? 0, soft: row?.soft_bounces ?? 0 }
}

/** Off the list without having asked to be. */
export async function markOut(db: Db, id: string, state: 'bounced' | 'complained', now: number): Promise<void> {
  await db
    .updateTable('subscriber')
    .set({ state, left_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['subscribed', 'pending'])
    .execute()
}

/** Which of these hashes are on the suppression list. */
export async function listSuppressed(db: Db, emailHashes: readonly string[]): Promise<Set<string>> {
  if (emailHashes.length === 0) return new Set()
  const rows = await db.selectFrom('suppression').select('email_hash').where('email_hash', 'in', emailHashes).execute()
  return new Set(rows.map((row) => row.email_hash))
}

export async function countSubscribers(db: Db): Promise<Partial<Record<SubscriberState, number>>> {
  const rows = await db
    .selectFrom('subscriber')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}

/** One page of those in a state, the latest first. */
export async function findSubscriberPage(
  db: Db,
  { state, words, offset, limit }: { state: SubscriberState; words: string; offset: number; limit: number },
): Promise<Subscriber[]> {
  const pattern = `%${words.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  const rows = await db
    .selectFrom('subscriber')
    .selectAll()
    .where('state', '=', state)
    .$if(words !== '', (query) => query.where(sql<boolean>`email_key like ${pattern} escape '\\'`))
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map(toSubscriber)
}

/** Requests nobody confirmed. */
export async function forgetUnconfirmed(db: Db, before: number): Promise<void> {
  await db.deleteFrom('subscriber').where('state', '=', 'pending').where('asked_at', '<', before).execute()
}

/** No letter and no import goes past it (docs/product-rules.md#suppression). `emailHash` is keyed: the list tells nobody who is on it. */
export async function suppress(db: Db, emailHash: string, reason: string, now: number): Promise<void> {
  await db
    .insertInto('suppression')
    .values({ email_hash: emailHash, reason, created_at: now })
    .onConflict((conflict) => conflict.column('email_hash').doNothing())
    .execute()
}

/** Only on the person's own double opt-in. */
export async function liftSuppression(db: Db, emailHash: string): Promise<void> {
  await db.deleteFrom('suppression').where('email_hash', '=', emailHash).execute()
}

function toSubscriber(row: SubscriberTable): Subscriber {
  return {
    id: row.id,
    email: row.email,
    state: row.state,
    source: row.source,
    askedAt: row.asked_at,
    confirmedAt: row.confirmed_at,
    leftAt: row.left_at,
    ...(row.imported_at !== null && {
      imported: { at: row.imported_at, consentOn: row.consent_on, consentSource: row.consent_source },
    }),
  }
}
