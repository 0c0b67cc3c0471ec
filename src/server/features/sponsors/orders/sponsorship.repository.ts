import { sql } from 'kysely'
import type { BenefitKind } from '#contract/console/sponsors.ts'
import type { Db } from '#server/db/database.ts'
import { DONE_COLUMNS, type Sponsorship, isNotRefunded, toSponsorship } from './sponsorship.queries.ts'

/** Newest first. */
export async function listPaidSponsorships(db: Db): Promise<Sponsorship[]> {
  const rows = await db
    .selectFrom('sponsorship')
    .selectAll()
    .where('state', '=', 'paid')
    .orderBy('paidAt', 'desc')
    .execute()
  return rows.map(toSponsorship)
}

/** A page of paid sponsorships, newest first; with `onlyOpen`, those with an undelivered benefit. */
export async function findPaidSponsorshipPage(
  db: Db,
  { search, onlyOpen, offset, limit }: { search: string; onlyOpen: boolean; offset: number; limit: number },
): Promise<Sponsorship[]> {
  const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
  const like = (column: string) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
  const rows = await db
    .selectFrom('sponsorship')
    .selectAll()
    .where('state', '=', 'paid')
    .$if(search !== '', (query) =>
      query.where((eb) => eb.or(['company', 'name', 'email', 'tierName', 'receiptNumber'].map(like))),
    )
    .$if(onlyOpen, (query) =>
      query
        .where(isNotRefunded)
        .where((eb) =>
          eb.or([
            eb.and([eb('remarksMinutes', 'is not', null), eb('remarksDoneAt', 'is', null)]),
            eb.and([eb('reservedTable', '=', 1), eb('reservedTableDoneAt', 'is', null)]),
            eb.and([eb('logoUntil', 'is not', null), eb('logoDoneAt', 'is', null)]),
          ]),
        ),
    )
    .orderBy('paidAt', 'desc')
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map(toSponsorship)
}

/** Returns false if it was not delivered. */
export async function markBenefitUndelivered(db: Db, id: string, promise: BenefitKind): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sponsorship')
    .set({ [DONE_COLUMNS[promise]]: null })
    .where('id', '=', id)
    .where(DONE_COLUMNS[promise], 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
