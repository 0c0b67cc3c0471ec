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
  listBlockingImports,
  lockSuppression,
  restoreReader,
  setSuppressionReason,
  type BlockingImport,
  type SubscriberImportRow,
} from './subscriber-import.repository.ts'
import { planUndo } from './subscriber-undo.rules.ts'

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
  async function undoRow(tx: Tx, row: SubscriberImportRow, file: { id: string; importedAt: number }): Promise<boolean> {
    if (row.act === 'added')
      return row.subscriberId !== null && deleteAddedReader(tx, row.subscriberId, file.importedAt)
    const suppression = await lockSuppression(tx, row.emailHash)
    const imports = await listBlockingImports(tx, row.emailHash)
    const plan = planUndo(file.id, { suppression, imports })
    if (plan === null) return false
    if (plan.endsBlock && !(await restoreEnded(tx, imports))) return false
    await setSuppressionReason(tx, row.emailHash, plan.reason)
    return plan.endsBlock
  }

  /** Resubscribes whom an import unsubscribed. False if the subscription changed since; true also if none was ended. */
  async function restoreEnded(tx: Tx, imports: readonly BlockingImport[]): Promise<boolean> {
    const ended = imports.filter(({ subscriberId, touchedAt }) => subscriberId !== null && touchedAt === null)
    for (const { subscriberId: id, stateBefore: before, reason, importedAt: endedAt } of ended) {
      if (id === null || before === null) continue
      if (await restoreReader(tx, { id, state: STATE_OF[reason], before, endedAt })) return true
    }
    return ended.length === 0
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
        for (const row of rows) if (await undoRow(tx, row, { id, importedAt: file.importedAt })) undone++
        const result = { undone, kept: rows.length - undone }
        const details = { filename: file.filename, ...result }
        const entry = { actor: by.accountId, action: 'subscribers.import_undone' as const, subjectId: id, details }
        await writeAudit(tx, entry, now)
        return result
      })
    },
  }
}
