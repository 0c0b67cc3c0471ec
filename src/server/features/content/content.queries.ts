import type { AppContext } from '#server/app-context.ts'
import type { ReplyOf, QueryOf } from '#contract/endpoint.ts'
import {
  NEW_RECORD,
  type ContentKindSummary,
  type ContentRecord,
  type ContentRevision,
  type ContentValue,
  type listContent,
} from '#contract/console/content.ts'
import type { PictureUse } from '#contract/console/media.ts'
import { menuLabel } from '#contract/menu.ts'
import { dayOf, formatMoment } from '#contract/dates/dates.ts'
import type { Db } from '#server/db/database.ts'
import { formatLocalTime } from '#server/lib/local-time.rules.ts'
import { Problem } from '#server/lib/problem.ts'
import { containsPicture } from '#server/features/media/picture-uses.rules.ts'
import { SINGLE_RECORD_ID, type EditableKind } from '#server/features/content-store/content-kind.rules.ts'
import { editableKinds, revisedKinds } from '#server/features/content-store/content-kinds.registry.ts'
import { BODIES } from '#server/features/content-store/kinds/people.kinds.ts'
import { menuKind } from '#server/features/content-store/kinds/website.kinds.ts'
import { findRecord, readRecords } from '#server/features/content-store/content.queries.ts'
import { listLevels } from '#server/features/levels/level.queries.ts'
import type { PublishedRecord } from '#server/features/content-store/record-set.rules.ts'
import { findNewestRevision, listNewestRevisions } from './content-revision.repository.ts'
import { isUnpublished, contentStateOf, editableValue, NO_RECORD, type RecordState } from './content-state.rules.ts'
import { listRevisions, recordVersion, type Revision } from './content-revision.queries.ts'

export const SYSTEM_NAMES: Record<string, string> = { webmaster: 'The webmaster', system: 'The site' }

const PAGE_SIZE = 50
/** Only the newest revisions are shown; older ones stay in the database. */
const REVISIONS_SHOWN = 50

