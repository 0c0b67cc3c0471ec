import type { Db } from '#server/db/database.ts'
import { type ComplimentaryTerm } from './complimentary.queries.ts'

export async function insertComplimentaryTerm(db: Db, term: ComplimentaryTerm): Promise<void> {
  await db.insertInto('complimentaryTerm').values(term).execute()
}
