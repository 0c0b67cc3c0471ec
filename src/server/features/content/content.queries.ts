import type { Kysely } from 'kysely'
import type { ReplyOf, QueryOf } from '#contract/endpoint.ts'
import {
  NEW_RECORD,
  type ContentKindFacts,
  type ContentRecord,
  type ContentRevision,
  type ContentValue,
  type listContent,
} from '#contract/console-content.ts'
import type { PictureUse } from '#contract/console-media.ts'
import { dayOf, formatMoment } from '#contract/dates.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { localOf } from '#server/platform/local-time.rules.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { namesPicture } from '../media/picture-uses.rules.ts'
import { SINGLE, type ContentForm } from './content-form.ts'
import { contentForms } from './content-forms.ts'
import { listNewest, listRevisions } from './content-revision.repository.ts'
import { isWaiting, stateOf, valueOf, type Standing } from './content-state.rules.ts'
import { versionOf } from './content-version.ts'

const NO_ACCOUNT: Record<string, string> = { webmaster: 'The webmaster', system: 'The site' }

const PAGE_SIZE = 50
/** So many versions are shown with what they changed; older ones stay in the database. */
const VERSIONS_SHOWN = 50

export interface ContentReading {
  /** @throws Problem NOT_FOUND */
  formOf(kind: string): ContentForm
  factsOf(form: ContentForm): ContentKindFacts
  /** Every record of a kind, those that visitors see first. */
  standings(db: Db, form: ContentForm): Promise<Map<string, Standing>>
  standingOf(db: Db, form: ContentForm, id: string): Promise<Standing>
  /** The addresses that records of a kind have or had. */
  takenIds(form: ContentForm): Promise<Set<string>>
  /** The fields of a record that stay as they are. */
  fixedOf(form: ContentForm, id: string): Promise<ContentValue>
  list(kind: string, query: QueryOf<typeof listContent>): Promise<ReplyOf<typeof listContent>>
  get(place: { kind: string; id: string }): Promise<ContentRecord>
  /** Which records name the picture of each of these addresses, also in drafts. */
  usesOf(addresses: readonly string[]): Promise<Map<string, PictureUse[]>>
  /** The titles of the records of a kind by their ids, and what the kind is called; a kind that is gone is called by its code. */
  titles(kind: string): Promise<{ label: string; titles: Map<string, string> }>
}

