import type { AppContext } from '#server/app-context.ts'
import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import type { RollOver, RollOverPlan, RollOverStatus } from '#contract/console/roll-over.ts'
import { ROLL_OVER_UNDO_DAYS } from '#contract/console/roll-over.ts'
import type { TodayTask } from '#contract/console/console.ts'
import type { Db } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { findTerm } from '#server/features/officers/officer.queries.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import { RollOverBlockedError, createRollOverExecution } from './roll-over-execution.service.ts'
import { computeEffects, termsOfPlan } from './roll-over-effects.rules.ts'
import { describeSnapshot, type RollOverSnapshot } from './roll-over-snapshot.rules.ts'
import { proposePlan } from './roll-over-proposal.rules.ts'
import { createRollOverQueries } from './roll-over-snapshot.queries.ts'
import { createRollOverTask } from './roll-over-task.rules.ts'
import {
  addRollOver,
  findLastDone,
  findRollOver,
  saveResult,
  listDueRollOvers,
  deleteOpenRollOver,
} from './roll-over.repository.ts'
import { changeRollOver } from './roll-over.commands.ts'
import { findOpenRollOver, type StoredRollOver } from './roll-over.queries.ts'

const DAY_MS = 86_400_000
const CHECK_EVERY_MS = 60_000

/**
 * Rolls the association over to a new year: presidents plan it together; it is executed and undone as a whole (decision
 * record 20).
 */
