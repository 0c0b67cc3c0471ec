import { sql, type SelectQueryBuilder } from 'kysely'
import type { MessageState } from '#contract/console/messages.ts'
import type { Db } from '#server/db/database.ts'
import type { ContactMessageTable } from '#server/db/schema/inbox-schema.ts'
import type { Schema } from '#server/db/schema/schema.ts'

/** A message as officers see it. Times are epoch milliseconds. */
export interface InboxMessage {
  id: string
  name: string
  email: string
  subject: string
  message: string
  state: MessageState
  receivedAt: number
  answeredAt: number | null
  assignedTo: string | null
  /** null: unassigned, or a deleted account. */
  assigneeName: string | null
  version: number
}

export interface MessageAnswer {
  id: string
  messageId: string
  text: string
  sentAt: number
  mailedAt: number | null
  /** null: a deleted account. */
  by: string | null
}

/** Returns one page: open messages oldest first, since those are due first; others newest first. */
export async function findMessagePage(
  db: Db,
  { state, term, offset, limit }: { state: MessageState; term: string; offset: number; limit: number },
): Promise<InboxMessage[]> {
  const pattern = `%${term.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  const like = (column: string) =>
    sql<boolean>`lower(${sql.ref(`contact_message.${column}`)}) like ${pattern} escape '\\'`
  const rows = await withAssignee(inState(db.selectFrom('contact_message'), state))
    .$if(term !== '', (query) =>
      query.where((eb) => eb.or(['name', 'email', 'subject', 'message'].map((column) => like(column)))),
    )
    .orderBy('contact_message.received_at', state === 'open' ? 'asc' : 'desc')
    .orderBy('contact_message.id')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map(toInboxMessage)
}

export async function countMessages(db: Db): Promise<Record<MessageState, number>> {
  const { open, answered, spam } = await db
    .selectFrom('contact_message')
    .select([
      sql<number | string>`count(case when spam_at is null and answered_at is null then 1 end)`.as('open'),
      sql<number | string>`count(case when spam_at is null and answered_at is not null then 1 end)`.as('answered'),
      sql<number | string>`count(spam_at)`.as('spam'),
    ])
    .executeTakeFirstOrThrow()
  return { open: Number(open), answered: Number(answered), spam: Number(spam) }
}

export async function findInboxMessage(db: Db, id: string): Promise<InboxMessage | null> {
  const row = await withAssignee(db.selectFrom('contact_message'))
    .where('contact_message.id', '=', id)
    .executeTakeFirst()
  return row ? toInboxMessage(row) : null
}

/** Returns false if the version has changed or the message was deleted. */
export async function changeMessage(
  db: Db,
  { id, version }: { id: string; version: number },
  change: Partial<Pick<ContactMessageTable, 'answered_at' | 'assigned_to' | 'spam_at'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contact_message')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function addAnswer(
  db: Db,
  { id, messageId, text, sentBy, now }: { id: string; messageId: string; text: string; sentBy: string; now: number },
): Promise<void> {
  await db
    .insertInto('message_answer')
    .values({ id, message_id: messageId, text, sent_by: sentBy, sent_at: now, mailed_at: null })
    .execute()
}

/** Oldest first. */
export async function listAnswers(db: Db, messageId: string): Promise<MessageAnswer[]> {
  const rows = await answers(db).where('message_id', '=', messageId).orderBy('sent_at').execute()
  return rows.map(toAnswer)
}

export async function findAnswer(db: Db, id: string): Promise<MessageAnswer | null> {
  const row = await answers(db).where('message_answer.id', '=', id).executeTakeFirst()
  return row ? toAnswer(row) : null
}

export async function markAnswerSent(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('message_answer').set({ mailed_at: now }).where('id', '=', id).execute()
}

function inState<O>(query: SelectQueryBuilder<Schema, 'contact_message', O>, state: MessageState) {
  if (state === 'spam') return query.where('contact_message.spam_at', 'is not', null)
  return query
    .where('contact_message.spam_at', 'is', null)
    .where('contact_message.answered_at', state === 'open' ? 'is' : 'is not', null)
}

function withAssignee<O>(query: SelectQueryBuilder<Schema, 'contact_message', O>) {
  return query
    .leftJoin('account', 'account.id', 'contact_message.assigned_to')
    .selectAll('contact_message')
    .select(sql<string | null>`account.first_name || ' ' || account.last_name`.as('assignee_name'))
}

function answers(db: Db) {
  return db
    .selectFrom('message_answer')
    .leftJoin('account', 'account.id', 'message_answer.sent_by')
    .selectAll('message_answer')
    .select(sql<string | null>`account.first_name || ' ' || account.last_name`.as('by'))
}

function toInboxMessage(row: ContactMessageTable & { assignee_name: string | null }): InboxMessage {
  const { id, name, email, subject, message, received_at, answered_at, spam_at, version } = row
  return {
    id,
    name,
    email,
    subject,
    message,
    state: spam_at !== null ? 'spam' : answered_at === null ? 'open' : 'answered',
    receivedAt: received_at,
    answeredAt: answered_at,
    assignedTo: row.assigned_to,
    assigneeName: row.assignee_name,
    version,
  }
}

function toAnswer(row: {
  id: string
  message_id: string
  text: string
  sent_at: number
  mailed_at: number | null
  by: string | null
}): MessageAnswer {
  const { id, text, by } = row
  return { id, messageId: row.message_id, text, by, sentAt: row.sent_at, mailedAt: row.mailed_at }
}
