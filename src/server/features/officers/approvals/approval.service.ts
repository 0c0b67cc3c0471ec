import type { AppContext } from '#server/app-context.ts'
import { permissionsOf, type Permission } from '#contract/access.ts'
import { APPROVAL_DAYS, type Approval, type ApprovalAct } from '#contract/console/approvals.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { nameOfOfficer, sendApprovalDecided, sendApprovalWanted } from './approval.emails.ts'
import {
  decideApproval,
  findApproval,
  insertApproval,
  listDecidedApprovals,
  listExpiredApprovals,
  listPendingApprovals,
  type ApprovalRequest,
} from './approval.repository.ts'
import { listManagers } from '../managers.queries.ts'
import { lockPresidents } from '../officer.commands.ts'
import { rolesOn } from '../officer.queries.ts'

/** Describes an act that needs approval, and carries it out once a second officer has approved it. */
export interface ApprovableAct {
  /** The permission the requesting officer needs, both at the request and at the approval. */
  permission: Permission
  /** E.g. 'Change the email address of Meera Rao'. */
  title(request: ApprovalRequest): Promise<string>
  /** Describes the current effects; the version changes whenever they do. */
  describe(handle: Db, request: ApprovalRequest): Promise<{ sentences: string[]; version: string }>
  /**
   * Runs in the transaction of the approval.
   * @throws Problem if it is no longer possible; the request then stays pending
   */
  carryOut(tx: Tx, request: ApprovalRequest, approvedBy: string): Promise<void>
  /** Runs after the commit, for calls to other services. @throws Problem */
  finish?(request: ApprovalRequest): Promise<void>
}

const DAY_MS = 86_400_000
const SHOWN_MS = 30 * DAY_MS
const DECIDED_SHOWN = 50

