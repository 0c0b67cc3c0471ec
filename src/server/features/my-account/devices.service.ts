import type { Kysely } from 'kysely'
import type { Device } from '#contract/account-devices.ts'
import type { Schema } from '#server/db/schema.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { listLiveSessions, revokeSession, revokeSessions } from '../auth/session.repository.ts'
import type { SessionService, SignedIn } from '../auth/session.service.ts'
import { raiseTokenVersion } from './account.repository.ts'

export interface DevicesService {
  list(caller: SignedIn): Promise<Device[]>
  /** Ends one of the caller's own sessions; of another's id nothing comes. */
  signOut(caller: SignedIn, sessionId: string): Promise<void>
  /** Ends every session, and begins one for the caller, whose token it returns. */
  signOutEverywhere(caller: SignedIn, userAgent: string): Promise<string>
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
      const found = await listLiveSessions(db, accountId, clock.now() - sessionDays() * DAY_MS)
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
        const tokenVersion = await raiseTokenVersion(tx, accountId, now)
        await revokeSessions(tx, accountId, now)
        await writeAudit(tx, { actor: accountId, action: 'sessions.ended', subjectId: accountId }, now)
        return sessions.begin(tx, { id: accountId, tokenVersion }, userAgent)
      })
    },
  }
}
