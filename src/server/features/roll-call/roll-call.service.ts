import type { AppContext } from '#server/app-context.ts'
import type {
  getRollCall,
  listRollCalls,
  recordLostContact,
  recordRollCallAnswer,
  RollCall,
  startRollCall,
} from '#contract/console/people/roll-call.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { BodyOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Db } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { levelsByKey, listLevels } from '#server/features/levels/level.queries.ts'
import type { MemberAudiences } from '#server/features/member-email/audience.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { nameOfOfficer } from '#server/features/officers/approvals/approval.emails.ts'
import type { PersonStateService } from '#server/features/person-state/person-state.service.ts'
import type { RollCallAnswers } from './roll-call-answers.service.ts'
import { queueRollCall } from './roll-call.effects.ts'
import { sendRollCall } from './roll-call.emails.ts'
import {
  findAsked,
  findRollCall,
  isRollCallOpen,
  listStoredRollCalls,
  type StoredRollCall,
} from './roll-call.queries.ts'
import {
  closeOverdue,
  countAnswers,
  insertAsked,
  insertRollCall,
  listAsked,
  saveClosed,
  takeUnqueued,
} from './roll-call.repository.ts'

/** Emails queued in one transaction: few, so that log-ins do not wait for it. */
const AT_ONCE = 50

const iso = (instant: number) => new Date(instant).toISOString()

