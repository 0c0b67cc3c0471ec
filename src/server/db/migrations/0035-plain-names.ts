import { sql, type Kysely } from 'kysely'

/** Tables that have the name of the glossary now: the old name, the new one. */
export const RENAMED_TABLES = {
  membership_notice: 'membership_reminder',
  event_offer: 'rsvp_settings',
} as const

/** Columns that do, by the table's new name. */
export const RENAMED_COLUMNS = {
  membership_reminder: { settled_at: 'closed_at', told: 'sent_values' },
  rsvp_settings: { words: 'text', called_off_at: 'canceled_at', called_off_words: 'cancellation_note' },
  rsvp: { place: 'status' },
  rsvp_refund: { words: 'note' },
  price_move: { settled_at: 'done_at' },
  delivery: { settled_at: 'finished_at' },
  account_merge: { kept_sign_in: 'kept_login' },
} as const

/** Kinds of the outbox whose new name is not just `email.` for `letter.`. */
const RENAMED_KINDS = {
  'email.membership_notice': 'email.membership_reminder',
  'email.given_back': 'email.refund',
  'email.newsletter_asked': 'email.newsletter_confirmation',
  'email.newsletter_left': 'email.newsletter_unsubscribed',
  'email.message_answer': 'email.message_reply',
  'email.alarm': 'email.alert',
  'payment.give_back': 'payment.refund',
  'account.tell_provider': 'account.update_provider',
}

/** Gives tables, columns and kinds the names of docs/glossary.md; no value of a member or an officer changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [from, to] of Object.entries(RENAMED_TABLES)) await db.schema.alterTable(from).renameTo(to).execute()
  for (const [table, columns] of Object.entries(RENAMED_COLUMNS))
    for (const [from, to] of Object.entries(columns)) await db.schema.alterTable(table).renameColumn(from, to).execute()

  await sql`update outbox set kind = 'email.' || substr(kind, 8) where kind like 'letter.%'`.execute(db)
  for (const [from, to] of Object.entries(RENAMED_KINDS))
    await sql`update outbox set kind = ${to} where kind = ${from}`.execute(db)
  await sql`update outbox set lane = 'emails' where lane = 'letters'`.execute(db)
  await sql`update outbox set payload = replace(payload, '"noticeId"', '"reminderId"') where kind = 'email.membership_reminder'`.execute(
    db,
  )
  await sql`update job set name = 'membership-reminders' where name = 'membership-notices'`.execute(db)
  // A merge that is undone later changes rows of the tables as they are called now.
  for (const [from, to] of Object.entries(RENAMED_TABLES))
    await sql`update account_merge set changes = replace(changes, ${`"table":"${from}"`}, ${`"table":"${to}"`})`.execute(
      db,
    )
  await sql`update audit set action = 'email.sent_again' where action = 'letter.sent_again'`.execute(db)
}
