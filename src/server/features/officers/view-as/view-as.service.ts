import { eachByItself } from '#server/platform/each-by-itself.ts'
import type { Kysely } from 'kysely'
import { officerLimits } from '#contract/access.ts'
import type { ViewAs } from '#contract/console-view-as.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Caller, Officer, ServeTools } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Job } from '#server/platform/job-runner.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { findAccount, lockAccount, toUser } from '../account/account.repository.ts'
import { findSession } from '../auth/session.repository.ts'
import type { ActGuard } from './act-guard.ts'
import type { OfficerService } from './officer.service.ts'
import { findViewing, insertViewing, listOpenViewings, markEnded, type Viewing } from './view-as.repository.ts'
import { whyOver, type ViewingEnd } from './view-as.rules.ts'
import { createViewTokens, isViewToken } from './view-token.ts'

/** So often views whose time is over are written down as ended. */
const CLOSE_EVERY_MS = 5 * 60_000

export interface ViewAsService extends Pick<ServeTools['views'], 'isViewToken' | 'admit'> {
  /** Ends the officer's other view, if there is one. @throws Problem NOT_FOUND, ACCOUNT_CLOSED, VIEW_OF_OFFICER */
  begin(by: Officer, caller: Caller, wanted: { accountId: string; reason: string }): Promise<ViewAs>
  /** Of others' views nothing happens. */
  end(by: Officer, id: string): Promise<void>
  job: Job
}

/** Officers who see the site as a member does: every call is asked anew whether the view still holds (decision record 18). */
export function createViewAsService({
  db,
  clock,
  secrets,
  siteUrl,
  officers,
  guard,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  siteUrl: string
  officers: Pick<OfficerService, 'identify' | 'isOfficer'>
  guard: ActGuard
}): ViewAsService {
  const tokens = createViewTokens(secrets, siteUrl)

  /** Whoever holds no role today is nobody here. */
  async function findOfficer(accountId: string): Promise<Officer | null> {
    try {
      return await officers.identify(accountId)
    } catch (error) {
      if (error instanceof Problem && error.code === 'NOT_AN_OFFICER') return null
      throw error
    }
  }

  async function look(viewing: Viewing, officerVersion: number | null) {
    const [session, officer, account, isOfficer] = await Promise.all([
      findSession(db, viewing.sessionId),
      findOfficer(viewing.officerId),
      findAccount(db, viewing.accountId),
      officers.isOfficer(viewing.accountId),
    ])
    const why = whyOver(viewing, {
      now: clock.now(),
      isSessionOpen:
        session !== null &&
        session.revokedAt === null &&
        session.deactivatedBy === null &&
        (officerVersion === null || session.tokenVersion === officerVersion),
      mayView: officer?.permissions.includes('members.view_as') ?? false,
      isViewable: account !== null && account.deactivatedBy === null && !isOfficer,
    })
    return { why, officer }
  }

  async function close(tx: Tx, viewing: Viewing, how: ViewingEnd): Promise<void> {
    const now = clock.now()
    const at = Math.min(now, viewing.endsAt)
    if (!(await markEnded(tx, viewing.id, at))) return
    const { id, accountId, officerId, startedAt } = viewing
    const details = { view: id, how, startedAt, endedAt: at }
    await writeAudit(tx, { actor: officerId, action: 'member_view.ended', subjectId: accountId, details }, now)
  }

  const closeNow = (viewing: Viewing, how: ViewingEnd) => db.transaction().execute((tx) => close(tx, viewing, how))

  return {
    isViewToken,

    async begin(by, caller, { accountId, reason }) {
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
        // Of two views begun at once, one comes second and ends the first.
        await lockAccount(tx, by.accountId)
        for (const open of await listOpenViewings(tx, by.accountId)) await close(tx, open, 'another')
        await insertViewing(tx, { ...viewing, startedAt: now, endsAt })
        const details = { view: viewing.id, reason, until: new Date(endsAt).toISOString() }
        await writeAudit(tx, { actor: by.accountId, action: 'member_view.started', subjectId: accountId, details }, now)
      })
      const claims = { viewingId: viewing.id, accountId, officerVersion: session.tokenVersion, expiresAt: endsAt }
      return {
        id: viewing.id,
        token: await tokens.write(claims, now),
        until: new Date(endsAt).toISOString(),
        member: toUser(account),
      }
    },

    async end(by, id) {
      const viewing = await findViewing(db, id)
      if (viewing?.officerId === by.accountId) await closeNow(viewing, 'left')
    },

    async admit(token, endpoint) {
      const claims = await tokens.read(token, clock.now())
      const viewing = claims && (await findViewing(db, claims.viewingId))
      if (!viewing || viewing.accountId !== claims.accountId || viewing.endedAt !== null) throw new Problem('VIEW_OVER')
      const { why, officer } = await look(viewing, claims.officerVersion)
      if (why) {
        await closeNow(viewing, why)
        throw new Problem('VIEW_OVER')
      }
      if (!endpoint.inView || !officer?.permissions.includes(endpoint.inView)) throw new Problem('VIEW_HIDES')
      // Of no session: nothing of the member's is touched, and nothing that asks for one finds it.
      return { accountId: viewing.accountId, sessionId: '', tokenExpiresAt: claims.expiresAt }
    },

    job: {
      name: 'member-views',
      everyMs: CLOSE_EVERY_MS,
      async run() {
        await eachByItself(
          await listOpenViewings(db),
          ({ id }) => `view ${id}`,
          async (viewing) => {
            const { why } = await look(viewing, null)
            if (why) await closeNow(viewing, why)
          },
        )
      },
    },
  }
}
