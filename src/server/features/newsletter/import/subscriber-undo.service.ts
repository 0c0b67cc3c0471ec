import type { AppContext } from '#server/app-context.ts'
import type { listSubscriberImports as listEndpoint, undoSubscriberImport } from '#contract/console/subscribers.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Tx } from '#server/db/database.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import {
  beginSubscriberUndo,
  deleteAddedReader,
  listImportedReaders,
  listSubscriberImports,
  restoreReader,
  restoreSuppression,
  type SubscriberImportRow,
} from './subscriber-import.repository.ts'

const LISTED = 10
const STATE_OF = { left: 'left', bounce: 'bounced', complaint: 'complained' } as const

/** Recent imports of subscribers, and their undo: what no one has changed since becomes as it was. */
export function createSubscriberUndo({ db, clock }: AppContext) {
  async function nameOf(id: string | null): Promise<string | null> {
    if (id === null) return null
    const officer = await findAccount(db, id)
    return officer ? `${officer.firstName} ${officer.lastName}` : 'The webmaster'
  }

  /** True if the row is as it was before the import. */
  async function undoRow(tx: Tx, row: SubscriberImportRow, importedAt: number): Promise<boolean> {
    if (row.act === 'added') return row.subscriberId !== null && deleteAddedReader(tx, row.subscriberId, importedAt)
    const { emailHash, reason, reasonBefore, subscriberId: id, stateBefore: before } = row
    if (reason === null) return false
    if (row.act === 'ended') {
      if (id === null || before === null) return false
      if (!(await restoreReader(tx, { id, state: STATE_OF[reason], before, endedAt: importedAt }))) return false
    }
    return restoreSuppression(tx, { emailHash, reason, before: reasonBefore, importedAt })
  }

  return {
    /** Newest first, of the last 30 days. */
    async list(): Promise<ReplyOf<typeof listEndpoint>> {
      const found = await listSubscriberImports(db, LISTED)
      const imports = await Promise.all(
        found.map(async ({ id, filename, system, counts, importedAt, importedBy, undoneAt, undoneBy }) => ({
          id,
          filename,
          system,
          counts,
          at: new Date(importedAt).toISOString(),
          by: (await nameOf(importedBy)) ?? '',
          undoneAt: undoneAt === null ? null : new Date(undoneAt).toISOString(),
          undoneBy: await nameOf(undoneBy),
        })),
      )
      return { imports }
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE if it was undone before */
    async undo(by: Officer, id: string): Promise<ReplyOf<typeof undoSubscriberImport>> {
      const now = clock.now()
      const isKnown = (await listImportedReaders(db, id)).length > 0
      if (!isKnown) throw new Problem('NOT_FOUND')
      return db.transaction().execute(async (tx) => {
        const file = await beginSubscriberUndo(tx, id, { by: by.accountId, now })
        if (!file) throw new Problem('CHANGED_MEANWHILE')
        let undone = 0
        const rows = await listImportedReaders(tx, id)
        for (const row of rows) if (await undoRow(tx, row, file.importedAt)) undone++
        const result = { undone, kept: rows.length - undone }
        const details = { filename: file.filename, ...result }
        const entry = { actor: by.accountId, action: 'subscribers.import_undone' as const, subjectId: id, details }
        await writeAudit(tx, entry, now)
        return result
      })
    },
  }
}