/** Reads content records and their revisions for the console. */
export function createContentQueries({ db, clock, timeZone }: AppContext) {
  function requireKind(name: string): EditableKind {
    const kind = editableKinds.find((one) => one.kind === name)
    if (!kind) throw new Problem('NOT_FOUND')
    return kind
  }

  function requireRevisedKind(name: string): EditableKind {
    const kind = revisedKinds.find((one) => one.kind === name)
    if (!kind) throw new Problem('NOT_FOUND')
    return kind
  }

  function combine(published: readonly PublishedRecord[], newest: readonly Revision[]): Map<string, RecordState> {
    const newestById = new Map(newest.map((revision) => [revision.recordId, revision]))
    const all = new Map<string, RecordState>()
    for (const { id, value, revision } of published)
      all.set(id, { published: value as ContentValue, revision, newest: newestById.get(id) ?? null })
    for (const [id, revision] of newestById) if (!all.has(id)) all.set(id, { ...NO_RECORD, newest: revision })
    return all
  }

  async function listRecordStates(handle: Db, kind: EditableKind): Promise<Map<string, RecordState>> {
    const records = await readRecords(handle, [kind])
    return combine(records.list(kind), await listNewestRevisions(handle, kind.kind))
  }

  async function listAllRecordStates(
    handle: Db,
    kinds = editableKinds,
  ): Promise<Map<EditableKind, Map<string, RecordState>>> {
    const records = await readRecords(handle, kinds)
    const newest = Map.groupBy(await listNewestRevisions(handle), ({ kind }) => kind)
    return new Map(kinds.map((kind) => [kind, combine(records.list(kind), newest.get(kind.kind) ?? [])]))
  }

  async function findRecordState(handle: Db, kind: EditableKind, id: string): Promise<RecordState> {
    const record = await findRecord(handle, kind, id)
    const newest = await findNewestRevision(handle, { kind: kind.kind, id })
    return { published: (record?.value ?? null) as ContentValue | null, revision: record?.revision ?? null, newest }
  }

  async function revisionsOf(kind: EditableKind, id: string): Promise<ContentRevision[]> {
    const { diffFields: differencesOf } = await import('./content-diff.rules.ts')
    const rows = await listRevisions(db, { kind: kind.kind, id }, REVISIONS_SHOWN + 1)
    return rows.slice(0, REVISIONS_SHOWN).map((row, index) => ({
      number: row.number,
      action: row.action,
      at: new Date(row.savedAt).toISOString(),
      by: row.name ?? SYSTEM_NAMES[row.savedBy] ?? 'A former officer',
      differences: differencesOf(kind.fields, rows[index + 1]?.value ?? null, row.value),
    }))
  }

  /** The bodies that have leaders, by what the association calls them. */
  async function bodyOptions(): Promise<{ value: string; label: string }[]> {
    const { published } = await findRecordState(db, menuKind, 'all')
    const pages = menuKind.schema.safeParse(published).data?.pages ?? []
    return BODIES.map((body) => ({ value: body, label: menuLabel(`/${body}`, pages) }))
  }

  /** The form of a kind, with the records of other kinds as options. */
  async function fieldsOf({ fields, optionsFrom }: EditableKind): Promise<EditableKind['fields']> {
    if (!optionsFrom) return fields
    const options = new Map<string, { value: string; label: string }[]>()
    for (const [name, kindName] of Object.entries(optionsFrom)) {
      if (kindName === 'membership-levels') {
        options.set(
          name,
          (await listLevels(db)).map(({ key, name: label }) => ({ value: key, label })),
        )
        continue
      }
      if (kindName === 'bodies') {
        options.set(name, await bodyOptions())
        continue
      }
      const kind = requireKind(kindName)
      const records = [...(await listRecordStates(db, kind))].filter(([, one]) => contentStateOf(one) !== 'deleted')
      options.set(
        name,
        records.map(([id, record]) => ({ value: id, label: titleOf(kind, editableValue(record)) })),
      )
    }
    const withOptions = <F extends { name: string; options: EditableKind['fields'][number]['options'] }>(
      one: F,
    ): F => ({
      ...one,
      options: [...one.options, ...(options.get(one.name) ?? [])],
    })
    return fields.map((one) => ({ ...withOptions(one), fields: one.fields.map(withOptions) }))
  }

  async function empty(kind: EditableKind, by: { name: string }): Promise<ContentRecord> {
    if (!kind.idFor) throw new Problem('NOT_FOUND')
    return {
      kind: summarizeKind(kind),
      fields: await fieldsOf(kind),
      id: null,
      title: `New ${kind.singular}`,
      value: kind.initialValue?.(dayOf(clock.now(), timeZone), by) ?? {},
      state: null,
      version: NEW_RECORD,
      path: null,
      publishAt: null,
      held: null,
      revisions: [],
      canDelete: false,
    }
  }

  return {
    /** @throws Problem NOT_FOUND */
    requireKind,
    /** Also kinds with a page of their own. @throws Problem NOT_FOUND */
    requireRevisedKind,
    describeKind: summarizeKind,
    /** All records of all kinds, those of a kind with the published ones first. */
    listAllRecordStates,
    /** Those of one kind. */
    listRecordStates,
    /** Reads one record by its key. */
    findRecordState,

    /** The label of a kind, and the titles of its records by id. For a kind that no longer exists, the label is its code. */
    async titles(name: string): Promise<{ label: string; titles: Map<string, string> }> {
      const kind = revisedKinds.find((one) => one.kind === name)
      if (!kind) return { label: name, titles: new Map() }
      const all = [...(await listRecordStates(db, kind))]
      return { label: kind.label, titles: new Map(all.map(([id, record]) => [id, kind.title(editableValue(record))])) }
    },

    /** The keys of the records whose titles or kinds' labels contain the text, such as 'news/gala-2027'; those saved last first. */
    async findKeys(text: string): Promise<string[]> {
      const wanted = text.toLowerCase()
      const found: { key: string; at: number }[] = []
      for (const [kind, records] of await listAllRecordStates(db, revisedKinds))
        for (const [id, record] of records)
          if (`${kind.title(editableValue(record))}\n${kind.label}`.toLowerCase().includes(wanted))
            found.push({ key: `${kind.kind}/${id}`, at: record.newest?.savedAt ?? 0 })
      return found.toSorted((a, b) => b.at - a.at).map(({ key }) => key)
    },

    /** Finds the records, including drafts, that use each of these pictures. */
    async findPictureUses(addresses: readonly string[]): Promise<Map<string, PictureUse[]>> {
      const uses = new Map<string, PictureUse[]>()
      const folders = [...new Set(addresses.map((address) => address.slice(0, address.lastIndexOf('/') + 1)))]
      for (const [kind, records] of await listAllRecordStates(db)) {
        for (const [id, { published: shown, newest }] of records) {
          const texts = [
            ['public', JSON.stringify(shown)],
            ...(newest && isUnpublished(newest) ? [[newest.action, JSON.stringify(newest.value)] as const] : []),
          ] as const
          if (!texts.some(([, text]) => folders.some((folder) => text.includes(folder)))) continue
          for (const address of addresses) {
            const how = texts.flatMap(([one, text]) => (containsPicture(text, address) ? [one] : []))
            if (how.length === 0) continue
            const title = titleOf(kind, shown ?? newest?.value ?? {})
            const use = { title, what: kind.singular, path: `/console/content/${kind.kind}/${id}`, how }
            uses.set(address, [...(uses.get(address) ?? []), use])
          }
        }
      }
      return uses
    },

    async list(
      name: string,
      { q = '', state, page = '1' }: QueryOf<typeof listContent>,
    ): Promise<ReplyOf<typeof listContent>> {
      const kind = requireKind(name)
      const search = q.toLowerCase()
      const records = [...(await listRecordStates(db, kind))]
        .map(([id, record]) => {
          const value = editableValue(record)
          const entry = {
            id,
            title: titleOf(kind, value),
            detail: kind.detail?.(value) ?? '',
            state: contentStateOf(record),
          }
          const at = entry.state === 'scheduled' ? (record.newest?.publishAt ?? null) : null
          return { ...entry, publishWords: at === null ? null : formatMoment(at, timeZone) }
        })
        .filter((entry) => (state ? entry.state === state : entry.state !== 'deleted'))
        .filter(({ title, detail }) => `${title} ${detail}`.toLowerCase().includes(search))
        .sort((a, b) => Number(isUnfinished(b)) - Number(isUnfinished(a)))
      const from = (Number(page) - 1) * PAGE_SIZE
      return {
        kind: summarizeKind(kind),
        records: records.slice(from, from + PAGE_SIZE),
        total: records.length,
        pages: Math.max(1, Math.ceil(records.length / PAGE_SIZE)),
      }
    },

    /** Records whose title contains the text, of the kinds that are wanted; deleted ones are left out. */
    async search(
      text: string,
      isWanted: (kind: string) => boolean,
      limit: number,
    ): Promise<{ kind: string; what: string; id: string; title: string }[]> {
      const wanted = text.toLowerCase()
      const found = []
      for (const kind of editableKinds.filter((one) => isWanted(one.kind))) {
        for (const [id, record] of await listRecordStates(db, kind)) {
          if (contentStateOf(record) === 'deleted') continue
          const title = titleOf(kind, editableValue(record))
          if (!title.toLowerCase().includes(wanted)) continue
          found.push({ kind: kind.kind, what: kind.label, id, title })
          if (found.length === limit) return found
        }
      }
      return found
    },

    /** @param by the officer who begins a new record */
    async get(
      { kind: name, id }: { kind: string; id: string },
      by: { name: string } = { name: '' },
    ): Promise<ContentRecord> {
      const kind = requireKind(name)
      if (id === NEW_RECORD) return empty(kind, by)
      const record = await findRecordState(db, kind, id)
      const exists = record.published !== null || record.newest !== null || (kind.isSingle && id === SINGLE_RECORD_ID)
      if (!exists) throw new Problem('NOT_FOUND')
      const fields = await fieldsOf(kind)
      const value = kind.complete?.(editableValue(record), fields) ?? editableValue(record)
      const state = contentStateOf(record)
      const at = state === 'scheduled' ? (record.newest?.publishAt ?? null) : null
      return {
        kind: summarizeKind(kind),
        fields,
        id,
        title: titleOf(kind, value),
        value,
        state,
        version: recordVersion(record),
        path: record.published ? (kind.pathOf?.(id, record.published) ?? null) : null,
        publishAt: at === null ? null : { local: formatLocalTime(at, timeZone), words: formatMoment(at, timeZone) },
        held: record.newest?.held ?? null,
        revisions: await revisionsOf(kind, id),
        canDelete: kind.canDelete === true && state !== 'deleted',
      }
    },
  }
}

export type ContentQueries = ReturnType<typeof createContentQueries>

export function titleOf(kind: EditableKind, value: ContentValue): string {
  return kind.title(value).trim() || `Untitled ${kind.singular}`
}

/** The changed fields, before and after, for the audit log. */
export function changedFields(
  { fields }: EditableKind,
  { published: shown, newest }: RecordState,
  after: ContentValue | null,
): { before: ContentValue | null; after: ContentValue | null } {
  const before = (newest && isUnpublished(newest) ? newest.value : shown) ?? null
  if (!before || !after) return { before, after }
  const names = [...new Set(fields.map(({ name }) => name.split('.')[0] ?? ''))]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const pick = (value: ContentValue) =>
    Object.fromEntries(changed.flatMap((name) => (name in value ? [[name, value[name]]] : [])))
  return { before: pick(before), after: pick(after) }
}

function summarizeKind(kind: EditableKind): ContentKindSummary {
  const { label, singular: one, lead, section, isSingle = false, idFor } = kind
  return { kind: kind.kind, label, one, lead, section, isSingle, canAdd: idFor !== undefined }
}

function isUnfinished({ state }: { state: string }): boolean {
  return state === 'draft' || state === 'changed' || state === 'scheduled'
}
