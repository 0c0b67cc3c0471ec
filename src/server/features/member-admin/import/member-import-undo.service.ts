import type { AppContext } from '#server/app-context.ts'
import { KEPT_ACCOUNTS_SHOWN, type ImportReport } from '#contract/console/import.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { findImportFile, finishUndo } from './import-file.repository.ts'
import { deleteUnusedMember, findAccountUses, listImportedAccounts } from './member-import.repository.ts'
import { undoImport } from './member-import.effects.ts'

/** Accounts per transaction: few, so logins do not wait for it. */
const ACCOUNTS_AT_ONCE = 25

/** Deletes an imported account unless it has been used or changed since. True when it was deleted. */
export async function undoImportedAccount(
  tx: Tx,
  { accountId, batch, actor }: { accountId: string; batch: string; actor: string },
  now: number,
): Promise<boolean> {
  if (!(await deleteUnusedMember(tx, accountId))) return false
  await writeAudit(tx, { actor, action: 'member.import_undone', subjectId: accountId, details: { batch } }, now)
  return true
}

/** Which accounts undoing an import would delete and keep. */
export async function describeUndo(db: Db, batch: string): Promise<NonNullable<ImportReport['undo']>> {
  const accountIds = await listImportedAccounts(db, batch)
  const uses = await findAccountUses(db, accountIds)
  const shown = [...uses].slice(0, KEPT_ACCOUNTS_SHOWN)
  const kept = await queryInChunks(shown, (some) =>
    Promise.all(
      some.map(async ([id, because]) => {
        const account = await findAccount(db, id)
        return { id, name: account ? `${account.firstName} ${account.lastName}` : id, because }
      }),
    ),
  )
  return { removes: accountIds.length - uses.size, keeps: uses.size, kept }
}

/** Undoes an import in the background, in batches that survive a crash. */
export function createMemberImportUndo({ db, clock, wakeOutbox }: AppContext): {
  effects: HandlersOf<typeof undoImport>
} {
  async function runBatch({ importId: batch, after }: { importId: string; after: string }): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const file = await findImportFile(tx, batch)
      const actor = file?.undoneBy
      if (!actor || file.undoneAt !== null) return
      const waiting = (await listImportedAccounts(tx, batch)).filter((id) => id > after)
      const some = waiting.slice(0, ACCOUNTS_AT_ONCE)
      for (const accountId of some) await undoImportedAccount(tx, { accountId, batch, actor }, now)
      const last = some.at(-1)
      if (last) await queueUndo(tx, { importId: batch, after: last }, now)
      else await finishUndo(tx, batch, now)
    })
    wakeOutbox()
  }
  return { effects: { 'members.import_undo': runBatch } }
}

/** Queues the batch after an account, once per account. */
export function queueUndo(
  tx: Tx,
  { importId, after }: { importId: string; after: string },
  now: number,
): Promise<void> {
  const dedupeKey = `members.import_undo:${importId}:${after}`
  return addToOutbox(tx, { effect: undoImport, payload: { importId, after }, dedupeKey }, now)
}
