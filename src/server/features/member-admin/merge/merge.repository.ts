import { sql } from 'kysely'
import { hasNpi, kindOf, listLabel, numberField, type CredentialKind } from '#contract/credentials/credential-kinds.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { type Account } from '#server/features/accounts/account.queries.ts'
import { changeRow, changeRows } from '#server/features/accounts/row-change.commands.ts'
import { findModifiedTable, type RowChange } from '#server/features/accounts/row-change.queries.ts'
import { listMovingTopicChoices } from '#server/features/email-topics/email-topic.queries.ts'
import { listMovingAnswers } from '#server/features/roll-call/roll-call.queries.ts'
import { listMovingEntries } from '#server/features/roll/roll.queries.ts'
import { listMovingIds } from '#server/features/member-record/record-value.queries.ts'
import type { Membership } from '#server/features/memberships/membership.queries.ts'
import type { MemberListRow } from '../member-list.repository.ts'

/** Tables whose rows belong to an account, with the column. */
const OWNED = [
  { table: 'payment', column: 'account_id' },
  { table: 'checkout', column: 'person_id' },
  { table: 'membership_reminder', column: 'account_id' },
  { table: 'credential', column: 'account_id' },
  { table: 'consent', column: 'person_id' },
  { table: 'complimentary_term', column: 'account_id' },
  { table: 'member_viewing', column: 'account_id' },
  { table: 'member_note', column: 'account_id' },
  { table: 'death_report', column: 'account_id' },
  { table: 'roll_objection', column: 'account_id' },
] as const

