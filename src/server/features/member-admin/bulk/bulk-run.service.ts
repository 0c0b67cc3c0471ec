import type { AppContext } from '#server/app-context.ts'
import { BULK_EMAIL_DELAY_MS } from '#contract/console/people/member-bulk.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { forgotPassword } from '#server/features/auth/auth.effects.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { membershipVersion } from '#server/features/memberships/payments/manual-payment.rules.ts'
import type { ManualPayments } from '#server/features/memberships/payments/manual-payment.service.ts'
import { noonUtc } from '#server/features/memberships/term-days.rules.ts'
import { rolesOn } from '#server/features/officers/officer.queries.ts'
import type { MemberListRow } from '../member-list.repository.ts'
import { insertNotes } from '../notes/note.repository.ts'
import type { BulkPlan } from './bulk-plan.service.ts'
import { findRun, listItems, lockRun, setItemState, setRunState, type BulkRunRecord } from './bulk-run.repository.ts'
import { runBulk } from './bulk.effects.ts'
import { sendRenewalLink } from './renewal-link.emails.ts'

/** Members per transaction: few, so logins do not wait for it. */
const MEMBERS_AT_ONCE = 50

/** Runs actions on many members in the background, in batches that survive a crash. */
export function createBulkRun(
  { db, clock, timeZone, wakeOutbox }: AppContext,
  { plan, manualPayments }: { plan: BulkPlan; manualPayments: Pick<ManualPayments, 'grantTerm'> },
): { effects: HandlersOf<typeof runBulk> } {
  /** Applies an email or a note in the transaction of the batch. */
  async function apply(tx: Tx, { action, details, id, officerId, createdAt }: BulkRunRecord, member: MemberListRow) {
    const now = clock.now()
    const audit = (name: 'renewal_link.sent' | 'account.reset_sent' | 'note.added') =>
      writeAudit(tx, { actor: officerId, action: name, subjectId: member.id }, now)
    if (action === 'note') {
      const note = { accountId: member.id, kind: 'note' as const, text: details.text ?? '', writtenBy: officerId }
      await insertNotes(tx, [{ ...note, id: newId(now), writtenAt: now, runId: id }])
      return audit('note.added')
    }
    const when = { dedupeKey: plan.emailKey(action, member.id, createdAt), dueAt: createdAt + BULK_EMAIL_DELAY_MS }
    if (action === 'renewal-link') {
      await addToOutbox(tx, { effect: sendRenewalLink, payload: { accountId: member.id }, ...when }, now)
      return audit('renewal_link.sent')
    }
    await addToOutbox(tx, { effect: forgotPassword, payload: { email: member.email }, ...when }, now)
    return audit('account.reset_sent')
  }

  /** Has a transaction of its own, which writes the audit log. Returns why it was skipped after all. */
  async function grant({ details, officerId }: BulkRunRecord, { id }: MemberListRow): Promise<string | null> {
    try {
      await manualPayments.grantTerm(
        {
          accountId: id,
          levelKey: details.levelKey ?? '',
          version: membershipVersion(await findCurrentMembership(db, id)),
          actor: officerId,
        },
        { endsAt: details.endsOn === undefined ? null : noonUtc(details.endsOn), reason: details.reason ?? '' },
      )
      return null
    } catch (error) {
      if (error instanceof Problem) return error.message
      throw error
    }
  }

  async function planBatch(tx: Tx, run: BulkRunRecord) {
    // The officer's role may have ended since.
    const officer = { accountId: run.officerId, roles: await rolesOn(tx, run.officerId, dayOf(clock.now(), timeZone)) }
    const ids = await listItems(tx, { runId: run.id, state: 'waiting', limit: MEMBERS_AT_ONCE })
    const planned = await plan.planMembers(tx, officer, { action: run.action, ids })
    const gone = ids.filter((id) => !planned.some(({ member }) => member.id === id))
    await setItemState(tx, run.id, gone, { state: 'skipped', reason: 'account deleted' })
    return planned
  }

  async function finishBatch(tx: Tx, { id }: BulkRunRecord, step: number): Promise<void> {
    const now = clock.now()
    const isOver = (await listItems(tx, { runId: id, state: 'waiting', limit: 1 })).length === 0
    if (isOver) return setRunState(tx, id, { state: 'done', finishedAt: now })
    const next = { runId: id, step: step + 1 }
    await addToOutbox(tx, { effect: runBulk, payload: next, dedupeKey: `bulk:${id}:${step + 1}` }, now)
  }

  /** One member at a time, each in a transaction of its own. After a crash between a grant and its mark, the same end is set once more. */
  async function grantSome(run: BulkRunRecord, step: number): Promise<void> {
    const planned = await db.transaction().execute((tx) => planBatch(tx, run))
    for (const { member, reason } of planned) {
      const skipped = reason ?? (await grant(run, member))
      const set = { state: skipped === null ? ('done' as const) : ('skipped' as const), reason: skipped }
      await setItemState(db, run.id, [member.id], set)
    }
    await db.transaction().execute((tx) => finishBatch(tx, run, step))
  }

  return {
    effects: {
      async [runBulk.kind]({ runId, step }) {
        const found = await findRun(db, runId)
        if (found?.state !== 'running') return
        if (found.action === 'complimentary') await grantSome(found, step)
        else {
          await db.transaction().execute(async (tx) => {
            const run = await lockRun(tx, runId, 'running')
            if (!run) return
            for (const { member, reason } of await planBatch(tx, run)) {
              if (reason === null) await apply(tx, run, member)
              await setItemState(tx, runId, [member.id], { state: reason === null ? 'done' : 'skipped', reason })
            }
            await finishBatch(tx, run, step)
          })
        }
        wakeOutbox()
      },
    },
  }
}
