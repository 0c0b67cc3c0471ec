import type { Db } from '#server/db/database.ts'
import { isMergedAccount } from '../account/account-merge.repository.ts'
import { findAccount, findAccountByName, type Account } from '../account/account.repository.ts'
import { findCredential, type Credential } from './credential.repository.ts'
import { findCurrentMembership, type Membership } from './membership.repository.ts'

/** A person with what they hold and what officers know of them. */
export interface Member {
  account: Account
  membership: Membership | null
  credential: Credential | null
}

/** Everybody with an account, by last name; deactivated ones too. */
export async function listMembers(db: Db): Promise<Member[]> {
  const rows = await db
    .selectFrom('account')
    .select('id')
    .orderBy('last_name')
    .orderBy('first_name')
    .orderBy('id')
    .execute()
  const members: Member[] = []
  for (const { id } of rows) {
    const account = await findAccount(db, id)
    if (account) members.push(await withMembership(db, account))
  }
  return members
}

/** By id, address or username. */
export async function findMember(db: Db, name: string): Promise<Member | null> {
  const account = (await findAccountByName(db, name)) ?? (await findAccount(db, name))
  return account && withMembership(db, account)
}

async function withMembership(db: Db, account: Account): Promise<Member> {
  return {
    account,
    membership: await findCurrentMembership(db, account.id),
    credential: await findCredential(db, account.id),
  }
}

/** What was written down about somebody, oldest first. */
export async function listAudit(
  db: Db,
  subjectId: string,
): Promise<{ at: number; actor: string; action: string; details: string }[]> {
  return db
    .selectFrom('audit')
    .select(['at', 'actor', 'action', 'details'])
    .where('subject_id', '=', subjectId)
    .orderBy('at')
    .orderBy('id')
    .execute()
}

/** Days of the grace after a failed renewal, as officers set it. */
export async function readGraceMs(db: Db): Promise<number> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', 'membership').executeTakeFirst()
  const { graceDays = 14 } = (row ? JSON.parse(row.value) : {}) as { graceDays?: number }
  return graceDays * 86_400_000
}

/** Nobody with this account may log in until it is enabled again; tokens given out die at once. */
export async function disableAccount(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({ deactivated_by: 'officer', token_version: eb('token_version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .execute()
}

/** Only what an officer disabled: who left by themselves gave their names back, and what was merged is taken apart by undoing that. */
export async function enableAccount(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ deactivated_by: null, updated_at: now })
    .where('id', '=', id)
    .where('deactivated_by', '=', 'officer')
    .where((eb) => eb.not(isMergedAccount))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
