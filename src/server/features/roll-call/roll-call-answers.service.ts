import type { AppContext } from '#server/app-context.ts'
import type { answerRollCall, RollCallAnswer, StillHereOutcome } from '#contract/public/my-account/still-here.ts'
import type { RollCallHow } from '#contract/console/people/roll-call.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { findMergeTarget } from '#server/features/accounts/account-merge.queries.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import type { DeathReports } from '#server/features/person-state/death-reports.service.ts'
import { readStillHereToken } from '#server/features/person-state/still-here-link.service.ts'
import { findAsked, findOpenQuestion, findRollCall, isRollCallOpen, type StoredRollCall } from './roll-call.queries.ts'
import { saveAnswer } from './roll-call.repository.ts'

interface Answer {
  accountId: string
  answer: RollCallAnswer
  how: RollCallHow
  /** Account id of the officer; null: the member, or anyone who had the link. */
  by: string | null
}

/** Answers to roll calls, by the link, by the member who is logged in, or recorded by an officer. */
export function createRollCallAnswers(
  { db, clock, secrets, wakeOutbox }: AppContext,
  { reports }: { reports: DeathReports },
) {
  /** Stores an answer, and what follows from it: someone who is here is not lost, and “died” is a report. @param call null: only the latter */
  async function store(tx: Tx, call: StoredRollCall | null, given: Answer): Promise<StillHereOutcome> {
    const { accountId, answer, how, by } = given
    const now = clock.now()
    const isHere = answer === 'here' || answer === 'moved'
    if (isHere && (await reports.object(tx, accountId, by ?? accountId)) === 'deceased') return 'deceased'
    const isDeath = answer === 'died'
    const found = call && (await findAsked(tx, { callId: call.id, accountId }))
    // Late, “here” still ends a silence, and a death is still a report; nothing else is stored.
    const asked = call && (isRollCallOpen(call, now) || (isHere && found?.answer === null)) ? found : null
    if (!asked && isDeath && by === null) await reports.add(tx, accountId, { source: null, by })
    if (!asked) return isHere || isDeath ? 'saved' : 'closed'
    const isNew = await saveAnswer(tx, asked.id, { answer, how, answeredBy: by, now })
    if (isNew) {
      const details = { answer, how }
      await writeAudit(tx, { actor: by ?? accountId, action: 'roll_call.answered', subjectId: accountId, details }, now)
    }
    if (isDeath) {
      const report = by === null ? { source: null, by } : { source: `Roll call, by ${how}`, by }
      await reports.add(tx, accountId, report)
    }
    return 'saved'
  }

  return {
    store,

    /** By the link of an email. Idempotent. @throws Problem STILL_HERE_LINK_INVALID */
    async byLink({ token, answer }: BodyOf<typeof answerRollCall>): Promise<StillHereOutcome> {
      const link = readStillHereToken(secrets, token)
      if (!link) throw new Problem('STILL_HERE_LINK_INVALID')
      const outcome = await db.transaction().execute(async (tx) => {
        // An email to an account that was merged since speaks of the remaining one.
        const accountId = (await findMergeTarget(tx, link.accountId)) ?? link.accountId
        const account = await findAccount(tx, accountId)
        if (!account || account.deactivatedBy === 'self') throw new Problem('STILL_HERE_LINK_INVALID')
        const call =
          link.callId === null
            ? ((await findOpenQuestion(tx, accountId, clock.now()))?.call ?? null)
            : await findRollCall(tx, link.callId)
        return store(tx, call, { accountId, answer, how: 'link', by: null })
      })
      wakeOutbox()
      return outcome
    },

    /** By a member who is logged in. */
    byMember(accountId: string, answer: 'here' | 'moved'): Promise<StillHereOutcome> {
      return db.transaction().execute(async (tx) => {
        const open = await findOpenQuestion(tx, accountId, clock.now())
        return store(tx, open?.call ?? null, { accountId, answer, how: 'login', by: null })
      })
    },

    /** What asks a member now. */
    async own(accountId: string) {
      const open = await findOpenQuestion(db, accountId, clock.now())
      return { call: open && { closesOn: open.call.closesOn, answer: open.member.answer } }
    },
  }
}

export type RollCallAnswers = ReturnType<typeof createRollCallAnswers>
