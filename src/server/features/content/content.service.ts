import type { AppContext } from '#server/app-context.ts'
import { isDeepStrictEqual } from 'node:util'
import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import {
  NEW_RECORD,
  type ContentValue,
  type getContent,
  type listContentKinds,
  type saveContent,
} from '#contract/console/content.ts'
import type { Tx } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { parseLocalTime } from '#server/lib/local-time.rules.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { lockContent } from '#server/features/content-store/content.commands.ts'
import { SINGLE_RECORD_ID, textOf, type EditableKind } from '#server/features/content-store/content-kind.rules.ts'
import { editableKinds } from '#server/features/content-store/content-kinds.registry.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { createContentListService } from './content-list.service.ts'
import { createContentQueries } from './content.queries.ts'
import { countUnpublished, listDueRevisions } from './content-revision.repository.ts'
import { type Revision } from './content-revision.queries.ts'
import { editableValue, isUnpublished, type RecordState } from './content-state.rules.ts'
import { findRevision, recordVersion } from './content-revision.queries.ts'
import { createRecordWriter, type ContentAction, type RecordInHand } from './record-writer.service.ts'
import { parseContentValue } from './content-value.rules.ts'

type SaveRequest = BodyOf<typeof saveContent>
type RecordRef = { kind: string; id: string }
type RecordRefOfKind = Pick<RecordInHand, 'kind' | 'id'>
type ContentRecord = ReplyOf<typeof getContent>

const PUBLISH_EVERY_MS = 15_000

/** Checks the extra permissions for content that affects money. @throws Problem INVALID_INPUT on the field */
function requireGuards(
  { permissions }: Officer,
  { guards = [] }: EditableKind,
  { published, value }: { published: ContentValue | null; value: ContentValue },
): void {
  for (const { field, permission, message: sentence, select: of } of guards) {
    const isSame = published !== null && isDeepStrictEqual(of(published), of(value))
    if (!isSame && !permissions.includes(permission)) throw fieldProblem(field, sentence)
  }
}

