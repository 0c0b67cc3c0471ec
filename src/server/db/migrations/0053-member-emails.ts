import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Emails to members: what is written to whom, who is reached how, what members do not want, and sealed proofs (decision record 62). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('campaign')
    .addColumn('recipients', 'text', (column) => column.notNull().defaultTo('subscribers'))
    .execute()
  // A copy goes to a subscriber, or to the account of a member.
  await db.schema.alterTable('delivery').renameColumn('subscriber_id', 'recipient_id').execute()
  await db.schema
    .createTable('member_email')
    .addColumn('campaign_id', 'text', (column) => column.notNull().primaryKey().references('campaign.id'))
    .addColumn('topic', 'text', required)
    .addColumn('audience', 'text', required)
    .addColumn('meeting_on', 'text')
    .addColumn('meeting_kind', 'text', required)
    .addColumn('window_reason', 'text')
    .addColumn('html_digest', 'text')
    .addColumn('text_digest', 'text')
    .execute()
  await db.schema
    .createTable('member_email_recipient')
    .addColumn('campaign_id', 'text', required)
    .addColumn('account_id', 'text', required)
    .addColumn('way', 'text', required)
    .addColumn('reason', 'text')
    .addColumn('posted_on', 'text')
    .addPrimaryKeyConstraint('member_email_recipient_key', ['campaign_id', 'account_id'])
    .execute()
  await db.schema
    .createIndex('member_email_recipient_account')
    .on('member_email_recipient')
    .column('account_id')
    .execute()
  await db.schema
    .createTable('email_topic_choice')
    .addColumn('id', 'text', key)
    .addColumn('account_id', 'text', required)
    .addColumn('topic', 'text', required)
    .addColumn('is_wanted', 'integer', required)
    .addColumn('chosen_at', 'bigint', required)
    .addUniqueConstraint('email_topic_choice_once', ['account_id', 'topic'])
    .execute()
  await db.schema
    .createTable('member_email_proof')
    .addColumn('campaign_id', 'text', key)
    .addColumn('sealed_at', 'bigint', required)
    .addColumn('sealed_by', 'text', required)
    .addColumn('recipients', 'text', required)
    .addColumn('pdf', 'text', required)
    .execute()
}