/** What there is to edit, and how each record came to be what it is. */
export function createContentReading({
  db,
  clock,
  timeZone,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
}): ContentReading {
  function formOf(kind: string): ContentForm {
    const form = contentForms.find((one) => one.kind === kind)
    if (!form) throw new Problem('NOT_FOUND')
    return form
  }

  async function standings(handle: Db, form: ContentForm): Promise<Map<string, Standing>> {
    const shown = await form.list(handle)
    const newest = new Map((await listNewest(handle, form.kind)).map((revision) => [revision.recordId, revision]))
    const all = new Map<string, Standing>()
    for (const { id, value } of shown) all.set(id, { shown: value as ContentValue, newest: newest.get(id) ?? null })
    for (const [id, revision] of newest) if (!all.has(id)) all.set(id, { shown: null, newest: revision })
    return all
  }

  async function standingOf(handle: Db, form: ContentForm, id: string): Promise<Standing> {
    return (await standings(handle, form)).get(id) ?? { shown: null, newest: null }
  }

  async function revisionsOf(form: ContentForm, id: string): Promise<ContentRevision[]> {
    const { differencesOf } = await import('./content-differences.rules.ts')
    const rows = await listRevisions(db, { kind: form.kind, id }, VERSIONS_SHOWN + 1)
    return rows.slice(0, VERSIONS_SHOWN).map((row, index) => ({
      number: row.number,
      action: row.action,
      at: new Date(row.savedAt).toISOString(),
      by: row.name ?? NO_ACCOUNT[row.savedBy] ?? 'A former officer',
      differences: differencesOf(form.fields, rows[index + 1]?.value ?? null, row.value),
    }))
  }

  function empty(form: ContentForm): ContentRecord {
    if (!form.idFor) throw new Problem('NOT_FOUND')
    return {
      kind: factsOf(form),
      fields: form.fields,
      id: null,
      title: `New ${form.one}`,
      value: form.initial?.(dayOf(clock.now(), timeZone)) ?? {},
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
    formOf,
    factsOf,
    standings,
    standingOf,
    async titles(kind) {
      const form = contentForms.find((one) => one.kind === kind)
      if (!form) return { label: kind, titles: new Map() }
      const all = [...(await standings(db, form))]
      return { label: form.label, titles: new Map(all.map(([id, standing]) => [id, form.title(valueOf(standing))])) }
    },

    takenIds: async (form) => new Set((await standings(db, form)).keys()),

    async fixedOf(form, id) {
      const value = valueOf(await standingOf(db, form, id))
      const names = form.fields.filter(({ isFixed }) => isFixed).map(({ name }) => name)
      return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name]]] : [])))
    },

    async usesOf(addresses) {
      const uses = new Map<string, PictureUse[]>()
      const folders = [...new Set(addresses.map((address) => address.slice(0, address.lastIndexOf('/') + 1)))]
      for (const form of contentForms) {
        for (const [id, { shown, newest }] of await standings(db, form)) {
          const said = [
            ['public', JSON.stringify(shown)],
            ...(newest && isWaiting(newest) ? [[newest.action, JSON.stringify(newest.value)] as const] : []),
          ] as const
          if (!said.some(([, text]) => folders.some((folder) => text.includes(folder)))) continue
          for (const address of addresses) {
            const how = said.flatMap(([one, text]) => (namesPicture(text, address) ? [one] : []))
            if (how.length === 0) continue
            const title = titleOf(form, shown ?? newest?.value ?? {})
            const use = { title, what: form.one, path: `/console/content/${form.kind}/${id}`, how }
            uses.set(address, [...(uses.get(address) ?? []), use])
          }
        }
      }
      return uses
    },

    async list(kind, { q = '', state, page = '1' }) {
      const form = formOf(kind)
      const words = q.toLowerCase()
      const records = [...(await standings(db, form))]
        .map(([id, standing]) => {
          const value = valueOf(standing)
          const found = {
            id,
            title: titleOf(form, value),
            detail: form.detail?.(value) ?? '',
            state: stateOf(standing),
          }
          const at = found.state === 'scheduled' ? (standing.newest?.publishAt ?? null) : null
          return { ...found, publishWords: at === null ? null : formatMoment(at, timeZone) }
        })
        .filter((record) => (state ? record.state === state : record.state !== 'deleted'))
        .filter(({ title, detail }) => `${title} ${detail}`.toLowerCase().includes(words))
        .sort((a, b) => Number(isUnfinished(b)) - Number(isUnfinished(a)))
      const from = (Number(page) - 1) * PAGE_SIZE
      return {
        kind: factsOf(form),
        records: records.slice(from, from + PAGE_SIZE),
        total: records.length,
        pages: Math.max(1, Math.ceil(records.length / PAGE_SIZE)),
      }
    },

    async get({ kind, id }) {
      const form = formOf(kind)
      if (id === NEW_RECORD) return empty(form)
      const standing = await standingOf(db, form, id)
      const isThere = standing.shown !== null || standing.newest !== null || (form.isSingle && id === SINGLE)
      if (!isThere) throw new Problem('NOT_FOUND')
      const value = valueOf(standing)
      const state = stateOf(standing)
      const at = state === 'scheduled' ? (standing.newest?.publishAt ?? null) : null
      return {
        kind: factsOf(form),
        fields: form.fields,
        id,
        title: titleOf(form, value),
        value,
        state,
        version: versionOf(standing),
        path: standing.shown ? (form.pathOf?.(id) ?? null) : null,
        publishAt: at === null ? null : { local: localOf(at, timeZone), words: formatMoment(at, timeZone) },
        held: standing.newest?.held ?? null,
        revisions: await revisionsOf(form, id),
        canDelete: form.remove !== undefined && state !== 'deleted',
      }
    },
  }
}

/** A draft may have no title yet. */
function titleOf(form: ContentForm, value: ContentValue): string {
  return form.title(value).trim() || `Untitled ${form.one}`
}

/** What changed, for the history of the console: the fields that differ, before and after. */
export function changesOf(
  { shown, newest }: Standing,
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

function factsOf(form: ContentForm): ContentKindFacts {
  const { kind, label, one, lead, section } = form
  return { kind, label, one, lead, section, isSingle: form.isSingle ?? false, canAdd: form.idFor !== undefined }
}

function isUnfinished({ state }: { state: string }): boolean {
  return state === 'draft' || state === 'changed' || state === 'scheduled'
}
