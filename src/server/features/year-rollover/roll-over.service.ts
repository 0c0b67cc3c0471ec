import { eachByItself } from '#server/platform/each-by-itself.ts'
import type { Kysely } from 'kysely'
import type { RollOver, RollOverPlan, RollOverStanding } from '#contract/console-roll-over.ts'
import { UNDO_DAYS } from '#contract/console-roll-over.ts'
import type { TaskOfToday } from '#contract/console.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Job } from '#server/platform/job-runner.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { ActGuard } from '../console/act-guard.ts'
import type { HeldWork } from '../console/held-work.ts'
import { findTerm } from '../console/officer.repository.ts'
import type { ManyRecords } from '../content/content.service.ts'
import { Blocked, createRollOverDoing } from './roll-over-doing.ts'
import { effectsOf, yearsOf } from './roll-over-effects.ts'
import { presentFor, type Present } from './roll-over-present.ts'
import { proposePlan } from './roll-over-proposal.rules.ts'
import { createRollOverReading } from './roll-over-reading.ts'
import { taskOf } from './roll-over-task.rules.ts'
import {
  addRollOver,
  changeRollOver,
  findLastDone,
  findOpen,
  findRollOver,
  keepOutcome,
  listDue,
  removeOpen,
  type StoredRollOver,
} from './roll-over.repository.ts'

const DAY_MS = 86_400_000
const LOOK_EVERY_MS = 60_000

export interface RollOverService {
  get(): Promise<RollOverStanding>
  begin(officer: Officer): Promise<RollOverStanding>
  /** @throws Problem CHANGED_MEANWHILE when another president was quicker */
  save(officer: Officer, id: string, asked: { version: number; plan: RollOverPlan }): Promise<RollOverStanding>
  discard(officer: Officer, id: string): Promise<RollOverStanding>
  /** Twice has the effect of once. @throws Problem ROLL_OVER_BLOCKED, CHANGED_MEANWHILE */
  confirm(officer: Officer, id: string, asked: { version: number; when: 'now' | 'firstDay' }): Promise<RollOverStanding>
  hold(officer: Officer, id: string): Promise<RollOverStanding>
  /** @throws Problem ROLL_OVER_CHANGED after a week, or where something of it was changed */
  undo(officer: Officer, id: string): Promise<RollOverStanding>
  /** For the list of today: the year that is to be moved on; its count is 0 when nothing is to be done. */
  task(): Promise<TaskOfToday>
  /** Does what was scheduled, on its day. */
  job: Job
}

