import type { Kysely } from 'kysely'
import type { Device } from '#contract/public/account-devices.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Clock } from '#server/lib/clock.ts'
import { listActiveSessions } from '#server/features/auth/sessions/session.queries.ts'
import { revokeSession, revokeSessions } from '#server/features/auth/sessions/session.commands.ts'
import type { SessionService, AuthenticatedSession } from '#server/features/auth/sessions/session.service.ts'
import { incrementTokenVersion } from '#server/features/accounts/account.commands.ts'

export interface DevicesService {
  list(caller: AuthenticatedSession): Promise<Device[]>
  /** Ends one of the caller's own sessions; no-op for any other id. */
  signOut(caller: AuthenticatedSession, sessionId: string): Promise<void>
  /** Ends every session, starts a new one for the caller and returns its token. */
  signOutEverywhere(caller: AuthenticatedSession, userAgent: string): Promise<string>
}

const DAY_MS = 86_400_000

export function createDevicesService({
  db,
  clock,
  sessions,
  sessionDays,
}: {
  db: Kysely<Schema>
  clock: Clock
  sessions: SessionService
  sessionDays(): number
}): DevicesService {
  return {
    async list({ accountId, sessionId }) {
      const found = await listActiveSessions(db, accountId, clock.now() - sessionDays() * DAY_MS)
      return found.map(({ id, browser, createdAt, lastSeenAt }) => ({
        id,
        browser,
        signedInAt: new Date(createdAt).toISOString(),
        lastSeenAt: new Date(lastSeenAt).toISOString(),
        isCurrent: id === sessionId,
      }))
    },

    signOut: ({ accountId }, id) => revokeSession(db, { id, accountId, now: clock.now() }),

    async signOutEverywhere({ accountId }, userAgent) {
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
