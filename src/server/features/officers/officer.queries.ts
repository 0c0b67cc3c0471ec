import { ROLES, type Role } from '#contract/access.ts'
import type { Db } from '#server/db/database.ts'
import type { OfficerTermTable } from '#server/db/schema/console-schema.ts'

export type OfficerTermRecord = Pick<OfficerTermTable, 'id' | 'accountId' | 'role' | 'startsOn' | 'endsOn' | 'endedAt'>

export interface NamedTerm extends OfficerTermRecord {
  firstName: string
  lastName: string
  email: string
  hasSecondFactor: boolean
}

/** Returns the roles an account holds on a day, once each; none if it is deactivated. */
export async function rolesOn(db: Db, accountId: string, day: string): Promise<Role[]> {
  const rows = await db
    .selectFrom('officerTerm')
    .innerJoin('account', 'account.id', 'officerTerm.accountId')
    .select('officerTerm.role')
    .distinct()
    .where('officerTerm.accountId', '=', accountId)
    .where('officerTerm.startsOn', '<=', day)
    .where('officerTerm.endsOn', '>=', day)
    .where('officerTerm.endedAt', 'is', null)
    .where('account.deactivatedBy', 'is', null)
    .execute()
  return ROLES.filter((role) => rows.some((row) => row.role === role))
}

/** Returns whether an account holds a role on a day or later. */
export async function holdsRoleFrom(db: Db, accountId: string, day: string): Promise<boolean> {
  const row = await db
    .selectFrom('officerTerm')
    .select('id')
    .where('accountId', '=', accountId)
    .where('endsOn', '>=', day)
    .where('endedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the accounts that hold a role on a day or later. */
export async function listRoleHolders(db: Db, day: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('officerTerm')
    .select('accountId')
    .distinct()
    .where('endsOn', '>=', day)
    .where('endedAt', 'is', null)
    .execute()
  return new Set(rows.map(({ accountId }) => accountId))
}

/** Returns the roles an account holds on a day or later, once each. */
export async function rolesFrom(db: Db, accountId: string, day: string): Promise<Role[]> {
  const rows = await db
    .selectFrom('officerTerm')
    .select('role')
    .distinct()
    .where('accountId', '=', accountId)
    .where('endsOn', '>=', day)
    .where('endedAt', 'is', null)
    .execute()
  return ROLES.filter((role) => rows.some((row) => row.role === role))
}

/** Returns the terms that end after a day, latest end first. */
export async function listTerms(db: Db, endsAfter: string): Promise<NamedTerm[]> {
  const rows = await db
    .selectFrom('officerTerm')
    .innerJoin('account', 'account.id', 'officerTerm.accountId')
    .leftJoin('secondFactor', (join) =>
      join.onRef('secondFactor.accountId', '=', 'account.id').on('secondFactor.confirmedAt', 'is not', null),
    )
    .selectAll('officerTerm')
    .select(['account.firstName', 'account.lastName', 'account.email', 'secondFactor.confirmedAt'])
    .select((eb) =>
      eb
        .selectFrom('passkey')
        .select(({ fn }) => fn.min('passkey.id').as('id'))
        .whereRef('passkey.accountId', '=', 'account.id')
        .as('passkeyId'),
    )
    .where('officerTerm.endsOn', '>', endsAfter)
    .orderBy('officerTerm.endsOn', 'desc')
    .orderBy('account.lastName')
    .orderBy('officerTerm.id')
    .execute()
  return rows.map(({ firstName, lastName, email, confirmedAt, passkeyId, ...term }) => ({
    ...term,
    firstName,
    lastName,
    email,
    hasSecondFactor: confirmedAt !== null || passkeyId !== null,
  }))
}

export async function findTerm(db: Db, id: string): Promise<OfficerTermRecord | null> {
  const row = await db.selectFrom('officerTerm').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}
