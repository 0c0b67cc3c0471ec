import type { Db } from '#server/db/database.ts'
import { isMergedAccount } from '#server/features/accounts/account-merge.queries.ts'
import { findAccount, findAccountByLogin, type Account } from '#server/features/accounts/account.queries.ts'
import { SINGLE_RECORD_ID } from '#server/features/content-store/content-kind.rules.ts'
import { findRecord } from '#server/features/content-store/content.queries.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { findCredential, type Credential } from '#server/features/credentials/credential.queries.ts'
import { findCurrentMembership, type Membership } from '#server/features/memberships/membership.queries.ts'

/** An account with its membership and credentials. */
export interface Member {
  account: Account
  membership: Membership | null
  credential: Credential | null
}

/** All accounts by last name, including deactivated ones. */
export async function listMembers(db: Db): Promise<Member[]> {
  const rows = await db
    .selectFrom('account')
    .select('id')
    .orderBy('lastName')
    .orderBy('firstName')
    .orderBy('id')
    .execute()
  const members: Member[] = []
  for (const { id } of rows) {
    const account = await findAccount(db, id)
    if (account) members.push(await withMembership(db, account))
  }
  return members
}

/** Looks up by address, username or id. */
export async function findMember(db: Db, name: string): Promise<Member | null> {
  const account = (await findAccountByLogin(db, name)) ?? (await findAccount(db, name))
  return account && withMembership(db, account)
}

async function withMembership(db: Db, account: Account): Promise<Member> {
  return {
    account,
    membership: await findCurrentMembership(db, account.id),
    credential: await findCredential(db, account.id),
  }
}

/** Audit log entries about an account, oldest first. */
export async function listAudit(
  db: Db,
  subjectId: string,
): Promise<{ at: number; actor: string; action: string; details: string }[]> {
  return db
    .selectFrom('audit')
    .select(['at', 'actor', 'action', 'details'])
    .where('subjectId', '=', subjectId)
    .orderBy('at')
    .orderBy('id')
    .execute()
}

/** The grace period after a failed renewal, from the settings. */
export async function readGraceMs(db: Db): Promise<number> {
  const membership = await findRecord(db, settingKind('membership'), SINGLE_RECORD_ID)
  return (membership?.value.graceDays ?? 14) * 86_400_000
}

/** Enables an account that an officer disabled. Deleted accounts have released their names, and a merge has its own undo. */
export async function enableAccount(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ deactivatedBy: null, updatedAt: now })
    .where('id', '=', id)
    .where('deactivatedBy', '=', 'officer')
    .where((eb) => eb.not(isMergedAccount))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
