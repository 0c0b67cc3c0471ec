import { sql, type SelectQueryBuilder } from 'kysely'
import type { MessageState } from '#contract/console/messages.ts'
import type { Db } from '#server/db/database.ts'
import type { ContactMessageTable, MessageAnswerTable } from '#server/db/schema/inbox-schema.ts'
import type { Schema } from '#server/db/schema/schema.ts'

/** A message as officers see it. Times are epoch milliseconds. */
export type InboxMessage = ContactMessageTable & {
  /** null: unassigned, or a deleted account. */
  assigneeName: string | null
}

export type MessageAnswer = MessageAnswerTable & {
  /** The name of the officer; null: a deleted account. */
  by: string | null
}

/** Returns one page: open messages oldest first, since those are due first; others newest first. */
export async function findMessagePage(
  db: Db,
  {
    state,
    term,
    assignee,
    offset,
    limit,
  }: {
    state: MessageState
    term: string
    /** An account, or null for messages without an assignee; undefined: all. */
    assignee?: string | null
    offset: number
    limit: number
  },
): Promise<InboxMessage[]> {
  const pattern = `%${term.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  const like = (column: string) =>
    sql<boolean>`lower(${sql.ref(`contact_message.${column}`)}) like ${pattern} escape '\\'`
  return withAssignee(inState(db.selectFrom('contactMessage'), state))
    .$if(assignee === null, (query) => query.where('assignedTo', 'is', null))
    .$if(typeof assignee === 'string', (query) => query.where('assignedTo', '=', assignee ?? ''))
    .$if(term !== '', (query) =>
      query.where((eb) => eb.or(['name', 'email', 'subject', 'message'].map((column) => like(column)))),
    )
    .orderBy('contactMessage.receivedAt', state === 'open' ? 'asc' : 'desc')
    .orderBy('contactMessage.id')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** @param accountId whose open messages are counted as `mine` */
export async function countMessages(
  db: Db,
  accountId: string,
): Promise<Record<MessageState | 'mine' | 'unassigned', number>> {
  const isOpen = sql`spam_at is null and answered_at is null`
  const { open, mine, unassigned, answered, spam } = await db
    .selectFrom('contactMessage')
    .select([
      sql<number | string>`count(case when ${isOpen} then 1 end)`.as('open'),
      sql<number | string>`count(case when ${isOpen} and assigned_to = ${accountId} then 1 end)`.as('mine'),
      sql<number | string>`count(case when ${isOpen} and assigned_to is null then 1 end)`.as('unassigned'),
      sql<number | string>`count(case when spam_at is null and answered_at is not null then 1 end)`.as('answered'),
      sql<number | string>`count(spam_at)`.as('spam'),
    ])
    .executeTakeFirstOrThrow()
  return {
    open: Number(open),
    mine: Number(mine),
    unassigned: Number(unassigned),
    answered: Number(answered),
    spam: Number(spam),
  }
}

export async function findInboxMessage(db: Db, id: string): Promise<InboxMessage | null> {
  const row = await withAssignee(db.selectFrom('contactMessage')).where('contactMessage.id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Oldest first. */
export async function listAnswers(db: Db, messageId: string): Promise<MessageAnswer[]> {
  return answers(db).where('messageId', '=', messageId).orderBy('sentAt').execute()
}

/** Oldest first. */
export async function listNotes(
  db: Db,
  messageId: string,
): Promise<{ id: string; text: string; by: string | null; writtenAt: number }[]> {
  return db
    .selectFrom('messageNote')
    .leftJoin('account', 'account.id', 'messageNote.writtenBy')
    .select(['messageNote.id', 'messageNote.text', 'messageNote.writtenAt'])
    .select(sql<string | null>`account.first_name || ' ' || account.last_name`.as('by'))
    .where('messageId', '=', messageId)
    .orderBy('writtenAt')
    .execute()
}

export async function findAnswer(db: Db, id: string): Promise<MessageAnswer | null> {
  const row = await answers(db).where('messageAnswer.id', '=', id).executeTakeFirst()
  return row ?? null
}

function inState<O>(query: SelectQueryBuilder<Schema, 'contactMessage', O>, state: MessageState) {
  if (state === 'spam') return query.where('contactMessage.spamAt', 'is not', null)
  return query
    .where('contactMessage.spamAt', 'is', null)
    .where('contactMessage.answeredAt', state === 'open' ? 'is' : 'is not', null)
}

function withAssignee<O>(query: SelectQueryBuilder<Schema, 'contactMessage', O>) {
  return query
    .leftJoin('account', 'account.id', 'contactMessage.assignedTo')
    .selectAll('contactMessage')
    .select(sql<string | null>`account.first_name || ' ' || account.last_name`.as('assigneeName'))
}

function answers(db: Db) {
  return db
    .selectFrom('messageAnswer')
    .leftJoin('account', 'account.id', 'messageAnswer.sentBy')
    .selectAll('messageAnswer')
    .select(sql<string | null>`account.first_name || ' ' || account.last_name`.as('by'))
}

export function messageState({ spamAt, answeredAt }: Pick<InboxMessage, 'spamAt' | 'answeredAt'>): MessageState {
  if (spamAt !== null) return 'spam'
  return answeredAt === null ? 'open' : 'answered'
}
