import { region } from '#contract/region.ts'
import type { AppContext } from '#server/app-context.ts'
import type { StatementRun } from '#contract/console/money/year.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listStatements } from '#contract/public/billing.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { nameOfOfficer } from '#server/features/officers/approvals/approval.emails.ts'
import { printStatement, spanOf } from './print-statement.service.ts'
import { sendStatement } from './statement.emails.ts'
import { queueStatements } from './statement.effects.ts'
import {
  askForStatements,
  countDeliveries,
  listPayersBetween,
  listStatementLines,
  takeStatements,
} from './statement.repository.ts'

/** Emails queued in one transaction: few, so that log-ins do not wait for it. */
const AT_ONCE = 50

/** Statements of what members paid in a year: for themselves, and emailed by officers to all who paid, once each. */
export function createStatements(ctx: AppContext) {
  const { db, clock, timeZone, wakeOutbox } = ctx

  async function print(accountId: string, year: number): Promise<ServedFile> {
    const printed = await printStatement(ctx, accountId, year)
    if (!printed) throw new Problem('NOT_FOUND')
    return { filename: printed.filename, content: printed.pdf }
  }

  async function describe(year: number): Promise<StatementRun> {
    const members = (await listPayersBetween(db, spanOf(year, timeZone))).length
    const { asked, sent, skipped, startedAt, startedBy } = await countDeliveries(db, year)
    return {
      year,
      members,
      sent,
      skipped,
      state: asked === 0 ? 'none' : sent + skipped < asked ? 'running' : 'done',
      startedAt: startedAt === null ? null : new Date(startedAt).toISOString(),
      startedBy: startedBy === null ? null : await nameOfOfficer(db, startedBy),
    }
  }

  return {
    /** @throws Problem NOT_FOUND if nothing was paid in that year */
    print,
    describe,

    /** Newest first. */
    async years(accountId: string): Promise<ReplyOf<typeof listStatements>> {
      const account = await findAccount(db, accountId)
      if (!account) return { years: [] }
      const lines = await listStatementLines(db, account, { from: 0, to: clock.now() + 1 })
      const byYear = Map.groupBy(lines, ({ at }) => Number(dayOf(at, timeZone).slice(0, 4)))
      const years = [...byYear].map(([year, own]) => ({
        year,
        amount: own.reduce((total, { amount }) => total + amount, 0),
        currency: own[0]?.currency ?? region().currency,
      }))
      return { years: years.sort((a, b) => b.year - a.year) }
    },

    /** Emails everyone who paid and has not received it. @throws Problem CHANGED_MEANWHILE if others paid since the officer looked */
    async send(by: Officer, year: number, seen: number): Promise<StatementRun> {
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const accounts = await listPayersBetween(tx, spanOf(year, timeZone))
        if (accounts.length !== seen) throw new Problem('CHANGED_MEANWHILE')
        const added = await askForStatements(tx, accounts, { year, by: by.accountId, now })
        if (added === 0) return
        await addToOutbox(tx, { effect: queueStatements, payload: { year } }, now)
        const details = { year, members: added }
        await writeAudit(tx, { actor: by.accountId, action: 'statements.sent', subjectId: by.accountId, details }, now)
      })
      wakeOutbox()
      return describe(year)
    },

    effects: {
      async 'statements.queue'({ year }) {
        await db.transaction().execute(async (tx) => {
          const now = clock.now()
          const accounts = await takeStatements(tx, year, { limit: AT_ONCE, now })
          for (const accountId of accounts) {
            const dedupeKey = `statement:${year}:${accountId}`
            await addToOutbox(tx, { effect: sendStatement, payload: { year, accountId }, dedupeKey }, now)
          }
          if (accounts.length > 0) await addToOutbox(tx, { effect: queueStatements, payload: { year } }, now)
        })
        wakeOutbox()
      },
    } satisfies HandlersOf<typeof queueStatements>,
  }
}

export type Statements = ReturnType<typeof createStatements>
