import type { AppContext } from '#server/app-context.ts'
import type { Device } from '#contract/public/account-devices.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { listActiveSessions } from '#server/features/auth/sessions/session.queries.ts'
import { revokeSession, revokeSessions } from '#server/features/auth/sessions/session.commands.ts'
import type { SessionService, AuthenticatedSession } from '#server/features/auth/sessions/session.service.ts'
import { incrementTokenVersion } from '#server/features/accounts/account.commands.ts'

const DAY_MS = 86_400_000

export function createDevicesService(
  { db, clock, settings }: AppContext,
  {
    sessions,
  }: {
    sessions: SessionService
  },
) {
  return {
    async list({ accountId, sessionId }: AuthenticatedSession): Promise<Device[]> {
      const found = await listActiveSessions(db, accountId, clock.now() - settings().session.days * DAY_MS)
      return found.map(({ id, browser, createdAt, lastSeenAt }) => ({
        id,
        browser,
        signedInAt: new Date(createdAt).toISOString(),
        lastSeenAt: new Date(lastSeenAt).toISOString(),
        isCurrent: id === sessionId,
      }))
    },

    /** Ends one of the caller's own sessions; no-op for any other id. */
    signOut: ({ accountId }: AuthenticatedSession, id: string): Promise<void> =>
      revokeSession(db, { id, accountId, now: clock.now() }),

    /** Ends every session, starts a new one for the caller and returns its token. */
    async signOutEverywhere({ accountId }: AuthenticatedSession, userAgent: string): Promise<string> {
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        const tokenVersion = await incrementTokenVersion(tx, accountId, now)
        await revokeSessions(tx, accountId, now)
        await writeAudit(tx, { actor: accountId, action: 'sessions.ended', subjectId: accountId }, now)
        return sessions.start(tx, { id: accountId, tokenVersion }, userAgent)
      })
    },
  }
}

export type DevicesService = ReturnType<typeof createDevicesService>