/** The assistant that moves the association's year on: planned by presidents together, done as one, undone as one (decision record 20). */
export function createRollOverService({
  db,
  clock,
  timeZone,
  content,
  guard,
  heldWork,
  yearBeginsOn,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  content: ManyRecords
  guard: ActGuard
  heldWork: HeldWork
  yearBeginsOn(): string
  wakeOutbox(): void
}): RollOverService {
  const reading = createRollOverReading({ clock, timeZone, standings: content.standings, yearBeginsOn })
  const doing = createRollOverDoing({ clock, reading, content, guard })

  async function describe(stored: StoredRollOver, present: Present): Promise<RollOver> {
    const { plan, outcome, doneAt } = stored
    const years = yearsOf(plan, reading.nextYear(present).firstDay)
    const effects = await effectsOf(plan, present, { years, formOf: content.form })
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
      failure: stored.failure,
      present: presentFor(present, { term: years.term, lastDay: plan.lastDay || present.today }),
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
    const until = doneAt + UNDO_DAYS * DAY_MS
    const changed = await reading.changedSince(db, outcome)
    const isPossible = changed.length === 0 && clock.now() <= until
    return { until: new Date(until).toISOString(), isPossible, changed }
  }

  async function get(): Promise<RollOverStanding> {
    const done = await findLastDone(db)
    const isRecent = done?.doneAt && clock.now() <= done.doneAt + UNDO_DAYS * DAY_MS
    const stored = (await findOpen(db)) ?? (isRecent ? done : null)
    const present = await reading.present(db, stored?.plan ?? null)
    const { term, firstDay, lastDay } = reading.nextYear(present)
    return { current: stored && (await describe(stored, present)), next: { term, firstDay, lastDay } }
  }

  async function require(id: string): Promise<StoredRollOver> {
    const stored = await findRollOver(db, id)
    if (!stored || stored.state === 'undone') throw new Problem('NOT_FOUND')
    return stored
  }

  async function note(
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
      const change = { state: 'done', done_at: clock.now(), saved_by: actor, failure: null } as const
      if (!(await changeRollOver(tx, stored, change))) throw new Problem('CHANGED_MEANWHILE')
      const outcome = await doing.carryOut(tx, stored, actor)
      await keepOutcome(tx, stored.id, outcome)
      return outcome
    })
    // What a role that ended at once had scheduled is on the list of today from now on; one that ends later is looked at at the hour.
    for (const { termId } of ended.filter(({ endedAt }) => endedAt !== null)) {
      const term = await findTerm(db, termId)
      if (term) await heldWork.hold(term.accountId, actor)
    }
    wakeOutbox()
  }

  async function schedule(stored: StoredRollOver, officer: Officer): Promise<void> {
    const present = await reading.present(db, stored.plan)
    const years = yearsOf(stored.plan, present.today)
    const effects = await effectsOf(stored.plan, present, { years, formOf: content.form })
    if (effects.obstacles.length > 0) throw new Blocked(effects.obstacles)
    await doing.requireMayGive(db, effects, officer.accountId)
    if (years.firstDay <= present.today) throw fieldProblem('when', 'The year has begun already. Move it on now.')
    await db.transaction().execute(async (tx) => {
      const by = { saved_by: officer.accountId, saved_at: clock.now() }
      const change = { state: 'scheduled', run_on: years.firstDay, failure: null, ...by } as const
      if (!(await changeRollOver(tx, stored, change))) throw new Problem('CHANGED_MEANWHILE')
      await note(tx, officer.accountId, 'scheduled', stored)
    })
  }

  return {
    get,

    async begin(officer) {
      const now = clock.now()
      const present = await reading.present(db, null)
      const plan = proposePlan(present, reading.nextYear(present))
      await db.transaction().execute(async (tx) => {
        const id = newId(now)
        await addRollOver(tx, { id, plan, savedBy: officer.accountId, savedAt: now })
        if ((await findOpen(tx))?.id === id) await note(tx, officer.accountId, 'begun', { id, plan })
      })
      return get()
    },

    async save(officer, id, { version, plan }) {
      const stored = await require(id)
      if (stored.state !== 'draft') throw new Problem('CHANGED_MEANWHILE')
      const change = { state: 'draft', plan, saved_by: officer.accountId, saved_at: clock.now() } as const
      if (!(await changeRollOver(db, { id, state: 'draft', version }, change))) throw new Problem('CHANGED_MEANWHILE')
      return get()
    },

    async discard(officer, id) {
      const stored = await require(id)
      await db.transaction().execute(async (tx) => {
        if (!(await removeOpen(tx, id))) throw new Problem('NOT_FOUND')
        await note(tx, officer.accountId, 'discarded', stored)
      })
      return get()
    },

    async confirm(officer, id, { version, when }) {
      const stored = await require(id)
      // Asked twice, such as by a browser that did not get the first answer.
      if (stored.state === 'done' || (stored.state === 'scheduled' && when === 'firstDay')) return get()
      if (stored.version !== version) throw new Problem('CHANGED_MEANWHILE')
      try {
        if (when === 'now') await carryOut(stored, officer.accountId)
        else await schedule(stored, officer)
      } catch (failure) {
        if (failure instanceof Blocked) throw new Problem('ROLL_OVER_BLOCKED', { message: failure.sentences.join(' ') })
        throw failure
      }
      return get()
    },

    async hold(officer, id) {
      const stored = await require(id)
      await db.transaction().execute(async (tx) => {
        const change = { state: 'draft', run_on: null } as const
        if (!(await changeRollOver(tx, { ...stored, state: 'scheduled' }, change))) throw new Problem('NOT_FOUND')
        await note(tx, officer.accountId, 'held', stored)
      })
      return get()
    },

    async undo(officer, id) {
      const stored = await require(id)
      const { outcome, doneAt } = stored
      if (!outcome || doneAt === null) throw new Problem('NOT_FOUND')
      if (clock.now() > doneAt + UNDO_DAYS * DAY_MS) throw new Problem('ROLL_OVER_CHANGED')
      await db.transaction().execute(async (tx) => {
        if (!(await changeRollOver(tx, stored, { state: 'undone' }))) throw new Problem('NOT_FOUND')
        await doing.takeBack(tx, { id, outcome }, officer.accountId)
      })
      return get()
    },

    async task() {
      const present = await reading.present(db, null)
      return taskOf({ today: present.today, year: reading.nextYear(present), open: await findOpen(db) })
    },

    job: {
      name: 'roll-over',
      everyMs: LOOK_EVERY_MS,
      async run() {
        await eachByItself(
          await listDue(db, reading.today()),
          ({ id }) => `roll-over ${id}`,
          async (stored) => {
            if (!(await heldWork.mayStill(db, stored.savedBy, 'officers.change'))) {
              await heldWork.hold(stored.savedBy, 'system')
              return
            }
            try {
              await carryOut(stored, stored.savedBy)
            } catch (failure) {
              if (!(failure instanceof Blocked)) throw failure
              const change = { state: 'draft', run_on: null, failure: failure.sentences } as const
              await changeRollOver(db, stored, change)
            }
          },
        )
      },
    },
  }
}
