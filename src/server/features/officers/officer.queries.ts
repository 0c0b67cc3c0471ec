import { ROLES, type Role } from '#contract/access.ts'
import type { Db } from '#server/db/database.ts'
import type { OfficerTermTable } from '#server/db/schema/console-schema.ts'

export interface OfficerTermRecord {
  id: string
  accountId: string
  role: Role
  /** Days in the association's time zone; both inclusive. */
  startsOn: string
  endsOn: string
  /** Set if an officer ended the term before its last day. */
  endedAt: number | null
}

export interface NamedTerm extends OfficerTermRecord {
  firstName: string
  lastName: string
  email: string
  hasSecondFactor: boolean
}

/** Returns the roles an account holds on a day, once each; none if it is deactivated. */
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

/** Returns whether an account holds a role on a day or later. */
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

/** Returns the roles an account holds on a day or later, once each. */
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

/** Returns the terms that end after a day, latest end first. */
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

export async function findTerm(db: Db, id: string): Promise<OfficerTermRecord | null> {
  const row = await db.selectFrom('officer_term').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toTerm(row) : null
}

export function toTerm(row: OfficerTermTable): OfficerTermRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    role: row.role as Role,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    endedAt: row.ended_at,
  }
}
