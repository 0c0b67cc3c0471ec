import type { AppContext } from '#server/app-context.ts'
import {
  BULK_EMAIL_DELAY_MS,
  BULK_NAMES_SHOWN,
  type BulkRun,
  type previewBulk,
  type startBulk,
} from '#contract/console/people/member-bulk.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Officer } from '#server/http/serve.ts'
import { addToOutbox, removeQueuedEffects } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { noonUtc } from '#server/features/memberships/term-days.rules.ts'
import { deleteNotesOfRun } from '../notes/note.repository.ts'
import type { BulkPlan } from './bulk-plan.service.ts'
import {
  countItems,
  findRun,
  insertRun,
  listItems,
  listSkipped,
  lockRun,
  setItemState,
  setRunState,
  type BulkRunRecord,
} from './bulk-run.repository.ts'
import { runBulk } from './bulk.effects.ts'
import { countReasons } from './bulk.rules.ts'

const NOTE_UNDO_MS = 3_600_000

/** Actions of an officer on many members. */
export function createBulkService({ db, clock, wakeOutbox }: AppContext, { plan }: { plan: BulkPlan }) {
  async function describe(run: BulkRunRecord): Promise<BulkRun> {
    const { waiting, done, skipped, undone } = await countItems(db, run.id)
    const until = undoUntil(run)
    return {
      id: run.id,
      action: run.action,
      state: run.state,
      total: waiting + done + skipped + undone,
      done,
      waiting,
      skipped: countReasons(await listSkipped(db, run.id), BULK_NAMES_SHOWN),
      startedAt: iso(run.createdAt),
      finishedAt: run.finishedAt === null ? null : iso(run.finishedAt),
      undoUntil: until !== null && until > clock.now() ? iso(until) : null,
    }
  }

  /** @throws Problem NOT_FOUND also for the run of another officer */
  async function requireRun({ accountId }: Officer, id: string): Promise<BulkRunRecord> {
    const run = await findRun(db, id)
    if (run?.officerId !== accountId) throw new Problem('NOT_FOUND')
    return run
  }

  return {
    async preview(by: Officer, body: BodyOf<typeof previewBulk>): Promise<ReplyOf<typeof previewBulk>> {
      const planned = await plan.planSelection(by, body)
      const skipped = planned.flatMap(({ member, reason }) =>
        reason === null ? [] : [{ name: `${member.firstName} ${member.lastName}`, reason }],
      )
      return {
        total: planned.length,
        reached: planned.length - skipped.length,
        skipped: countReasons(skipped, BULK_NAMES_SHOWN),
      }
    },

    /** @throws Problem CHANGED_MEANWHILE when it would reach another number than previewed, INVALID_INPUT for missing details */
    async start(by: Officer, body: BodyOf<typeof startBulk>): Promise<BulkRun> {
      await requireDetails(body)
      const planned = await plan.planSelection(by, body)
      if (planned.filter(({ reason }) => reason === null).length !== body.reached)
        throw new Problem('CHANGED_MEANWHILE')
      const now = clock.now()
      const id = newId(now)
      const { action, details } = body
      await db.transaction().execute(async (tx) => {
        const items = planned.map(({ member, reason }) => ({
          accountId: member.id,
          state: reason === null ? ('waiting' as const) : ('skipped' as const),
          reason,
        }))
        await insertRun(tx, { id, action, details, officerId: by.accountId }, items, now)
        await addToOutbox(tx, { effect: runBulk, payload: { runId: id, step: 0 }, dedupeKey: `bulk:${id}:0` }, now)
        const entry = { action: BULK_NAMES[action], members: body.reached, skipped: planned.length - body.reached }
        await writeAudit(
          tx,
          { actor: by.accountId, action: 'members.bulk_started', subjectId: by.accountId, details: entry },
          now,
        )
      })
      wakeOutbox()
      return describe(await requireRun(by, id))
    },

    /** @throws Problem NOT_FOUND */
    get: async (by: Officer, id: string): Promise<BulkRun> => describe(await requireRun(by, id)),

    /** Takes back emails that were not sent yet, or deletes the notes. @throws Problem NOT_FOUND, CHANGED_MEANWHILE when it is too late */
    async undo(by: Officer, id: string): Promise<BulkRun> {
      await requireRun(by, id)
      await db.transaction().execute(async (tx) => {
        const run = (await lockRun(tx, id, 'done')) ?? (await lockRun(tx, id, 'running'))
        if (!run) return
        const now = clock.now()
        if ((undoUntil(run) ?? 0) <= now) throw new Problem('CHANGED_MEANWHILE', { message: TOO_LATE })
        if (run.action === 'note') await deleteNotesOfRun(tx, id, now)
        for (const state of ['waiting', 'done'] as const) {
          const ids = await listItems(tx, { runId: id, state, limit: 100_000 })
          await queryInChunks(ids, async (some) => {
            if (run.action !== 'note') {
              const keys = some.map((accountId) => plan.emailKey(run.action, accountId, run.createdAt))
              await removeQueuedEffects(tx, keys)
            }
            await setItemState(tx, id, some, { state: 'undone', reason: null })
            return []
          })
        }
        await setRunState(tx, id, { state: 'undone', finishedAt: now })
        const details = { action: BULK_NAMES[run.action] }
        await writeAudit(
          tx,
          { actor: by.accountId, action: 'members.bulk_undone', subjectId: by.accountId, details },
          now,
        )
      })
      return describe(await requireRun(by, id))
    },
  }

  async function requireDetails({ action, details }: BodyOf<typeof startBulk>): Promise<void> {
    if (action === 'note' && details.text === undefined) throw fieldProblem('text', 'Please write the note')
    if (action !== 'complimentary') return
    const level = await findLevel(db, details.levelKey ?? '')
    if (!level) throw fieldProblem('levelKey', 'Please choose a level')
    if (details.reason === undefined) throw fieldProblem('reason', 'Please give a reason for the audit log')
    const isAhead = details.endsOn !== undefined && noonUtc(details.endsOn) > clock.now()
    if (level.isRecurring && !isAhead) throw fieldProblem('endsOn', 'Please enter a future date')
  }
}

export type BulkService = ReturnType<typeof createBulkService>

const iso = (instant: number) => new Date(instant).toISOString()

const TOO_LATE = 'The emails have already been sent, so they can no longer be taken back.'

/** For the audit log. */
const BULK_NAMES: Record<BulkRun['action'], string> = {
  'renewal-link': 'Renewal link by email',
  'password-reset': 'Password reset by email',
  complimentary: 'Complimentary term',
  note: 'Note',
}

/** null: it can not be undone. */
function undoUntil({ action, state, createdAt }: BulkRunRecord): number | null {
  if (state === 'undone' || action === 'complimentary') return null
  return createdAt + (action === 'note' ? NOTE_UNDO_MS : BULK_EMAIL_DELAY_MS)
}
