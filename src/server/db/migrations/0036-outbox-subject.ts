import { sql, type Kysely } from 'kysely'
import type { Engine } from '../database.ts'

/** The fields of payloads with the person an email is about, at the time of this migration. */
export const SUBJECTS = {
  accountId: [
    'password_changed',
    'email_changed',
    'email_change_stopped',
    'account_deleted',
    'ending_failed',
    'deletion_failed',
    'accounts_merged',
    'accounts_separated',
    'welcome',
    'refund',
    'credentials',
    'credentials_question',
    'factor_changed',
    'approval_wanted',
  ],
  tokenId: ['verification', 'password_reset', 'email_change', 'email_change_announced', 'invitation'],
  email: ['already_registered', 'newsletter_test'],
  id: [
    'sponsor_thanks',
    'sponsor_paid',
    'contact_message',
    'contact_received',
    'message_reply',
    'rsvp_receipt',
    'rsvp_refund',
    'rsvp_refund_failed',
  ],
  paymentId: ['receipt', 'receipt_canceled'],
  reminderId: ['membership_reminder'],
  rsvpId: ['rsvp'],
  subscriberId: ['newsletter_confirmation', 'newsletter_unsubscribed'],
}
/** And with the recipient, if that is someone else. */
const RECIPIENTS = {
  formerEmail: ['email_changed'],
  officerId: ['email_change_stopped', 'ending_failed'],
  to: ['accounts_merged', 'accounts_separated'],
}

/** Emails about a person are found by an index, which was a search through the text of all payloads. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const [column, fields] of Object.entries({ subject: SUBJECTS, recipient: RECIPIENTS })) {
    await db.schema.alterTable('outbox').addColumn(column, 'text').execute()
    for (const [field, names] of Object.entries(fields)) {
      const value =
        engine === 'sqlite'
          ? sql`json_extract(payload, ${sql.lit(`$.${field}`)})`
          : sql`cast(payload as json) ->> ${sql.lit(field)}`
      const kinds = sql.join(names.map((name) => `email.${name}`))
      await sql`update outbox set ${sql.ref(column)} = ${value} where kind in (${kinds})`.execute(db)
    }
    await db.schema.createIndex(`outbox_${column}`).on('outbox').column(column).execute()
  }
}
