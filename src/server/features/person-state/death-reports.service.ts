import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { closeReports, insertReport, undoDecision } from './person-state.commands.ts'
import { sendDeathReported } from './person-state.emails.ts'
import { findPersonDecision, listOpenReports } from './person-state.queries.ts'

const BY_LINK = 'The link of a roll call'

/** Reports that a person died, and the person's answer to them. Call the methods in a transaction. */
export function createDeathReports({ clock }: AppContext) {
  return {
    /** Stores a report, and emails the account when it is the first open one. @param by null: by the link of a roll call, which counts once */
    async add(tx: Tx, accountId: string, { source, by }: { source: string; by: string } | { source: null; by: null }) {
      const now = clock.now()
      await lockAccount(tx, accountId)
      const account = await findAccount(tx, accountId)
      if (!account || account.deactivatedBy !== null) return
      const open = await listOpenReports(tx, accountId)
      if (by === null && open.some(({ reportedBy }) => reportedBy === null)) return
      const report = { id: newId(now), accountId, source: source ?? BY_LINK, reportedBy: by, reportedAt: now }
      await insertReport(tx, report)
      const details = { source: report.source }
      await writeAudit(
        tx,
        { actor: by ?? 'system', action: 'person.death_reported', subjectId: accountId, details },
        now,
      )
      if (open.length === 0) await addToOutbox(tx, { effect: sendDeathReported, payload: { accountId } }, now)
    },

    /** The person is here: open reports are closed, and lost contact is over. A recorded death stays until an officer undoes it. */
    async object(tx: Tx, accountId: string, by: string): Promise<'reached' | 'deceased'> {
      const now = clock.now()
      await lockAccount(tx, accountId)
      const decision = await findPersonDecision(tx, accountId)
      const subject = { actor: by, subjectId: accountId }
      if (decision?.state === 'deceased') {
        await writeAudit(tx, { ...subject, action: 'person.objected' }, now)
        return 'deceased'
      }
      if ((await closeReports(tx, accountId, { closedAs: 'objected', now })) > 0)
        await writeAudit(tx, { ...subject, action: 'person.objected' }, now)
      if (decision && (await undoDecision(tx, accountId, { undoneBy: by, now })))
        await writeAudit(tx, { ...subject, action: 'person.found', details: { before: { state: 'lost' } } }, now)
      return 'reached'
    },
  }
}

export type DeathReports = ReturnType<typeof createDeathReports>
