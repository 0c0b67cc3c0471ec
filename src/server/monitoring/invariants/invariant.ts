import type { RawBuilder } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Secrets } from '#server/lib/secrets.ts'

export interface InvariantTools {
  db: Db
  now: number
  secrets: Secrets
  /** Where pictures are stored on this machine; null when they are in object storage. */
  mediaDirectory: string | null
}

/** A condition on stored data that always holds and that the code relies on. */
export interface Invariant {
  name: string
  /** The condition. */
  condition: string
  /** What to do when it is violated. */
  remedy: string
  /** Returns the ids of violating records, never names or addresses. Read-only. */
  findViolations(tools: InvariantTools): Promise<string[]>
}

/** An invariant whose violations a single query finds, as the column `id`. The query runs on both engines unchanged. */
export function queryInvariant(
  { name, condition: sentence, remedy: cure }: Pick<Invariant, 'name' | 'condition' | 'remedy'>,
  query: (now: number) => RawBuilder<{ id: string }>,
): Invariant {
  return {
    name,
    condition: sentence,
    remedy: cure,
    findViolations: async ({ db, now }) => (await query(now).execute(db)).rows.map(({ id }) => String(id)),
  }
}
