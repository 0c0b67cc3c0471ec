import type { AppContext } from '#server/app-context.ts'
import { ROLE_NAMES } from '#contract/access.ts'
import { addDays } from '#contract/dates/days.ts'
import { errors } from '#contract/errors.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { lockContent } from '#server/features/content-store/content.commands.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { assignRole } from '#server/features/officers/give-role.commands.ts'
import { endTerm, lockPresidents, setTermEnd } from '#server/features/officers/officer.commands.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import { computeEffects, termsOfPlan, type Effects } from './roll-over-effects.rules.ts'
import type { RollOverResult } from './roll-over-result.rules.ts'
import type { RollOverQueries } from './roll-over-snapshot.queries.ts'
import { firstDayWithoutPresident } from './roll-over-roles.rules.ts'
import type { StoredRollOver } from './roll-over.queries.ts'

/** The plan has obstacles; nothing was changed. */
export class RollOverBlockedError extends Error {
  readonly sentences: string[]
  constructor(obstacles: Effects['obstacles']) {
    super('The roll-over is blocked.')
    this.name = 'Blocked'
    this.sentences = obstacles.map(({ sentence }) => sentence)
  }
}

/** Executes or undoes a whole plan in the caller's transaction. */
export function createRollOverExecution(
  { clock }: AppContext,
  {
    reading: queries,
    content,
    guard,
  }: {
    reading: RollOverQueries
    content: BulkContentEditor
    guard: ActAuthorizer
  },
): {
  /** Officers cannot assign roles to themselves. @throws Blocked */
  requireMayAssign(handle: Db, effects: Pick<Effects, 'assignments'>, actor: string): Promise<void>
  /** @throws Blocked */
  execute(tx: Tx, rollOver: StoredRollOver, actor: string): Promise<RollOverResult>
  /** @throws Problem ROLL_OVER_CHANGED, LAST_PRESIDENT */
  undo(tx: Tx, rollOver: { id: string; outcome: RollOverResult }, actor: string): Promise<void>
} {
  async function requireMayGive(
    handle: Db,
    { assignments: givings }: Pick<Effects, 'assignments'>,
    actor: string,
  ): Promise<void> {
    for (const { accountId, role } of givings) {
      const refusal = await guard.refusal(handle, { act: 'confirmRollOver', by: actor, on: accountId })
      if (refusal === null) continue
      const own = `This assigns you the role of ${ROLE_NAMES[role].toLowerCase()}. Ask another president to confirm the plan, or the webmaster to assign the role.`
      throw new RollOverBlockedError([
        { step: 'roles', sentence: refusal === 'OWN_ACCOUNT' ? own : errors[refusal].message },
      ])
    }
  }

  async function moveRoles(tx: Tx, { assignments: givings, roleEndings: endings }: Effects, actor: string) {
    const now = clock.now()
    const given: RollOverResult['given'] = []
    const ended: RollOverResult['ended'] = []
    for (const { term, endsOn: lastDay, atOnce } of endings) {
      const { id, accountId, role, startsOn, endsOn: formerly } = term
      const endsOn = atOnce ? formerly : lastDay
      const endedAt = atOnce ? now : null
      await setTermEnd(tx, id, { endsOn, endedAt })
      const details = {
        before: { role, startsOn, endsOn: formerly },
        after: atOnce ? null : { role, startsOn, endsOn },
      }
      await writeAudit(tx, { actor, action: 'role.ended', subjectId: accountId, details }, now)
      ended.push({ termId: id, name: `${term.firstName} ${term.lastName}`, role, formerly, endsOn, endedAt })
    }
    for (const { name, ...giving } of givings) {
      const termId = await assignRole(tx, { ...giving, givenBy: actor }, now)
      given.push({ termId, name, role: giving.role })
    }
    return { given, ended }
  }

  return {
    requireMayAssign: requireMayGive,

    async execute(tx, { id, plan }, actor) {
      await lockContent(tx)
      await lockPresidents(tx)
      const accounts = plan.grants.flatMap(({ accountId }) => accountId ?? []).sort()
      for (const accountId of new Set(accounts)) await lockAccount(tx, accountId)
      const present = await queries.snapshot(tx, plan)
      const years = termsOfPlan(plan, present.today)
      const effects = await computeEffects(plan, present, { years, kindOf: content.requireKind })
      if (effects.obstacles.length > 0) throw new RollOverBlockedError(effects.obstacles)
      await requireMayGive(tx, effects, actor)
      const records: RollOverResult['records'] = []
      for (const { after, ...record } of effects.records)
        records.push({ ...record, version: await content.publish(tx, actor, record, after) })
      const outcome = {
        content: effects.content,
        roles: effects.roles,
        records,
        ...(await moveRoles(tx, effects, actor)),
      }
      const details = {
        before: { term: years.formerTerm },
        after: { term: years.term, content: records.map(({ title }) => title), roles: effects.roles },
      }
      await writeAudit(tx, { actor, action: 'roll_over.done', subjectId: id, details }, clock.now())
      return outcome
    },

    async undo(tx, { id, outcome }, actor) {
      const now = clock.now()
      await lockContent(tx)
      await lockPresidents(tx)
      const changed = await queries.changedSince(tx, outcome)
      if (changed.length > 0)
        throw new Problem('ROLL_OVER_CHANGED', {
          message: `Changed since the roll-over: ${changed.join(', ')}. It can no longer be undone as a whole; you can restore each record from its versions.`,
        })
      for (const { kind, id: record, before } of outcome.records.toReversed()) {
        if (before) await content.publish(tx, actor, { kind, id: record }, before)
        else await content.remove(tx, actor, { kind, id: record })
      }
      for (const { termId } of outcome.given) await endTerm(tx, termId, now)
      for (const { termId, formerly } of outcome.ended)
        await setTermEnd(tx, termId, { endsOn: formerly, endedAt: null })
      const present = await queries.snapshot(tx, null)
      const day = firstDayWithoutPresident({ assignments: [], roleEndings: [] }, present, addDays(present.today, -1))
      if (day !== null) throw new Problem('LAST_PRESIDENT')
      const { content: written, roles } = outcome
      const details = { before: { content: written.map(({ title }) => title), roles }, after: null }
      await writeAudit(tx, { actor, action: 'roll_over.undone', subjectId: id, details }, now)
    },
  }
}
