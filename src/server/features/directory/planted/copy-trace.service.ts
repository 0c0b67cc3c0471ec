import type { AppContext } from '#server/app-context.ts'
import type { CopyTrace } from '#contract/console/people/planted-entries.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Officer } from '#server/http/serve.ts'
import { mapYielding } from '#server/jobs/event-loop-yield.ts'
import { markedDays } from '../public-mark.rules.ts'
import type { PlantedEntriesService } from './planted-entries.service.ts'
import { findInCopy, readerOf } from './planted-entry.rules.ts'

/** Whether a text was copied from the directory, and by which log-in. Nothing of the text is stored. */
export function createCopyTrace(
  { db, clock, timeZone, secrets }: AppContext,
  { planted }: { planted: Pick<PlantedEntriesService, 'listEver' | 'numberFor'> },
) {
  type Reader = NonNullable<CopyTrace['entries'][number]['readers']>[number]

  /** The accounts that see all these numbers in an entry. No one's look is stored: each account's numbers are computed again. */
  async function listReaders(
    entryId: string,
    numbers: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<Reader[] | null> {
    if (numbers.size === 0) return null
    const accounts = await db.selectFrom('account').select(['id', 'firstName', 'lastName']).orderBy('id').execute()
    const readers = await mapYielding(accounts, ({ id, firstName, lastName }) =>
      [false, true].flatMap((isView): Reader[] => {
        const reader = readerOf({ accountId: id, ...(isView && { viewer: [] }) })
        const sees = [...numbers].every(([fieldKey, some]) =>
          some.has(planted.numberFor({ id: entryId, fieldKey, reader })),
        )
        return sees ? [{ accountId: id, name: `${firstName} ${lastName}`, isView }] : []
      }),
    )
    return readers.flat()
  }

  return {
    async trace(by: Officer, text: string): Promise<CopyTrace> {
      const entries: CopyTrace['entries'] = []
      for (const entry of await planted.listEver()) {
        const { hasName, found, numbers } = findInCopy(entry, text)
        if (!hasName && found.length === 0) continue
        const readers = await listReaders(entry.id, numbers)
        entries.push({ id: entry.id, name: `${entry.firstName} ${entry.lastName}`, hasName, found, readers })
      }
      const now = clock.now()
      const publicDays = markedDays(text, dayOf(now, timeZone), (day) => secrets.token('directory-mark', day))
      const details = { entries: entries.length, readers: entries.flatMap(({ readers }) => readers ?? []).length }
      await writeAudit(
        db,
        { actor: by.accountId, action: 'planted_entry.traced', subjectId: 'directory', details },
        now,
      )
      return { entries, publicDays }
    },
  }
}

export type CopyTraceService = ReturnType<typeof createCopyTrace>
