import type { AppContext } from '#server/app-context.ts'
import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import { officerLimits } from '#contract/access.ts'
import type { ViewAs } from '#contract/console/view-as.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Tx } from '#server/db/database.ts'
import type { Caller, Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccount, toUser } from '#server/features/accounts/account.queries.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findSession } from '#server/features/auth/sessions/session.queries.ts'
import type { ActAuthorizer } from '../approvals/act-guard.service.ts'
import type { OfficerService } from '../officer.service.ts'
import { findView, insertView, listOpenViews, markViewEnded, type ViewRecord } from './view-as.repository.ts'
import { viewEndReason, type ViewEndReason } from './view-as.rules.ts'
import { createViewTokens, isViewToken } from './view-token.service.ts'

/** How often expired views are recorded as ended. */
const CLOSE_EVERY_MS = 5 * 60_000

/**
 * Lets officers view the site as a member; every request checks that the view is still allowed (decision record 18).
 */
export function createViewAsService(
  { db, clock, secrets, siteUrl }: AppContext,
  {
    officers,
    guard,
  }: {
    officers: Pick<OfficerService, 'identify' | 'isOfficer'>
    guard: ActAuthorizer
  },
) {
  const tokens = createViewTokens(secrets, siteUrl)

  /** Returns null for an account without a role today. */
  async function findOfficer(accountId: string): Promise<Officer | null> {
    try {
      return await officers.identify(accountId)
    } catch (error) {
      if (error instanceof Problem && error.code === 'NOT_AN_OFFICER') return null
      throw error
    }
  }

  async function check(viewing: ViewRecord, officerVersion: number | null) {
    const [session, officer, account, isOfficer] = await Promise.all([
      findSession(db, viewing.sessionId),
      findOfficer(viewing.officerId),
      findAccount(db, viewing.accountId),
      officers.isOfficer(viewing.accountId),
    ])
    const endReason = viewEndReason(viewing, {
      now: clock.now(),
      isSessionOpen:
        session !== null &&
        session.revokedAt === null &&
        session.deactivatedBy === null &&
        (officerVersion === null || session.tokenVersion === officerVersion),
      mayView: officer?.permissions.includes('members.view_as') ?? false,
      isViewable: account !== null && account.deactivatedBy === null && !isOfficer,
    })
    return { endReason, officer }
  }

  async function close(tx: Tx, viewing: ViewRecord, how: ViewEndReason): Promise<void> {
    const now = clock.now()
    const at = Math.min(now, viewing.endsAt)
    if (!(await markViewEnded(tx, viewing.id, at))) return
    const { id, accountId, officerId, startedAt } = viewing
    const details = { view: id, how, startedAt, endedAt: at }
    await writeAudit(tx, { actor: officerId, action: 'member_view.ended', subjectId: accountId, details }, now)
  }

  const closeNow = (viewing: ViewRecord, how: ViewEndReason) =>
    db.transaction().execute((tx) => close(tx, viewing, how))

  return {
    isViewToken,

    /** Opens a view; ends the officer's other view. @throws Problem NOT_FOUND, ACCOUNT_CLOSED, VIEW_OF_OFFICER */
    async start(
      by: Officer,
      caller: Caller,
      { accountId, reason }: { accountId: string; reason: string },
    ): Promise<ViewAs> {
      const now = clock.now()
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('NOT_FOUND')
      await guard.require(db, { act: 'beginViewAs', by: by.accountId, on: accountId })
      if (account.deactivatedBy !== null) throw new Problem('ACCOUNT_CLOSED')
      const session = await findSession(db, caller.sessionId)
      if (!session) throw new Problem('SESSION_EXPIRED')
      const endsAt = Math.min(now + officerLimits.viewForMs, caller.tokenExpiresAt)
      const viewing = { id: newId(now), officerId: by.accountId, sessionId: caller.sessionId, accountId, reason }
      await db.transaction().execute(async (tx) => {
        // Of two views opened concurrently, the second ends the first.
        await lockAccount(tx, by.accountId)
        for (const open of await listOpenViews(tx, by.accountId)) await close(tx, open, 'another')
        await insertView(tx, { ...viewing, startedAt: now, endsAt })
        const details = { view: viewing.id, reason, until: new Date(endsAt).toISOString() }
        await writeAudit(tx, { actor: by.accountId, action: 'member_view.started', subjectId: accountId, details }, now)
      })
      const claims = { viewingId: viewing.id, accountId, officerVersion: session.tokenVersion, expiresAt: endsAt }
      return {
        id: viewing.id,
        token: await tokens.sign(claims, now),
        until: new Date(endsAt).toISOString(),
        member: toUser(account),
      }
    },

    /** Ends the officer's own view; no-op for views of others. */
    async end(by: Officer, id: string): Promise<void> {
      const viewing = await findView(db, id)
      if (viewing?.officerId === by.accountId) await closeNow(viewing, 'left')
    },

    async admit(token: string, endpoint: Endpoint): Promise<Caller> {
      const claims = await tokens.verify(token, clock.now())
      const viewing = claims && (await findView(db, claims.viewingId))
      if (!viewing || viewing.accountId !== claims.accountId || viewing.endedAt !== null) throw new Problem('VIEW_OVER')
      const { endReason, officer } = await check(viewing, claims.officerVersion)
      if (endReason) {
        await closeNow(viewing, endReason)
        throw new Problem('VIEW_OVER')
      }
      if (!endpoint.inView || !officer?.permissions.includes(endpoint.inView)) throw new Problem('VIEW_HIDES')
      // Session id is empty on purpose: impersonation never touches the member's sessions.
      return {
        accountId: viewing.accountId,
        sessionId: '',
        tokenExpiresAt: claims.expiresAt,
        viewer: officer.permissions,
      }
    },

    job: {
      name: 'member-views',
      everyMs: CLOSE_EVERY_MS,
      async run() {
        await forEachCollectingErrors(
          await listOpenViews(db),
          ({ id }) => `view ${id}`,
          async (viewing) => {
            const { endReason } = await check(viewing, null)
            if (endReason) await closeNow(viewing, endReason)
          },
        )
      },
    } satisfies Job,
  }
}

export type ViewAsService = ReturnType<typeof createViewAsService>