/** Edits content. Every save adds a revision; only publishing changes the record that visitors see. */
export function createContentService(
  ctx: AppContext,
  { heldWork, isKnownPath }: { heldWork: HeldWork; isKnownPath: (path: string) => boolean },
) {
  const { db, clock, timeZone, cache } = ctx
  const reading = createContentQueries(ctx)
  const { requireKind } = reading
  const writer = createRecordWriter(ctx, reading)

  /** @param version of an existing record: the one that the officer has seen */
  function requireVersion({ kind, id, record }: RecordInHand, version: string): void {
    const exists = record.published !== null || record.newest !== null
    if (exists && version !== recordVersion(record)) throw new Problem('CHANGED_MEANWHILE')
    if (!exists && !(kind.isSingle && id === SINGLE_RECORD_ID)) throw new Problem('NOT_FOUND')
  }

  /** Changes one record, read by its key, in a transaction. */
  async function changeRecord(
    actor: string,
    { kind, id }: { kind: EditableKind; id: string },
    act: (tx: Tx, inHand: RecordInHand) => Promise<{ action: ContentAction | null; after: ContentValue | null }>,
  ): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await lockContent(tx)
      const inHand = { kind, id, record: await reading.findRecordState(tx, kind, id) }
      const { action, after } = await act(tx, inHand)
      if (action) await writer.audit(tx, actor, inHand, { action, after })
    })
    await cache.refresh()
  }

  function publishInstant({ action, publishAt }: SaveRequest): number | null {
    if (action !== 'schedule') return null
    const instant = parseLocalTime(publishAt ?? '', timeZone)
    if (instant === null) throw fieldProblem('publishAt', 'Please choose a date and a time')
    if (instant <= clock.now())
      throw fieldProblem('publishAt', 'This time is in the past. Choose a later one, or publish now')
    return instant
  }

  /** The id of a new record, made from its value. */
  async function newRecordId(kind: EditableKind, value: ContentValue): Promise<string> {
    if (!kind.idFor) throw new Problem('NOT_FOUND')
    const wanted = kind.idFor(value)
    const fixed = kind.fields.findLast(({ isFixed }) => isFixed)
    let id = wanted
    for (let number = 2; await isTaken(kind, id); number++) {
      if (fixed) throw fieldProblem(fixed.name, 'This already exists. Open it from the list')
      id = `${wanted}-${number}`
    }
    return id
  }

  /** Whether a record has this id, or had it. */
  async function isTaken(kind: EditableKind, id: string): Promise<boolean> {
    const { published, newest } = await reading.findRecordState(db, kind, id)
    return id === NEW_RECORD || published !== null || newest !== null
  }

  /** @throws Problem INVALID_INPUT if another record, or the site itself, has the value */
  async function requireUnique(tx: Tx, { kind, id }: RecordRefOfKind, value: ContentValue): Promise<void> {
    if (!kind.unique) return
    const { field, message } = kind.unique
    const isSame = (other: ContentValue | null | undefined) => other?.[field] === value[field]
    const isTaken = [...(await reading.listRecordStates(tx, kind))].some(
      ([other, { published, newest }]) =>
        other !== id && (isSame(published) || (newest !== null && isUnpublished(newest) && isSame(newest.value))),
    )
    const path = `/${textOf(value[field])}`
    const { paths, movedPaths } = cache.content()
    const isOfSite = isKnownPath(path) && !paths.has(path) && !movedPaths.has(path)
    if (isTaken || isOfSite) throw fieldProblem(field, message)
  }

  function fixedValues({ fields }: EditableKind, record: RecordState): ContentValue {
    const value = editableValue(record)
    const names = fields.filter(({ isFixed }) => isFixed).map(({ name }) => name)
    return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name]]] : [])))
  }

  return {
    list: reading.list,
    titles: reading.titles,
    findKeys: reading.findKeys,
    listAll: createContentListService(ctx, { reading }).list,
    search: reading.search,
    get: reading.get,
    findPictureUses: reading.findPictureUses,
    /** For features that change several records in one transaction. */
    bulk: writer.bulk,

    async replacePicture(tx: Tx, officer: Officer, names: { from: string; to: string }): Promise<void> {
      await lockContent(tx)
      for (const [kind, records] of await reading.listAllRecordStates(tx))
        for (const [id, record] of records)
          await writer.replacePicture(tx, { kind, id, record }, { savedBy: officer.accountId, ...names })
    },

    async kinds(): Promise<ReplyOf<typeof listContentKinds>> {
      const waiting = await countUnpublished(db)
      return {
        kinds: editableKinds.map((kind) => ({ ...reading.describeKind(kind), drafts: waiting.get(kind.kind) ?? 0 })),
      }
    },

    /** @throws Problem INVALID_INPUT with a message by field, or CHANGED_MEANWHILE */
    async save(
      officer: Officer,
      { kind: name, id: requestedId }: RecordRef,
      request: SaveRequest,
    ): Promise<ContentRecord> {
      const kind = requireKind(name)
      const publishAt = publishInstant(request)
      const isNew = requestedId === NEW_RECORD
      const id = isNew ? await newRecordId(kind, request.value) : requestedId
      const action = ({ draft: 'draft', publish: 'published', schedule: 'scheduled' } as const)[request.action]
      await changeRecord(officer.accountId, { kind, id }, async (tx, inHand) => {
        const { record } = inHand
        const input = isNew
          ? fillEmpty(request.value, kind.initial?.(id))
          : { ...request.value, ...fixedValues(kind, record) }
        const { value, problems } = parseContentValue(kind, input, id, { isDraft: action === 'draft' })
        if (problems) throw new Problem('INVALID_INPUT', { fields: problems })
        if (!isNew) requireVersion(inHand, request.version)
        else if (record.published !== null || record.newest !== null) throw new Problem('CHANGED_MEANWHILE')
        if (action !== 'draft') {
          requireGuards(officer, kind, { published: record.published, value })
          await requireUnique(tx, { kind, id }, value)
        }
        const revision = { action, value, savedBy: officer.accountId, publishAt }
        // Only the first of several automatic drafts is in the history and in the audit log.
        if (request.isAutomatic && action === 'draft' && (await writer.replaceDraft(tx, inHand, revision)))
          return { action: null, after: value }
        await writer.add(tx, inHand, revision)
        return { action, after: value }
      })
      return reading.get({ kind: name, id })
    },

    async restore(
      officer: Officer,
      { kind: name, id }: RecordRef,
      { number, version }: { number: number; version: string },
    ): Promise<ContentRecord> {
      const kind = requireKind(name)
      await changeRecord(officer.accountId, { kind, id }, async (tx, inHand) => {
        requireVersion(inHand, version)
        const former = await findRevision(tx, { kind: name, id, number })
        if (!former) throw new Problem('NOT_FOUND')
        const wasPublic = former.action === 'published' || former.action === 'found'
        const { value, problems } = parseContentValue(kind, former.value, id, { isDraft: !wasPublic })
        if (problems) throw new Problem('INVALID_INPUT', { fields: problems })
        const action = wasPublic ? 'published' : 'draft'
        if (wasPublic) {
          requireGuards(officer, kind, { published: inHand.record.published, value })
          await requireUnique(tx, { kind, id }, value)
        }
        await writer.add(tx, inHand, { action, value, savedBy: officer.accountId, publishAt: null })
        return { action: 'restored', after: value }
      })
      return reading.get({ kind: name, id })
    },

    /** Takes a record off the site; it stays as a draft. @throws Problem NOT_FOUND, CHANGED_MEANWHILE */
    async unpublish(
      officer: Officer,
      { kind: name, id }: RecordRef,
      { version }: { version: string },
    ): Promise<ContentRecord> {
      const kind = requireKind(name)
      await changeRecord(officer.accountId, { kind, id }, async (tx, inHand) => {
        requireVersion(inHand, version)
        return { action: 'unpublished', after: await writer.unpublish(tx, inHand, officer.accountId) }
      })
      return reading.get({ kind: name, id })
    },

    async remove(
      officer: Officer,
      { kind: name, id }: RecordRef,
      { version }: { version: string },
    ): Promise<ContentRecord> {
      const kind = requireKind(name)
      await changeRecord(officer.accountId, { kind, id }, async (tx, inHand) => {
        requireVersion(inHand, version)
        await writer.remove(tx, inHand, officer.accountId)
        return { action: 'deleted', after: null }
      })
      return reading.get({ kind: name, id })
    },

    /** Publishes what is due. */
    job: {
      name: 'publish-content',
      everyMs: PUBLISH_EVERY_MS,
      async run() {
        const nameOf = ({ kind, recordId }: Revision) => `${kind}/${recordId}`
        await forEachCollectingErrors(await listDueRevisions(db, clock.now()), nameOf, async (due) => {
          const { kind: name, recordId: id, number, savedBy, publishAt } = due
          await changeRecord('system', { kind: requireKind(name), id }, async (tx, inHand) => {
            const { newest } = inHand.record
            if (newest?.number !== number) throw new Problem('CHANGED_MEANWHILE')
            const { value } = newest
            if (!(await heldWork.isStillAllowed(tx, savedBy, 'content.change'))) {
              const held = await heldWork.reason(tx, savedBy, publishAt ?? clock.now())
              await writer.add(tx, inHand, { action: 'draft', value, savedBy: 'system', publishAt: null, held })
              return { action: 'held', after: value }
            }
            await writer.add(tx, inHand, { action: 'published', value, savedBy, publishAt: null })
            return { action: 'published', after: value }
          })
        })
      },
    } satisfies Job,
  }
}

export type ContentService = ReturnType<typeof createContentService>

function fillEmpty(value: ContentValue, initial: ContentValue = {}): ContentValue {
  const missing = Object.entries(initial).filter(([name]) => (value[name] ?? '') === '')
  return { ...value, ...Object.fromEntries(missing) }
}
