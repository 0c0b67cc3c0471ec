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
import { dayOf, formatMoment } from '#contract/dates/dates.ts'
import type { Db } from '#server/db/database.ts'
import { formatLocalTime } from '#server/lib/local-time.rules.ts'
import { Problem } from '#server/lib/problem.ts'
import { containsPicture } from '#server/features/media/picture-uses.rules.ts'
import { SINGLE_RECORD_ID, type ContentForm } from './form-builder.rules.ts'
import { contentForms } from './forms.registry.ts'
import { listNewestRevisions, listRevisions } from './content-revision.repository.ts'
import { isUnpublished, contentStateOf, editableValue, type RecordState } from './content-state.rules.ts'
import { recordVersion } from './content-revision.queries.ts'

const SYSTEM_NAMES: Record<string, string> = { webmaster: 'The webmaster', system: 'The site' }

const PAGE_SIZE = 50
/** Only the newest revisions are shown; older ones stay in the database. */
const REVISIONS_SHOWN = 50

/** Reads content records and their revisions for the console. */
export function createContentQueries({ db, clock, timeZone }: AppContext) {
  function formOf(kind: string): ContentForm {
    const form = contentForms.find((one) => one.kind === kind)
    if (!form) throw new Problem('NOT_FOUND')
    return form
  }

  async function recordStates(handle: Db, form: ContentForm): Promise<Map<string, RecordState>> {
    const shown = await form.list(handle)
    const newest = new Map(
      (await listNewestRevisions(handle, form.kind)).map((revision) => [revision.recordId, revision]),
    )
    const all = new Map<string, RecordState>()
    for (const { id, value } of shown) all.set(id, { published: value as ContentValue, newest: newest.get(id) ?? null })
    for (const [id, revision] of newest) if (!all.has(id)) all.set(id, { published: null, newest: revision })
    return all
  }

  async function recordStateOf(handle: Db, form: ContentForm, id: string): Promise<RecordState> {
    return (await recordStates(handle, form)).get(id) ?? { published: null, newest: null }
  }

  async function revisionsOf(form: ContentForm, id: string): Promise<ContentRevision[]> {
    const { diffFields: differencesOf } = await import('./content-diff.rules.ts')
    const rows = await listRevisions(db, { kind: form.kind, id }, REVISIONS_SHOWN + 1)
    return rows.slice(0, REVISIONS_SHOWN).map((row, index) => ({
      number: row.number,
      action: row.action,
      at: new Date(row.savedAt).toISOString(),
      by: row.name ?? SYSTEM_NAMES[row.savedBy] ?? 'A former officer',
      differences: differencesOf(form.fields, rows[index + 1]?.value ?? null, row.value),
    }))
  }

  function empty(form: ContentForm): ContentRecord {
    if (!form.idFor) throw new Problem('NOT_FOUND')
    return {
      kind: summarizeKind(form),
      fields: form.fields,
      id: null,
      title: `New ${form.singular}`,
      value: form.initialValue?.(dayOf(clock.now(), timeZone)) ?? {},
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
    requireForm: formOf,
    describeKind: summarizeKind,
    /** All records of a kind, published ones first. */
    listRecordStates: recordStates,
    findRecordState: recordStateOf,
    /** The label of a kind, and the titles of its records by id. For a kind that no longer exists, the label is its code. */
    async titles(kind: string): Promise<{ label: string; titles: Map<string, string> }> {
      const form = contentForms.find((one) => one.kind === kind)
      if (!form) return { label: kind, titles: new Map() }
      const all = [...(await recordStates(db, form))]
      return { label: form.label, titles: new Map(all.map(([id, record]) => [id, form.title(editableValue(record))])) }
    },

    /** The ids that records of a kind have or had. */
    takenIds: async (form: ContentForm): Promise<Set<string>> => new Set((await recordStates(db, form)).keys()),

    /** The values of a record's fixed fields. */
    async readFixedValues(form: ContentForm, id: string): Promise<ContentValue> {
      const value = editableValue(await recordStateOf(db, form, id))
      const names = form.fields.filter(({ isFixed }) => isFixed).map(({ name }) => name)
      return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name]]] : [])))
    },

    /** Finds the records, including drafts, that use each of these pictures. */
    async findPictureUses(addresses: readonly string[]): Promise<Map<string, PictureUse[]>> {
      const uses = new Map<string, PictureUse[]>()
      const folders = [...new Set(addresses.map((address) => address.slice(0, address.lastIndexOf('/') + 1)))]
      for (const form of contentForms) {
        for (const [id, { published: shown, newest }] of await recordStates(db, form)) {
          const texts = [
            ['public', JSON.stringify(shown)],
            ...(newest && isUnpublished(newest) ? [[newest.action, JSON.stringify(newest.value)] as const] : []),
          ] as const
          if (!texts.some(([, text]) => folders.some((folder) => text.includes(folder)))) continue
          for (const address of addresses) {
            const how = texts.flatMap(([one, text]) => (containsPicture(text, address) ? [one] : []))
            if (how.length === 0) continue
            const title = titleOf(form, shown ?? newest?.value ?? {})
            const use = { title, what: form.singular, path: `/console/content/${form.kind}/${id}`, how }
            uses.set(address, [...(uses.get(address) ?? []), use])
          }
        }
      }
      return uses
    },

    async list(
      kind: string,
      { q = '', state, page = '1' }: QueryOf<typeof listContent>,
    ): Promise<ReplyOf<typeof listContent>> {
      const form = formOf(kind)
      const search = q.toLowerCase()
      const records = [...(await recordStates(db, form))]
        .map(([id, record]) => {
          const value = editableValue(record)
          const entry = {
            id,
            title: titleOf(form, value),
            detail: form.detail?.(value) ?? '',
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
        kind: summarizeKind(form),
        records: records.slice(from, from + PAGE_SIZE),
        total: records.length,
        pages: Math.max(1, Math.ceil(records.length / PAGE_SIZE)),
      }
    },

    async get({ kind, id }: { kind: string; id: string }): Promise<ContentRecord> {
      const form = formOf(kind)
      if (id === NEW_RECORD) return empty(form)
      const record = await recordStateOf(db, form, id)
      const exists = record.published !== null || record.newest !== null || (form.isSingle && id === SINGLE_RECORD_ID)
      if (!exists) throw new Problem('NOT_FOUND')
      const value = editableValue(record)
      const state = contentStateOf(record)
      const at = state === 'scheduled' ? (record.newest?.publishAt ?? null) : null
      return {
        kind: summarizeKind(form),
        fields: form.fields,
        id,
        title: titleOf(form, value),
        value,
        state,
        version: recordVersion(record),
        path: record.published ? (form.pathOf?.(id) ?? null) : null,
        publishAt: at === null ? null : { local: formatLocalTime(at, timeZone), words: formatMoment(at, timeZone) },
        held: record.newest?.held ?? null,
        revisions: await revisionsOf(form, id),
        canDelete: form.remove !== undefined && state !== 'deleted',
      }
    },
  }
}

export type ContentQueries = ReturnType<typeof createContentQueries>

function titleOf(form: ContentForm, value: ContentValue): string {
  return form.title(value).trim() || `Untitled ${form.singular}`
}

/** The changed fields, before and after, for the audit log. */
export function changedFields(
  { published: shown, newest }: RecordState,
  after: ContentValue | null,
): { before: ContentValue | null; after: ContentValue | null } {
  const before = (newest?.action === 'draft' || newest?.action === 'scheduled' ? newest.value : shown) ?? null
  if (!before || !after) return { before, after }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const pick = (value: ContentValue) =>
    Object.fromEntries(changed.flatMap((name) => (name in value ? [[name, value[name]]] : [])))
  return { before: pick(before), after: pick(after) }
}

function summarizeKind(form: ContentForm): ContentKindSummary {
  const { kind, label, singular: one, lead, section } = form
  return { kind, label, one, lead, section, isSingle: form.isSingle ?? false, canAdd: form.idFor !== undefined }
}

function isUnfinished({ state }: { state: string }): boolean {
  return state === 'draft' || state === 'changed' || state === 'scheduled'
}
