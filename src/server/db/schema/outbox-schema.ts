import type { Generated } from 'kysely'
import type { Lane, Priority } from '#server/jobs/effect-priorities.ts'

/** Work to do after a transaction, such as an email; conventions as in `schema.ts`. */
export interface OutboxTable {
  id: string
  kind: string
  /** JSON; ids and addresses, never a token or a password. */
  payload: string
  /** For emails: the value of the payload that leads to the person it is about. */
  subject: Generated<string | null>
  /** For emails to someone else than the person they are about: that person's address or account id. */
  recipient: Generated<string | null>
  /** Unique when set: the same effect is not queued twice. */
  dedupeKey: string | null
  createdAt: number
  dueAt: number
  lane: Generated<Lane>
  priority: Generated<Priority>
  leasedUntil: number | null
  /** The process that last leased it; see `platform/holder.ts`. */
  leasedBy: string | null
  attempts: number
  lastError: string | null
  doneAt: number | null
  /** Set for dead letters, which are kept for the webmaster. */
  deadAt: number | null
}
