import type { Kysely } from 'kysely'
import * as joining from './0001-joining.ts'
import * as association from './0002-association.ts'

interface Migration {
  up(db: Kysely<unknown>): Promise<void>
}

/** Numbered, forward only, never edited after a release (design 6). */
export const migrations: Record<string, Migration> = {
  '0001-joining': joining,
  '0002-association': association,
}
