import type { RawBuilder } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Secrets } from '#server/platform/secrets.ts'

export interface InvariantTools {
  db: Db
  now: number
  secrets: Secrets
  /** Where pictures lie on this machine; null when they lie in object storage. */
  mediaDirectory: string | null
}

/** Something that is always true of what is stored, and that the code relies on. */
export interface Invariant {
  name: string
  /** What holds. */
  sentence: string
  /** What to do when it does not. */
  cure: string
  /** Ids of what breaks it, never names or addresses; none when it holds. Reads only. */
  find(tools: InvariantTools): Promise<string[]>
}

/** One that a single question finds the breaches of; their ids are the column `id`. It is asked of both engines as it stands. */
export function asked(
  { name, sentence, cure }: Pick<Invariant, 'name' | 'sentence' | 'cure'>,
  question: (now: number) => RawBuilder<{ id: string }>,
): Invariant {
  return {
    name,
    sentence,
    cure,
    find: async ({ db, now }) => (await question(now).execute(db)).rows.map(({ id }) => String(id)),
  }
}
