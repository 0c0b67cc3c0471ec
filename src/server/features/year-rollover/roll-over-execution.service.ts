import { ROLE_NAMES } from '#contract/access.ts'
import { addDays } from '#contract/days.ts'
import { errors } from '#contract/errors.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { lockAccount } from '../account/account.repository.ts'
import { holdContent } from '../association/content.repository.ts'
import type { ActGuard } from '../console/act-guard.ts'
import { giveRole } from '../console/give-role.ts'
import { endTerm, lockPresidents, setTermEnd } from '../console/officer.repository.ts'
import type { ManyRecords } from '../content/content.service.ts'
import { effectsOf, yearsOf, type Effects } from './roll-over-effects.ts'
import type { Outcome } from './roll-over-outcome.ts'
import type { RollOverReading } from './roll-over-reading.ts'
import { dayWithoutPresident } from './roll-over-roles.rules.ts'
import type { StoredRollOver } from './roll-over.repository.ts'

/** Something stands in the way, and nothing was done. */
export class Blocked extends Error {
  readonly sentences: string[]
  constructor(obstacles: Effects['obstacles']) {
    super('The year cannot be moved on yet.')
    this.name = 'Blocked'
    this.sentences = obstacles.map(({ sentence }) => sentence)
  }
}

/** Does a whole plan, or undoes it, in the caller's transaction. */
export function createRollOverDoing({
  clock,
  reading,
  content,
  guard,
}: {
  clock: Clock
  reading: RollOverReading
  content: ManyRecords
  guard: ActGuard
}): {
  /** No officer gives a role to the own account. @throws Blocked */
  requireMayGive(handle: Db, effects: Pick<Effects, 'givings'>, actor: string): Promise<void>
  /** @throws Blocked */
  carryOut(tx: Tx, rollOver: StoredRollOver, actor: string): Promise<Outcome>
  /** @throws Problem ROLL_OVER_CHANGED, LAST_PRESIDENT */
  takeBack(tx: Tx, rollOver: { id: string; outcome: Outcome }, actor: string): Promise<void>
} {
  async function requireMayGive(handle: Db, { givings }: Pick<Effects, 'givings'>, actor: string): Promise<void> {
    for (const { accountId, role } of givings) {
      const refusal = await guard.refusal(handle, { act: 'confirmRollOver', by: actor, on: accountId })
      if (refusal === null) continue
      const own = `This gives you the role of ${ROLE_NAMES[role].toLowerCase()}. Ask another president to confirm it, or let the webmaster give it.`
      throw new Blocked([{ step: 'roles', sentence: refusal === 'OWN_ACCOUNT' ? own : errors[refusal].message }])
    }
  }

  async function moveRoles(tx: Tx, { givings, endings }: Effects, actor: string) {
    const now = clock.now()
    const given: Outcome['given'] = []
    const ended: Outcome['ended'] = []
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
      const termId = await giveRole(tx, { ...giving, givenBy: actor }, now)
      given.push({ termId, name, role: giving.role })
    }
    return { given, ended }
  }

  return {
    requireMayGive,

    async carryOut(tx, { id, plan }, actor) {
      await holdContent(tx)
      await lockPresidents(tx)
      const accounts = plan.grants.flatMap(({ accountId }) => accountId ?? []).sort()
      for (const accountId of new Set(accounts)) await lockAccount(tx, accountId)
      const present = await reading.present(tx, plan)
      const years = yearsOf(plan, present.today)
      const effects = await effectsOf(plan, present, { years, formOf: content.form })
      if (effects.obstacles.length > 0) throw new Blocked(effects.obstacles)
      await requireMayGive(tx, effects, actor)
      const records: Outcome['records'] = []
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

    async takeBack(tx, { id, outcome }, actor) {
      const now = clock.now()
      await holdContent(tx)
      await lockPresidents(tx)
      const changed = await reading.changedSince(tx, outcome)
      if (changed.length > 0)
        throw new Problem('ROLL_OVER_CHANGED', {
          message: `This was changed since: ${changed.join(', ')}. So it can not be undone as a whole; each record can be brought back from its versions.`,
        })
      for (const { kind, id: record, before } of outcome.records.toReversed()) {
        if (before) await content.publish(tx, actor, { kind, id: record }, before)
        else await content.remove(tx, actor, { kind, id: record })
      }
      for (const { termId } of outcome.given) await endTerm(tx, termId, now)
      for (const { termId, formerly } of outcome.ended)
        await setTermEnd(tx, termId, { endsOn: formerly, endedAt: null })
      const present = await reading.present(tx, null)
      const day = dayWithoutPresident({ givings: [], endings: [] }, present, addDays(present.today, -1))
      if (day !== null) throw new Problem('LAST_PRESIDENT')
      const { content: written, roles } = outcome
      const details = { before: { content: written.map(({ title }) => title), roles }, after: null }
      await writeAudit(tx, { actor, action: 'roll_over.undone', subjectId: id, details }, now)
    },
  }
}