export function createApprovalService(
  { db, clock, timeZone, wakeOutbox }: AppContext,
  {
    acts,
  }: {
    acts: Record<ApprovalAct, ApprovableAct>
  },
) {
  const today = () => dayOf(clock.now(), timeZone)
  const iso = (instant: number) => new Date(instant).toISOString()

  const nameOf = (accountId: string, handle: Db = db) => nameOfOfficer(handle, accountId)

  async function requireRequest(id: string): Promise<ApprovalRequest> {
    const request = await findApproval(db, id)
    if (!request) throw new Problem('NOT_FOUND')
    return request
  }

  const isInvolved = ({ askedBy, subjectId }: ApprovalRequest, accountId: string) =>
    askedBy === accountId || subjectId === accountId
  const managesOfficers = ({ permissions }: Officer) => permissions.includes('officers.change')

  /** Rechecks both officers' roles in the approving transaction: they may have ended meanwhile. */
  async function requireRoles(tx: Tx, request: ApprovalRequest, approver: string): Promise<void> {
    const asker = permissionsOf(await rolesOn(tx, request.askedBy, today()))
    if (!asker.includes(acts[request.act].permission)) throw new Problem('APPROVAL_STALE')
    const managers = await listManagers(tx, today())
    if (!managers.some(({ accountId }) => accountId === approver)) throw new Problem('NOT_ALLOWED')
  }

  async function audit(
    tx: Tx,
    request: ApprovalRequest,
    what: 'asked' | 'approved' | 'declined' | 'withdrawn' | 'expired',
    actor: string,
    more = {},
  ): Promise<void> {
    const { id, act, subjectId, reason } = request
    const details = { request: id, act, reason, askedBy: await nameOf(request.askedBy, tx), ...more }
    await writeAudit(tx, { actor, action: `approval.${what}`, subjectId, details }, clock.now())
  }

  function notifyRequester(tx: Tx, { id }: ApprovalRequest): Promise<void> {
    const dedupeKey = `approval-decided:${id}`
    return addToOutbox(tx, { effect: sendApprovalDecided, payload: { approvalId: id }, dedupeKey }, clock.now())
  }

  async function expire(tx: Tx, request: ApprovalRequest): Promise<void> {
    const decision = { state: 'expired', decidedBy: null, note: null, now: clock.now() } as const
    if (!(await decideApproval(tx, request.id, decision))) return
    await audit(tx, request, 'expired', 'system')
    await notifyRequester(tx, request)
  }

  async function describe(by: Officer, request: ApprovalRequest): Promise<Approval> {
    const act = acts[request.act]
    const isWaiting = request.state === 'waiting'
    const { sentences, version } = isWaiting ? await act.describe(db, request) : { sentences: [], version: '' }
    const isMine = request.askedBy === by.accountId
    return {
      id: request.id,
      act: request.act,
      state: request.state,
      title: await act.title(request),
      sentences,
      version,
      subject: { id: request.subjectId, name: await nameOf(request.subjectId) },
      reason: request.reason,
      askedBy: await nameOf(request.askedBy),
      askedAt: iso(request.askedAt),
      expiresAt: iso(request.expiresAt),
      decidedBy: request.decidedBy === null ? null : await nameOf(request.decidedBy),
      decidedAt: request.decidedAt === null ? null : iso(request.decidedAt),
      note: request.note,
      mayApprove: isWaiting && managesOfficers(by) && !isInvolved(request, by.accountId),
      mayDecline: isWaiting && managesOfficers(by) && !isMine,
      mayWithdraw: isWaiting && isMine,
    }
  }

  const isVisibleTo = (by: Officer) => (request: ApprovalRequest) =>
    managesOfficers(by) || request.askedBy === by.accountId

  return {
    /**
     * Creates a request in the caller's transaction and notifies everyone who may approve it.
     * @throws Problem APPROVAL_WAITING; NO_SECOND_OFFICER if no one else can approve it
     */
    async request(
      tx: Tx,
      by: { accountId: string },
      {
        act,
        subjectId,
        payload,
        reason,
      }: { act: ApprovalAct; subjectId: string; payload: Record<string, string>; reason: string },
    ): Promise<void> {
      const now = clock.now()
      const managers = await listManagers(tx, today())
      const approvers = managers.filter(({ accountId }) => accountId !== by.accountId && accountId !== subjectId)
      if (approvers.length === 0) throw new Problem('NO_SECOND_OFFICER')
      for (const old of await listExpiredApprovals(tx, now)) if (old.subjectId === subjectId) await expire(tx, old)
      const request: ApprovalRequest = {
        id: newId(now),
        act,
        subjectId,
        payload,
        reason,
        askedBy: by.accountId,
        askedAt: now,
        expiresAt: now + APPROVAL_DAYS * DAY_MS,
        state: 'waiting',
        decidedBy: null,
        decidedAt: null,
        note: null,
      }
      if (!(await insertApproval(tx, request))) throw new Problem('APPROVAL_WAITING')
      await audit(tx, request, 'asked', by.accountId, payload)
      for (const { accountId } of approvers) {
        const emailPayload = { approvalId: request.id, accountId }
        await addToOutbox(tx, { effect: sendApprovalWanted, payload: emailPayload }, now)
      }
    },

    /**
     * Returns pending and recently decided requests: all of them for officers who manage officers, otherwise one's own.
     */
    async list(by: Officer): Promise<Approval[]> {
      const now = clock.now()
      const waiting = await listPendingApprovals(db, { now })
      const decided = await listDecidedApprovals(db, { since: now - SHOWN_MS, limit: DECIDED_SHOWN })
      return Promise.all([...waiting, ...decided].filter(isVisibleTo(by)).map((request) => describe(by, request)))
    },

    /** Returns the pending requests about one account. */
    async listPendingFor(
      by: Officer,
      subjectId: string,
    ): Promise<{ id: string; title: string; askedBy: string; expiresAt: string; mayWithdraw: boolean }[]> {
      const waiting = await listPendingApprovals(db, { now: clock.now(), subjectId })
      return Promise.all(
        waiting.map(async (request) => ({
          id: request.id,
          title: await acts[request.act].title(request),
          askedBy: await nameOf(request.askedBy),
          expiresAt: iso(request.expiresAt),
          mayWithdraw: request.askedBy === by.accountId,
        })),
      )
    },

    /** Returns how many requests this officer can approve now. */
    async countFor(by: Officer): Promise<number> {
      const waiting = await listPendingApprovals(db, { now: clock.now() })
      return managesOfficers(by) ? waiting.filter((request) => !isInvolved(request, by.accountId)).length : 0
    },

    /**
     * @throws Problem NOT_FOUND, APPROVAL_OWN, APPROVAL_CLOSED, APPROVAL_STALE, CHANGED_MEANWHILE, and whatever the act
     * throws
     */
    async approve(by: Officer, id: string, version: string): Promise<void> {
      const request = await requireRequest(id)
      if (isInvolved(request, by.accountId)) throw new Problem('APPROVAL_OWN')
      const act = acts[request.act]
      await db.transaction().execute(async (tx) => {
        await lockPresidents(tx)
        await lockAccount(tx, request.subjectId)
        const decision = { state: 'approved', decidedBy: by.accountId, note: null, now: clock.now() } as const
        if (!(await decideApproval(tx, id, decision))) throw new Problem('APPROVAL_CLOSED')
        await requireRoles(tx, request, by.accountId)
        if ((await act.describe(tx, request)).version !== version) throw new Problem('CHANGED_MEANWHILE')
        await audit(tx, request, 'approved', by.accountId)
        await notifyRequester(tx, request)
        await act.carryOut(tx, request, by.accountId)
      })
      wakeOutbox()
      await act.finish?.(request)
    },

    /** @throws Problem NOT_FOUND, APPROVAL_OWN, APPROVAL_CLOSED */
    async decline(by: Officer, id: string, reason: string): Promise<void> {
      const request = await requireRequest(id)
      if (request.askedBy === by.accountId) throw new Problem('APPROVAL_OWN')
      await db.transaction().execute(async (tx) => {
        const decision = { state: 'declined', decidedBy: by.accountId, note: reason, now: clock.now() } as const
        if (!(await decideApproval(tx, id, decision))) throw new Problem('APPROVAL_CLOSED')
        await audit(tx, request, 'declined', by.accountId, { note: reason })
        await notifyRequester(tx, request)
      })
      wakeOutbox()
    },

    /** @throws Problem NOT_FOUND, APPROVAL_CLOSED */
    async withdraw(by: Officer, id: string): Promise<void> {
      const request = await requireRequest(id)
      if (request.askedBy !== by.accountId) throw new Problem('NOT_FOUND')
      await db.transaction().execute(async (tx) => {
        const decision = { state: 'withdrawn', decidedBy: by.accountId, note: null, now: clock.now() } as const
        if (!(await decideApproval(tx, id, decision))) throw new Problem('APPROVAL_CLOSED')
        await audit(tx, request, 'withdrawn', by.accountId)
      })
    },

    /** Expires requests that were not decided in time. */
    job: {
      name: 'approvals',
      everyMs: 3_600_000,
      async run() {
        for (const request of await listExpiredApprovals(db, clock.now())) {
          await db.transaction().execute((tx) => expire(tx, request))
        }
        wakeOutbox()
      },
    } satisfies Job,
  }
}

export type ApprovalService = ReturnType<typeof createApprovalService>
