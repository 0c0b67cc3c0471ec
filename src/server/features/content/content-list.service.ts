import type { AppContext } from '#server/app-context.ts'
import {
  CONTENT_STATES,
  type ContentState,
  type ListedContent,
  type listAllContent,
} from '#contract/console/content.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import { foldText } from '#server/db/fold-text.rules.ts'
import { SINGLE_RECORD_ID, type EditableKind } from '#server/features/content-store/content-kind.rules.ts'
import { SYSTEM_NAMES, titleOf, type ContentQueries } from './content.queries.ts'
import { listSaverNames, listUpdateTimes } from './content-revision.repository.ts'
import { contentStateOf, editableValue, NO_RECORD, type RecordState } from './content-state.rules.ts'

/** Lists the records of all kinds a page at a time. Settings have a page of their own. */
export function createContentListService(
  { db, timeZone }: AppContext,
  { reading }: { reading: Pick<ContentQueries, 'listAllRecordStates'> },
) {
  function listedRecord(
    kind: EditableKind,
    id: string,
    record: RecordState,
    { changedAt, names }: { changedAt: ReadonlyMap<string, number>; names: ReadonlyMap<string, string> },
  ): ListedContent {
    const { published, newest } = record
    const value = editableValue(record)
    const state = published || newest ? contentStateOf(record) : null
    const at = newest?.savedAt ?? changedAt.get(`${kind.kind}/${id}`)
    const planned = state === 'scheduled' ? (newest?.publishAt ?? null) : null
    return {
      kind: kind.kind,
      what: kind.singular,
      section: kind.section,
      id,
      title: titleOf(kind, value),
      detail: kind.detail?.(value) ?? '',
      state,
      publishWords: planned === null ? null : formatMoment(planned, timeZone),
      path: published ? (kind.pathOf?.(id, published) ?? null) : null,
      changedAt: at === undefined ? null : new Date(at).toISOString(),
      changedBy: newest ? (names.get(newest.savedBy) ?? SYSTEM_NAMES[newest.savedBy] ?? 'A former officer') : null,
    }
  }

  return {
    async list({
      q = '',
      state,
      section,
      sort = 'changed',
      page = '1',
      size = '25',
    }: QueryOf<typeof listAllContent>): Promise<ReplyOf<typeof listAllContent>> {
      const [states, changedAt, names] = await Promise.all([
        reading.listAllRecordStates(db),
        listUpdateTimes(db),
        listSaverNames(db),
      ])
      const records = [...states]
        .filter(([kind]) => kind.section !== 'Settings' && (section === undefined || kind.section === section))
        .flatMap(([kind, all]) => {
          if (kind.isSingle && all.size === 0) all.set(SINGLE_RECORD_ID, NO_RECORD)
          return [...all].map(([id, record]) => listedRecord(kind, id, record, { changedAt, names }))
        })
      const found = records.filter((one) => foldText(`${one.title} ${one.detail} ${one.what}`).includes(foldText(q)))
      const counts = Object.fromEntries(
        CONTENT_STATES.map((one) => [one, found.filter((record) => record.state === one).length]),
      ) as Record<ContentState, number>
      const listed = found
        .filter((one) => (state ? one.state === state : one.state !== 'deleted'))
        .sort((a, b) =>
          sort === 'title' ? a.title.localeCompare(b.title) : (b.changedAt ?? '').localeCompare(a.changedAt ?? ''),
        )
      const from = (Number(page) - 1) * Number(size)
      return {
        records: listed.slice(from, from + Number(size)),
        total: listed.length,
        counts,
      }
    },
  }
}
