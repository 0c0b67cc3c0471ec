import type { AppContext } from '#server/app-context.ts'
import type { addPlantedEntry, PlantedEntries } from '#contract/console/people/planted-entries.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { readRecordValue } from '#contract/member-record/read-record-value.ts'
import { fieldsInUse, type RecordField } from '#contract/member-record/record-fields.ts'
import type { RecordValue } from '#contract/member-record/record-values.ts'
import { messages } from '#contract/messages.ts'
import type { DirectoryEntry } from '#contract/public/my-account/directory.ts'
import type { VisibleValue } from '#contract/public/my-account/member-record.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Caller, Officer } from '#server/http/serve.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { findNamesAndEmails } from '#server/features/accounts/account.queries.ts'
import { visibleTo } from '#server/features/member-record/audience.rules.ts'
import { sortNameOf } from '#server/features/member-record/directory-words.commands.ts'
import {
  endPlantedEntry,
  findPlantedEntry,
  insertPlantedEntry,
  isNameOfAccount,
  listAllEntries,
  listShownEntries,
  type StoredPlantedEntry,
} from './planted-entry.repository.ts'
import { numberedValue, readerOf, readersNumber } from './planted-entry.rules.ts'

/** A planted entry as one reader sees it. */
export interface ShownPlantedEntry extends DirectoryEntry {
  sortName: string
}

/**
 * Planted entries: invented people whom the directory for members shows among the members, so that a copy of it is recognized (decision record 70).
 * They are no accounts, so nothing that counts, lists or writes to members knows them.
 */
export function createPlantedEntries({ db, clock, cache, secrets }: AppContext) {
  /** What an entry may show: what members of every level may show to members. */
  function fields(): RecordField[] {
    return fieldsInUse(cache.content().recordFields).filter(
      (field) =>
        field.kind !== 'day' &&
        visibleTo('member', { field: { ...field, isRetired: false }, audience: 'members', level: null }),
    )
  }

  function valuesOf(
    record: Readonly<Record<string, RecordValue>>,
    among: readonly RecordField[] = fields(),
  ): VisibleValue[] {
    return among.flatMap(({ key, label, kind }) => {
      const value = record[key]
      return value === undefined ? [] : [{ key, label, kind, value }]
    })
  }

  function seenBy(
    reader: string,
    { id, firstName, lastName, sortName, record }: StoredPlantedEntry,
  ): ShownPlantedEntry {
    const values = valuesOf(record).map((shown) => ({
      ...shown,
      value: numberedValue(shown.value, numberFor({ id, fieldKey: shown.key, reader })),
    }))
    return { id, firstName, lastName, sortName, values }
  }

  function numberFor({ id, fieldKey, reader }: { id: string; fieldKey: string; reader: string }): string {
    return readersNumber(secrets.token('readers-number', JSON.stringify([id, fieldKey, reader])))
  }

  async function describe(): Promise<PlantedEntries> {
    const all = await listAllEntries(db)
    const officers = await findNamesAndEmails(
      db,
      all.map(({ addedBy }) => addedBy),
    )
    return {
      entries: all.map(({ id, firstName, lastName, record, addedAt, addedBy, removedAt }) => ({
        id,
        name: `${firstName} ${lastName}`,
        values: valuesOf(record),
        addedAt: new Date(addedAt).toISOString(),
        addedBy: officers.get(addedBy)?.name ?? 'A deleted account',
        removedAt: removedAt === null ? null : new Date(removedAt).toISOString(),
      })),
      fields: fields(),
    }
  }

  function readRecord(input: Readonly<Record<string, unknown>>): Record<string, RecordValue> {
    const problems: Record<string, string> = {}
    const record: Record<string, RecordValue> = {}
    const known = fields()
    for (const [key, sent] of Object.entries(input)) {
      const field = known.find((one) => one.key === key)
      const read = field
        ? readRecordValue(field, sent)
        : { problems: { '': messages.record.gone } as Record<string, string> }
      if (read.problems) {
        for (const [part, text] of Object.entries(read.problems))
          problems[part ? `values.${key}.${part}` : `values.${key}`] = text
      } else if (read.value !== null) record[key] = read.value
    }
    if (Object.keys(problems).length > 0) throw new Problem('INVALID_INPUT', { fields: problems })
    return record
  }

  return {
    describe,
    numberFor,

    /** @throws Problem INVALID_INPUT by field, PLANTED_ENTRIES_FULL */
    async add(by: Officer, { firstName, lastName, values }: BodyOf<typeof addPlantedEntry>): Promise<PlantedEntries> {
      const record = readRecord(values)
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        if (await isNameOfAccount(tx, { firstName, lastName }))
          throw fieldProblem('lastName', 'Someone with an account has this name. Please invent another one.')
        if ((await listShownEntries(tx)).length >= limits.directory.plantedMax)
          throw new Problem('PLANTED_ENTRIES_FULL')
        const id = newId(now)
        const entry = { id, firstName, lastName, sortName: sortNameOf({ firstName, lastName }), record }
        if (!(await insertPlantedEntry(tx, { ...entry, addedAt: now, addedBy: by.accountId })))
          throw fieldProblem('lastName', 'There is a planted entry with this name.')
        await writeAudit(tx, { actor: by.accountId, action: 'planted_entry.added', subjectId: id }, now)
      })
      return describe()
    },

    /** Again is a no-op. @throws Problem NOT_FOUND */
    async remove(by: Officer, id: string): Promise<PlantedEntries> {
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        if (!(await findPlantedEntry(tx, id))) throw new Problem('NOT_FOUND')
        if (!(await endPlantedEntry(tx, id, { removedBy: by.accountId, removedAt: now }))) return
        await writeAudit(tx, { actor: by.accountId, action: 'planted_entry.removed', subjectId: id }, now)
      })
      return describe()
    },

    /** Those that the directory shows, as one reader sees them. */
    async shownTo(caller: Pick<Caller, 'accountId' | 'viewer'>): Promise<ShownPlantedEntry[]> {
      const reader = readerOf(caller)
      return (await listShownEntries(db)).map((entry) => seenBy(reader, entry))
    },

    /** Every entry there was, with its values as they were written, also those of retired fields. */
    async listEver(): Promise<DirectoryEntry[]> {
      const { recordFields } = cache.content()
      return (await listAllEntries(db)).map(({ id, firstName, lastName, record }) => {
        return { id, firstName, lastName, values: valuesOf(record, recordFields) }
      })
    },
  }
}

export type PlantedEntriesService = ReturnType<typeof createPlantedEntries>