export function createRollOverService(
  ctx: AppContext,
  {
    content,
    guard,
    heldWork,
  }: {
    content: BulkContentEditor
    guard: ActAuthorizer
    heldWork: HeldWork
  },
) {
  const { db, clock, wakeOutbox, cache } = ctx
  const queries = createRollOverQueries(ctx, { content })
  const execution = createRollOverExecution(ctx, { reading: queries, content, guard })

  async function describe(stored: StoredRollOver, present: RollOverSnapshot): Promise<RollOver> {
    const { plan, outcome, doneAt } = stored
    const years = termsOfPlan(plan, queries.nextYear(present).firstDay)
    const effects = await computeEffects(plan, present, { years, kindOf: content.requireKind })
    const { labels, content: written, roles, obstacles } = outcome ? { ...effects, ...outcome, obstacles: [] } : effects
    return {
      id: stored.id,
      state: stored.state === 'undone' ? 'draft' : stored.state,
      version: stored.version,
      plan,
      ...years,
      isAhead: years.firstDay > present.today,
      savedAt: new Date(stored.savedAt).toISOString(),
      savedBy: stored.savedByName ?? 'A former officer',
      runOn: stored.runOn,
      failure: stored.failure ?? [],
      present: describeSnapshot(present, { term: years.term, lastDay: plan.lastDay || present.today }),
      members: [...present.members].map(([id, member]) => ({ id, ...member })),
      labels,
      content: written,
      roles,
      obstacles,
      doneAt: doneAt === null ? null : new Date(doneAt).toISOString(),
      undo: await undoOf(stored),
    }
  }

  async function undoOf({ outcome, doneAt }: StoredRollOver): Promise<RollOver['undo']> {
    if (!outcome || doneAt === null) return null
    const until = doneAt + ROLL_OVER_UNDO_DAYS * DAY_MS
    const changed = await queries.changedSince(db, outcome)
    const isPossible = changed.length === 0 && clock.now() <= until
    return { until: new Date(until).toISOString(), isPossible, changed }
  }

  async function get(): Promise<RollOverStatus> {
    const done = await findLastDone(db)
    const isRecent = done?.doneAt && clock.now() <= done.doneAt + ROLL_OVER_UNDO_DAYS * DAY_MS
    const stored = (await findOpenRollOver(db)) ?? (isRecent ? done : null)
    const present = await queries.snapshot(db, stored?.plan ?? null)
    const { term, firstDay, lastDay } = queries.nextYear(present)
    return { current: stored && (await describe(stored, present)), next: { term, firstDay, lastDay } }
  }

  async function require(id: string): Promise<StoredRollOver> {
    const stored = await findRollOver(db, id)
    if (!stored || stored.state === 'undone') throw new Problem('NOT_FOUND')
    return stored
  }

  async function audit(
    handle: Db,
    actor: string,
    action: 'begun' | 'scheduled' | 'held' | 'discarded',
    stored: { id: string; plan: RollOverPlan },
  ) {
    const { lastDay, newLastDay } = stored.plan
    const details = { before: null, after: { lastDay, newLastDay } }
    await writeAudit(handle, { actor, action: `roll_over.${action}`, subjectId: stored.id, details }, clock.now())
  }

  /** @throws Blocked, Problem CHANGED_MEANWHILE */
  async function carryOut(stored: StoredRollOver, actor: string): Promise<void> {
    const { ended } = await db.transaction().execute(async (tx) => {
      const change = { state: 'done', doneAt: clock.now(), savedBy: actor, failure: null } as const
      if (!(await changeRollOver(tx, stored, change))) throw new Problem('CHANGED_MEANWHILE')
      const outcome = await execution.execute(tx, stored, actor)
      await saveResult(tx, stored.id, outcome)
      return outcome
    })
    await cache.refresh()
    // Scheduled work of roles that ended immediately is held now; that of roles that end later is checked when it is
    // due.
    for (const { termId } of ended.filter(({ endedAt }) => endedAt !== null)) {
      const term = await findTerm(db, termId)
      if (term) await heldWork.holdScheduled(term.accountId, actor)
    }
    wakeOutbox()
  }

  async function schedule(stored: StoredRollOver, officer: Officer): Promise<void> {
    const present = await queries.snapshot(db, stored.plan)
    const years = termsOfPlan(stored.plan, present.today)
    const effects = await computeEffects(stored.plan, present, { years, kindOf: content.requireKind })
    if (effects.obstacles.length > 0) throw new RollOverBlockedError(effects.obstacles)
    await execution.requireMayAssign(db, effects, officer.accountId)
    if (years.firstDay <= present.today)
      throw fieldProblem('when', 'The new year has already begun. Start it now instead.')
    await db.transaction().execute(async (tx) => {
      const by = { savedBy: officer.accountId, savedAt: clock.now() }
      const change = { state: 'scheduled', runOn: years.firstDay, failure: null, ...by } as const
      if (!(await changeRollOver(tx, stored, change))) throw new Problem('CHANGED_MEANWHILE')
      await audit(tx, officer.accountId, 'scheduled', stored)
    })
  }

  return {
    get,

    async begin(officer: Officer): Promise<RollOverStatus> {
      const now = clock.now()
      const present = await queries.snapshot(db, null)
      const plan = proposePlan(present, queries.nextYear(present))
      await db.transaction().execute(async (tx) => {
        const id = newId(now)
        await addRollOver(tx, { id, plan, savedBy: officer.accountId, savedAt: now })
        if ((await findOpenRollOver(tx))?.id === id) await audit(tx, officer.accountId, 'begun', { id, plan })
      })
      return get()
    },

    /** @throws Problem CHANGED_MEANWHILE if another president saved first */
    async save(
      officer: Officer,
      id: string,
      { version, plan }: { version: number; plan: RollOverPlan },
    ): Promise<RollOverStatus> {
      const stored = await require(id)
      if (stored.state !== 'draft') throw new Problem('CHANGED_MEANWHILE')
      const change = { state: 'draft', plan, savedBy: officer.accountId, savedAt: clock.now() } as const
      if (!(await changeRollOver(db, { id, state: 'draft', version }, change))) throw new Problem('CHANGED_MEANWHILE')
      return get()
    },

    async deletePlan(officer: Officer, id: string): Promise<RollOverStatus> {
      const stored = await require(id)
      await db.transaction().execute(async (tx) => {
        if (!(await deleteOpenRollOver(tx, id))) throw new Problem('NOT_FOUND')
        await audit(tx, officer.accountId, 'discarded', stored)
      })
      return get()
    },

    /** Idempotent. @throws Problem ROLL_OVER_BLOCKED, CHANGED_MEANWHILE */
    async confirm(
      officer: Officer,
      id: string,
      { version, when }: { version: number; when: 'now' | 'firstDay' },
    ): Promise<RollOverStatus> {
      const stored = await require(id)
      // Repeated request, e.g. from a browser that did not receive the first response.
      if (stored.state === 'done' || (stored.state === 'scheduled' && when === 'firstDay')) return get()
      if (stored.version !== version) throw new Problem('CHANGED_MEANWHILE')
      try {
        if (when === 'now') await carryOut(stored, officer.accountId)
        else await schedule(stored, officer)
      } catch (failure) {
        if (failure instanceof RollOverBlockedError)
          throw new Problem('ROLL_OVER_BLOCKED', { message: failure.sentences.join(' ') })
        throw failure
      }
      return get()
    },

    async unschedule(officer: Officer, id: string): Promise<RollOverStatus> {
      const stored = await require(id)
      await db.transaction().execute(async (tx) => {
        const change = { state: 'draft', runOn: null } as const
        if (!(await changeRollOver(tx, { ...stored, state: 'scheduled' }, change))) throw new Problem('NOT_FOUND')
        await audit(tx, officer.accountId, 'held', stored)
      })
      return get()
    },

    /** @throws Problem ROLL_OVER_CHANGED after a week, or if something has changed since */
    async undo(officer: Officer, id: string): Promise<RollOverStatus> {
      const stored = await require(id)
      const { outcome, doneAt } = stored
      if (!outcome || doneAt === null) throw new Problem('NOT_FOUND')
      if (clock.now() > doneAt + ROLL_OVER_UNDO_DAYS * DAY_MS) throw new Problem('ROLL_OVER_CHANGED')
      await db.transaction().execute(async (tx) => {
        if (!(await changeRollOver(tx, stored, { state: 'undone' }))) throw new Problem('NOT_FOUND')
        await execution.undo(tx, { id, outcome }, officer.accountId)
      })
      await cache.refresh()
      return get()
    },

    /** For the Today page; the count is 0 if nothing is to be done. */
    async task(): Promise<TodayTask> {
      const present = await queries.snapshot(db, null)
      return createRollOverTask({
        today: present.today,
        year: queries.nextYear(present),
        open: await findOpenRollOver(db),
      })
    },

    /** Executes scheduled plans on their day. */
    job: {
      name: 'roll-over',
      everyMs: CHECK_EVERY_MS,
      async run() {
        await forEachCollectingErrors(
          await listDueRollOvers(db, queries.today()),
          ({ id }) => `roll-over ${id}`,
          async (stored) => {
            if (!(await heldWork.isStillAllowed(db, stored.savedBy, 'officers.change'))) {
              await heldWork.holdScheduled(stored.savedBy, 'system')
              return
            }
            try {
              await carryOut(stored, stored.savedBy)
            } catch (failure) {
              if (!(failure instanceof RollOverBlockedError)) throw failure
              const change = { state: 'draft', runOn: null, failure: failure.sentences } as const
              await changeRollOver(db, stored, change)
            }
          },
        )
      },
    } satisfies Job,
  }
}

export type RollOverService = ReturnType<typeof createRollOverService>
