import { dayOf } from '#contract/dates/dates.ts'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { listEntriesOf } from '#server/features/member-record/record-value.queries.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import type { ExistingAccounts, ExistingAccount } from './member-import.rules.ts'
import { runsUntilSql } from '#server/features/memberships/membership-state.queries.ts'

/** How an export formats dates and end dates. */
interface ExportFormat {
  timeZone: string
  graceMs: number
}

/** Accounts with one of these addresses or usernames, formatted like an export. */
export async function findExistingAccounts(
  db: Db,
  { emails, usernames }: { emails: readonly string[]; usernames: readonly string[] },
  format: ExportFormat,
): Promise<ExistingAccounts> {
  const people = new Map<string, ExistingAccount[]>()
  const addresses = [...new Set(emails.map(nameKey))].filter(Boolean)
  for (const { emailKey, ...person } of await queryInChunks(addresses, (some) => peopleAt(db, some, format))) {
    people.set(emailKey, [...(people.get(emailKey) ?? []), person])
  }
  const names = [...new Set([...emails, ...usernames].map(nameKey))].filter(Boolean)
  const held = await queryInChunks(names, (some) =>
    db
      .selectFrom('loginName')
      .select(['nameKey', 'accountId'])
      .where('nameKey', 'in', some)
      .where('accountId', 'is not', null)
      .execute(),
  )
  const holders = new Map(held.map((row) => [row.nameKey, row.accountId ?? '']))
  return {
    atAddress: (email) => people.get(email) ?? [],
    findByLoginName: (name) => holders.get(name) ?? null,
  }
}

async function peopleAt(
  db: Db,
  addresses: readonly string[],
  { timeZone, graceMs }: ExportFormat,
): Promise<(ExistingAccount & { emailKey: string })[]> {
  const rows = await db
    .selectFrom('account')
    .leftJoin('membership', (join) =>
      join.onRef('membership.accountId', '=', 'account.id').on('membership.isCurrent', '=', 1),
    )
    .leftJoin('accountEnd', 'accountEnd.accountId', 'account.id')
    .select([
      'account.id',
      'account.email',
      'account.emailKey',
      'account.username',
      'account.firstName',
      'account.lastName',
      'account.deactivatedBy',
      'accountEnd.ending',
      'membership.id as membershipId',
      'membership.levelKey as level',
      'membership.kind',
      'membership.startedAt',
      'membership.stripeStatus',
      'membership.endedAt',
    ])
    .select(runsUntilSql({ graceMs }).as('endsAt'))
    .where('account.emailKey', 'in', addresses)
    .execute()
  const records = await listEntriesOf(
    db,
    rows.map(({ id }) => id),
  )
  const day = (instant: number | null) => (instant === null ? '' : dayOf(instant, timeZone))
  return rows.map((row) => ({
    id: row.id,
    emailKey: row.emailKey,
    record: records.get(row.id) ?? [],
    isClosed: row.deactivatedBy !== null,
    hasDied: row.ending === 'deceased',
    cells: {
      email: row.email,
      username: row.username,
      firstName: row.firstName,
      lastName: row.lastName,
      level: row.level ?? '',
      startedOn: day(row.startedAt),
      endsOn: day(row.endsAt),
    },
    membership:
      row.membershipId === null
        ? null
        : {
            isLifetime: row.kind === 'ONE_TIME',
            isCharged: row.endedAt === null && isLive(row.stripeStatus),
            hasEnded: row.endedAt !== null,
          },
  }))
}

/** Mirrors `hasLiveSubscription`. */
function isLive(stripeStatus: string | null): boolean {
  return stripeStatus !== null && stripeStatus !== 'canceled' && stripeStatus !== 'incomplete_expired'
}