/** How many rows of each table an account has. */
export async function countOwnedRows(db: Db, accountId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, column } of [...OWNED, { table: 'membership', column: 'account_id' } as const]) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}
      where ${sql.ref(column)} = ${accountId}`.execute(db)
    counts[table] = Number(rows[0]?.n ?? 0)
  }
  return counts
}

export async function moveOwnedRows(
  tx: Tx,
  log: RowChange[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const { table, column } of OWNED) {
    await changeRows(tx, log, { table, where: { [column]: from }, set: { [column]: to } })
  }
}

/** Moves the values of the member record that the remaining account does not have; the others stay where they are. */
export async function moveRecordValues(
  tx: Tx,
  log: RowChange[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const value of await listMovingIds(tx, { from, to }))
    await changeRow(tx, log, { table: 'record_value', value, set: { account_id: to }, seen: ['changed_at'] })
}

/** Moves the choices of email topics that the remaining account has not made itself. */
export async function moveTopicChoices(
  tx: Tx,
  log: RowChange[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const value of await listMovingTopicChoices(tx, { from, to }))
    await changeRow(tx, log, { table: 'email_topic_choice', value, set: { account_id: to } })
}

/** Moves the answers to roll calls that did not ask the remaining account, and the entries of rolls that it is not on. */
export async function moveRolls(tx: Tx, log: RowChange[], { from, to }: { from: string; to: string }): Promise<void> {
  for (const value of await listMovingAnswers(tx, { from, to }))
    await changeRow(tx, log, { table: 'roll_call_member', value, set: { account_id: to } })
  for (const value of await listMovingEntries(tx, { from, to }))
    await changeRow(tx, log, { table: 'roll_entry', value, set: { account_id: to } })
}

/** Changes of the member record that were changed again since: what the member entered since stays with the remaining account. */
export async function withoutNewerValues(db: Db, changes: readonly RowChange[]): Promise<RowChange[]> {
  const kept: RowChange[] = []
  for (const change of changes)
    if (change.table !== 'record_value' || (await findModifiedTable(db, [change])) === null) kept.push(change)
  return kept
}

/** Moves all memberships; the one that is not kept as current becomes history. */
export async function moveMemberships(
  tx: Tx,
  log: RowChange[],
  wanted: { from: string; to: string; retired: Membership | null; now: number },
): Promise<void> {
  const { from, to, retired, now } = wanted
  const seen = ['level_key', 'ends_at', 'stripe_status', 'ended_at', 'is_current'] as const
  if (retired) {
    const set = { is_current: null, ended_at: retired.endedAt ?? now }
    await changeRow(tx, log, { table: 'membership', value: retired.id, set, seen })
  }
  await changeRows(tx, log, { table: 'membership', where: { account_id: from }, set: { account_id: to }, seen })
}

/** Records tied to an email address rather than to an account. */
export interface AddressData {
  rsvps: string[]
  /** Events for which both addresses have an RSVP; these stay unchanged. */
  duplicateRsvpEvents: string[]
  sponsorships: string[]
  winnerSubscription: string | null
  loserSubscription: { id: string; state: string } | null
}

export async function findAddressData(
  db: Db,
  { winner, loser }: { winner: string; loser: string },
): Promise<AddressData> {
  const rsvps = await db
    .selectFrom('rsvp')
    .select(['id', 'eventId', 'emailKey'])
    .where('emailKey', 'in', [nameKey(winner), nameKey(loser)])
    .orderBy('id')
    .execute()
  const answered = new Set(rsvps.filter((row) => row.emailKey === nameKey(winner)).map((row) => row.eventId))
  const theirs = rsvps.filter((row) => row.emailKey === nameKey(loser))
  const sponsorships = await db
    .selectFrom('sponsorship')
    .select('id')
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', nameKey(loser)))
    .execute()
  const subscribers = await db
    .selectFrom('subscriber')
    .select(['id', 'emailKey', 'state'])
    .where('emailKey', 'in', [nameKey(winner), nameKey(loser)])
    .execute()
  const subscriber = (email: string) => subscribers.find((row) => row.emailKey === nameKey(email)) ?? null
  return {
    rsvps: theirs.filter((row) => !answered.has(row.eventId)).map(({ id }) => id),
    duplicateRsvpEvents: theirs.filter((row) => answered.has(row.eventId)).map((row) => row.eventId),
    sponsorships: sponsorships.map(({ id }) => id),
    winnerSubscription: subscriber(winner)?.state ?? null,
    loserSubscription: subscriber(loser),
  }
}

/** Whether restoring a row would conflict: the address has subscribed or responded again since. */
export async function hasRestoreConflict(db: Db, changes: readonly RowChange[]): Promise<boolean> {
  for (const { table, key, before } of changes) {
    const email = before['email_key']
    if (typeof email !== 'string' || (table !== 'subscriber' && table !== 'rsvp')) continue
    const { rows } = await (
      table === 'subscriber'
        ? sql`select 1 from subscriber where email_key = ${email} and id <> ${key.value}`
        : sql`select 1 from rsvp mine join rsvp other on other.event_id = mine.event_id and other.id <> mine.id
          where mine.id = ${key.value} and other.email_key = ${email}`
    ).execute(db)
    if (rows.length > 0) return true
  }
  return false
}

/** Whether a payment is in progress at the card provider: dues of the account, or seats found by its address. */
export async function hasOpenOrder(db: Db, { id, email }: Pick<Account, 'id' | 'email'>): Promise<boolean> {
  const dues = await db
    .selectFrom('checkout')
    .select('id')
    .where('personId', '=', id)
    .where('openKey', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  const seats = await db
    .selectFrom('rsvpOrder')
    .select('id')
    .where('emailKey', '=', nameKey(email))
    .where('openKey', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return dues !== undefined || seats !== undefined
}

export async function isBeingDeleted(db: Db, accountId: string): Promise<boolean> {
  const row = await db.selectFrom('accountDeletion').select('id').where('accountId', '=', accountId).executeTakeFirst()
  return row !== undefined
}

const MOST_DUPLICATES = 20

/** Other active accounts with the same name, the same number in credentials of a kind, or a similar address; by id, with the reasons. */
export async function findLikelyDuplicates(
  db: Db,
  account: Pick<Account, 'id' | 'firstName' | 'lastName' | 'email'>,
  kinds: readonly CredentialKind[],
): Promise<Map<string, string[]>> {
  // Query the credentials once instead of once per account.
  const sameNumber = await findWithSameNumber(db, account.id, kinds)
  const hasSameNumber = sameNumber.size > 0 ? sql`a.id in (${sql.join([...sameNumber.keys()])})` : sql`1 = 0`
  const { rows } = await sql<{ id: string; name: number; number: number; mailbox: number }>`
    select * from (
      select a.id,
        case when lower(trim(a.first_name)) = ${nameKey(account.firstName)}
          and lower(trim(a.last_name)) = ${nameKey(account.lastName)} then 1 else 0 end as name,
        case when ${hasSameNumber} then 1 else 0 end as number,
        case when lower(a.last_name) = ${nameKey(account.lastName)}
          and a.email_key like ${`${localPart(account.email)}@%`} escape '\\' then 1 else 0 end as mailbox
      from account a where a.id <> ${account.id} and a.deactivated_by is null
    ) found where name + number + mailbox > 0 order by number desc, name desc, id limit ${MOST_DUPLICATES}`.execute(db)
  return new Map(
    rows.map(({ id, name, number, mailbox }) => [
      id,
      [
        ...(Number(number) === 1 ? [`the same ${sameNumber.get(id)}`] : []),
        ...(Number(name) === 1 ? ['the same name'] : []),
        ...(Number(mailbox) === 1 ? ['a similar address and last name'] : []),
      ],
    ]),
  )
}

/** The name of the number by account; an NPI is the same wherever the license was issued. Limited: further accounts can be found by name. */
async function findWithSameNumber(
  db: Db,
  accountId: string,
  kinds: readonly CredentialKind[],
): Promise<Map<string, string>> {
  const national = kinds.filter(hasNpi).map(({ key }) => key)
  const isNational = national.length > 0 ? sql<boolean>`own.kind in (${sql.join(national)})` : sql<boolean>`1 = 0`
  const rows = await db
    .selectFrom('credential')
    .innerJoin('credential as own', (join) =>
      join.onRef('own.npi', '=', 'credential.npi').onRef('own.kind', '=', 'credential.kind'),
    )
    .select(['credential.accountId', 'credential.kind'])
    .distinct()
    .where('own.accountId', '=', accountId)
    .where('own.npi', '!=', '')
    .where('credential.accountId', '!=', accountId)
    .where((eb) => eb.or([isNational, eb('own.licenceState', '=', eb.ref('credential.licenceState'))]))
    .limit(MOST_DUPLICATES)
    .execute()
  return new Map(rows.map((row) => [row.accountId, numberLabel(kindOf(kinds, row.kind))]))
}

/** `NPI`, or `license number`. */
function numberLabel(kind: CredentialKind): string {
  const field = numberField(kind)
  const label = field ? listLabel(field) : 'number'
  return /^.[^A-Z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}

/** The rows that can be merged. */
export function filterMergeable(rows: readonly MemberListRow[], accountId: string): MemberListRow[] {
  return rows.filter(({ id, state }) => id !== accountId && !['LEFT', 'DECEASED', 'DISABLED'].includes(state))
}

function localPart(email: string): string {
  return (nameKey(email).split('@')[0] ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)
}
