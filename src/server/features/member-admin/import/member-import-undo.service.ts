import type { Kysely } from 'kysely'
import { ACCOUNTS_SHOWN_KEPT, type ImportReport } from '#contract/console-import.ts'
import { inBatches } from '#server/db/in-batches.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { EffectHandler } from '#server/platform/outbox-worker.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { findAccount } from '../account/account.repository.ts'
import { findImportFile, finishUndo } from './import-file.repository.ts'
import { deleteUnusedMember, findUsedAccounts, listImported } from './member-import.repository.ts'

/** Of one transaction: short, so that nobody who logs in meanwhile waits for it. */
const ACCOUNTS_AT_ONCE = 25

/** Removes an account that an import made, unless somebody has used or changed it since. True when it is gone. */
export async function undoImportedAccount(
  tx: Tx,
  { accountId, batch, actor }: { accountId: string; batch: string; actor: string },
  now: number,
): Promise<boolean> {
  if (!(await deleteUnusedMember(tx, accountId))) return false
  await writeAudit(tx, { actor, action: 'member.import_undone', subjectId: accountId, details: { batch } }, now)
  return true
}

/** What taking an import back would remove, and whom it would leave. */
export async function describeUndo(db: Db, batch: string): Promise<NonNullable<ImportReport['undo']>> {
  const accountIds = await listImported(db, batch)
  const uses = await findUsedAccounts(db, accountIds)
  const shown = [...uses].slice(0, ACCOUNTS_SHOWN_KEPT)
  const kept = await inBatches(shown, (some) =>
    Promise.all(
      some.map(async ([id, because]) => {
        const account = await findAccount(db, id)
        return { id, name: account ? `${account.firstName} ${account.lastName}` : id, because }
      }),
    ),
  )
  return { removes: accountIds.length - uses.size, keeps: uses.size, kept }
}

/** What goes on after an officer asked for it: some accounts at a time, by themselves, whatever dies meanwhile. */
export function createMemberImportUndo({
  db,
  clock,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  wakeOutbox(): void
}): { effects: Record<string, EffectHandler> } {
  const goOn: EffectHandler = async ({ importId, after }) => {
    const batch = String(importId)
    await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const file = await findImportFile(tx, batch)
      const actor = file?.undoneBy
      if (!actor || file.undoneAt !== null) return
      const waiting = (await listImported(tx, batch)).filter((id) => id > String(after))
      const some = waiting.slice(0, ACCOUNTS_AT_ONCE)
      for (const accountId of some) await undoImportedAccount(tx, { accountId, batch, actor }, now)
      const last = some.at(-1)
      if (last) await queueUndo(tx, { importId: batch, after: last }, now)
      else await finishUndo(tx, batch, now)
    })
    wakeOutbox()
  }
  return { effects: { 'members.import_undo': goOn } }
}

/** The order for the accounts after one, once for each. */
export function queueUndo(
  tx: Tx,
  { importId, after }: { importId: string; after: string },
  now: number,
): Promise<void> {
  const dedupeKey = `members.import_undo:${importId}:${after}`
  return addToOutbox(tx, { kind: 'members.import_undo', payload: { importId, after }, dedupeKey }, now)
}
