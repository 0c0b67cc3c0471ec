import { ROLES, type Role } from '#contract/access.ts'
import type { Db } from '#server/db/database.ts'
import type { OfficerTermTable } from '#server/db/console-schema.ts'

export interface Term {
  id: string
  accountId: string
  role: Role
  /** Days of the association's calendar; both belong to the term. */
  startsOn: string
  endsOn: string
  /** Ended before its last day, by whoever may. */
  endedAt: number | null
}

export interface NamedTerm extends Term {
  firstName: string
  lastName: string
  email: string
  hasSecondFactor: boolean
}

/** The roles somebody holds on a day, each once. An account that was deactivated holds none. */
export async function rolesOn(db: Db, accountId: string, day: string): Promise<Role[]> {
  const rows = await db
    .selectFrom('officer_term')
    .innerJoin('account', 'account.id', 'officer_term.account_id')
    .select('officer_term.role')
    .distinct()
    .where('officer_term.account_id', '=', accountId)
    .where('officer_term.starts_on', '<=', day)
    .where('officer_term.ends_on', '>=', day)
    .where('officer_term.ended_at', 'is', null)
    .where('account.deactivated_by', 'is', null)
    .execute()
  return ROLES.filter((role) => rows.some((row) => row.role === role))
}

/** Whether somebody holds a role on a day or will later. */
export async function holdsRoleFrom(db: Db, accountId: string, day: string): Promise<boolean> {
  const row = await db
    .selectFrom('officer_term')
    .select('id')
    .where('account_id', '=', accountId)
    .where('ends_on', '>=', day)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The roles somebody holds on a day or will later, each once. */
export async function rolesFrom(db: Db, accountId: string, day: string): Promise<Role[]> {
  const rows = await db
    .selectFrom('officer_term')
    .select('role')
    .distinct()
    .where('account_id', '=', accountId)
    .where('ends_on', '>=', day)
    .where('ended_at', 'is', null)
    .execute()
  return ROLES.filter((role) => rows.some((row) => row.role === role))
}

/** All terms that are not over long since, those that last longest first. */
export async function listTerms(db: Db, endsAfter: string): Promise<NamedTerm[]> {
  const rows = await db
    .selectFrom('officer_term')
    .innerJoin('account', 'account.id', 'officer_term.account_id')
    .leftJoin('second_factor', (join) =>
      join.onRef('second_factor.account_id', '=', 'account.id').on('second_factor.confirmed_at', 'is not', null),
    )
    .selectAll('officer_term')
    .select(['account.first_name', 'account.last_name', 'account.email', 'second_factor.confirmed_at'])
    .select((eb) =>
      eb
        .selectFrom('passkey')
        .select(({ fn }) => fn.min('passkey.id').as('id'))
        .whereRef('passkey.account_id', '=', 'account.id')
        .as('passkey_id'),
    )
    .where('officer_term.ends_on', '>', endsAfter)
    .orderBy('officer_term.ends_on', 'desc')
    .orderBy('account.last_name')
    .orderBy('officer_term.id')
    .execute()
  return rows.map(({ first_name, last_name, email, confirmed_at, passkey_id, ...term }) => ({
    ...toTerm(term),
    firstName: first_name,
    lastName: last_name,
    email,
    hasSecondFactor: confirmed_at !== null || passkey_id !== null,
  }))
}

export async function findTerm(db: Db, id: string): Promise<Term | null> {
  const row = await db.selectFrom('officer_term').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toTerm(row) : null
}

export async function addTerm(db: Db, term: Omit<Term, 'endedAt'> & { givenBy: string }, now: number): Promise<void> {
  await db
    .insertInto('officer_term')
    .values({
      id: term.id,
      account_id: term.accountId,
      role: term.role,
      starts_on: term.startsOn,
      ends_on: term.endsOn,
      given_by: term.givenBy,
      created_at: now,
      ended_at: null,
    })
    .execute()
}

/** False when it had ended already. */
export async function endTerm(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('officer_term')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends every term of an account that runs on a day or begins later, and answers them as they were: whoever is gone holds no office. */
export async function endTermsOf(
  db: Db,
  { accountId, day, now }: { accountId: string; day: string; now: number },
): Promise<Term[]> {
  const rows = await db
    .updateTable('officer_term')
    .set({ ended_at: now })
    .where('account_id', '=', accountId)
    .where('ends_on', '>=', day)
    .where('ended_at', 'is', null)
    .returningAll()
    .execute()
  return rows.map((row) => ({ ...toTerm(row), endedAt: null }))
}

/** Moves the end of a term: to another day, at once, or back to where it was. */
export async function setTermEnd(
  db: Db,
  id: string,
  { endsOn, endedAt }: Pick<Term, 'endsOn' | 'endedAt'>,
): Promise<void> {
  await db.updateTable('officer_term').set({ ends_on: endsOn, ended_at: endedAt }).where('id', '=', id).execute()
}

/** Locks every president's term until the transaction ends: of two who end each other's role, one comes second. */
export async function lockPresidents(db: Db): Promise<void> {
  await db
    .updateTable('officer_term')
    .set({ role: 'president' })
    .where('role', '=', 'president')
    .where('ended_at', 'is', null)
    .execute()
}

function toTerm(row: OfficerTermTable): Term {
  return {
    id: row.id,
    accountId: row.account_id,
    role: row.role as Role,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    endedAt: row.ended_at,
  }
}