/** Roll calls in the console. Methods on one throw Problem NOT_FOUND. */
export function createRollCallService(
  { db, clock, timeZone, wakeOutbox }: AppContext,
  {
    audiences,
    answers,
    guard,
    people,
  }: {
    audiences: Pick<MemberAudiences, 'list'>
    answers: RollCallAnswers
    guard: ActAuthorizer
    people: Pick<PersonStateService, 'set'>
  },
) {
  async function requireCall(handle: Db, id: string): Promise<StoredRollCall> {
    const call = await findRollCall(handle, id)
    if (!call) throw new Problem('NOT_FOUND')
    return call
  }

  async function describe(handle: Db, call: StoredRollCall): Promise<RollCall> {
    const levels = await levelsByKey(handle)
    return {
      id: call.id,
      beganAt: iso(call.beganAt),
      beganBy: await nameOfOfficer(handle, call.beganBy),
      closesOn: call.closesOn,
      isOpen: isRollCallOpen(call, clock.now()),
      levels: call.levels.map((key) => levels.get(key)?.name ?? key),
      counts: await countAnswers(handle, call.id),
    }
  }

  return {
    async list(by: Officer): Promise<ReplyOf<typeof listRollCalls>> {
      const calls = await listStoredRollCalls(db)
      const levels = await listLevels(db)
      return {
        calls: await Promise.all(calls.map((call) => describe(db, call))),
        levels: levels.map(({ key, name, isRecurring }) => ({ key, name, isLifetime: !isRecurring })),
        today: dayOf(clock.now(), timeZone),
        mayStart: by.permissions.includes('members.notify'),
      }
    },

    /** Asks who is an active member of these levels now. @throws Problem ROLL_CALL_OPEN, NO_RECIPIENTS; INVALID_INPUT for a day that is past, or an unknown level */
    async start(by: Officer, { levels, closesOn }: BodyOf<typeof startRollCall>): Promise<RollCall> {
      const now = clock.now()
      if (closesOn < dayOf(now, timeZone)) throw fieldProblem('closesOn', 'This day is past')
      const known = await levelsByKey(db)
      if (levels.some((key) => !known.has(key))) throw fieldProblem('levels', 'Please choose a level')
      const id = newId(now)
      const call = await db.transaction().execute(async (tx) => {
        await closeOverdue(tx, now)
        const closesAt = startOfDay(addDays(closesOn, 1), timeZone)
        const begun = { id, levels: [...new Set(levels)], beganAt: now, beganBy: by.accountId, closesOn, closesAt }
        if (!(await insertRollCall(tx, begun))) throw new Problem('ROLL_CALL_OPEN')
        const filter = { status: 'ACTIVE,PAST_DUE', level: begun.levels.join(',') }
        const asked = await audiences.list(tx, 'notice', { filter })
        if (asked.length === 0) throw new Problem('NO_RECIPIENTS')
        const rows = asked.map(({ accountId, way }) => ({
          accountId,
          way: way === 'email' || way === 'post' ? way : ('none' as const),
        }))
        await insertAsked(tx, id, rows, now)
        await addToOutbox(tx, { effect: queueRollCall, payload: { callId: id } }, now)
        const details = { after: { levels: begun.levels, closesOn, members: asked.length } }
        await writeAudit(tx, { actor: by.accountId, action: 'roll_call.started', subjectId: id, details }, now)
        return describe(tx, await requireCall(tx, id))
      })
      wakeOutbox()
      return call
    },

    /** @throws Problem CHANGED_MEANWHILE if it is closed */
    async close(by: Officer, id: string): Promise<RollCall> {
      return db.transaction().execute(async (tx) => {
        const now = clock.now()
        await requireCall(tx, id)
        if (!(await saveClosed(tx, id, { by: by.accountId, now }))) throw new Problem('CHANGED_MEANWHILE')
        await writeAudit(tx, { actor: by.accountId, action: 'roll_call.closed', subjectId: id }, now)
        return describe(tx, await requireCall(tx, id))
      })
    },

    async read(
      by: Officer,
      id: string,
      { part, page = '1', size }: QueryOf<typeof getRollCall>,
    ): Promise<ReplyOf<typeof getRollCall>> {
      const call = await requireCall(db, id)
      const rows = await listAsked(db, id, { part, page: { number: Number(page), size: Number(size) } })
      const described = await describe(db, call)
      const { asked, silent, proposed } = described.counts
      return {
        call: described,
        people: await Promise.all(
          rows.map(async ({ accountId, firstName, lastName, way, answer, answeredAt, how, answeredBy, lostId }) => ({
            accountId,
            name: `${firstName} ${lastName}`,
            way,
            answer,
            answeredAt: answeredAt === null ? null : iso(answeredAt),
            how,
            answeredBy: answeredBy === null ? null : await nameOfOfficer(db, answeredBy),
            isLost: lostId !== null,
          })),
        ),
        total: { all: asked, answered: asked - silent, silent, proposed }[part],
        mayAsk: by.permissions.includes('members.notify'),
        mayRecord: by.permissions.includes('members.change'),
      }
    },

    /** @throws Problem ROLL_CALL_CLOSED, OWN_ACCOUNT, ACCOUNT_CLOSED */
    async record(by: Officer, id: string, given: BodyOf<typeof recordRollCallAnswer>): Promise<RollCall> {
      const { accountId } = given
      const call = await db.transaction().execute(async (tx) => {
        const found = await requireCall(tx, id)
        const account = await findAccount(tx, accountId)
        if (!account || !(await findAsked(tx, { callId: id, accountId }))) throw new Problem('NOT_FOUND')
        await guard.require(tx, { act: 'recordRollCallAnswer', by: by.accountId, on: accountId })
        if (!isRollCallOpen(found, clock.now())) throw new Problem('ROLL_CALL_CLOSED')
        if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
        await answers.store(tx, found, { ...given, by: by.accountId })
        return describe(tx, found)
      })
      wakeOutbox()
      return call
    },

    /** Those who are not proposed, or on whom this officer may not decide, are skipped. @throws Problem ROLL_CALL_OPEN while members can answer */
    async recordLost(
      by: Officer,
      id: string,
      { accountIds, reason }: BodyOf<typeof recordLostContact>,
    ): Promise<ReplyOf<typeof recordLostContact>> {
      if (isRollCallOpen(await requireCall(db, id), clock.now())) throw new Problem('ROLL_CALL_OPEN')
      const rows = await listAsked(db, id, { part: 'proposed', page: null })
      const proposed = new Set(rows.map(({ accountId }) => accountId))
      let recorded = 0
      for (const accountId of new Set(accountIds)) {
        if (!proposed.has(accountId)) continue
        try {
          await people.set(by, accountId, { state: 'lost', seen: 'living', reason })
          recorded++
        } catch (error) {
          if (!(error instanceof Problem)) throw error
        }
      }
      return { recorded, skipped: new Set(accountIds).size - recorded }
    },

    effects: {
      async 'roll_call.queue'({ callId }) {
        await db.transaction().execute(async (tx) => {
          const now = clock.now()
          const taken = await takeUnqueued(tx, callId, { limit: AT_ONCE, now })
          for (const accountId of taken) {
            const dedupeKey = `roll-call:${callId}:${accountId}`
            await addToOutbox(tx, { effect: sendRollCall, payload: { callId, accountId }, dedupeKey }, now)
          }
          if (taken.length > 0) await addToOutbox(tx, { effect: queueRollCall, payload: { callId } }, now)
        })
        wakeOutbox()
      },
    } satisfies HandlersOf<typeof queueRollCall>,
  }
}

export type RollCallService = ReturnType<typeof createRollCallService>
