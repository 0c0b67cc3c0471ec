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
import { dayOf } from '#contract/dates/dates.ts'
import type { Tx } from '#server/db/database.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { parseLocalTime } from '#server/lib/local-time.rules.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { lockContent, incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { containsPicture, replacePictureUrls } from '../media/picture-uses.rules.ts'
import { changedFields, createContentQueries, type ContentQueries } from './content.queries.ts'
import { findFreeId, SINGLE_RECORD_ID, type ContentForm } from './form-builder.rules.ts'
import { addRevision } from './content-revision.commands.ts'
import { countUnpublished, findLastPublic, findRevision, listDueRevisions } from './content-revision.repository.ts'
import { type Revision } from './content-revision.queries.ts'
import { isUnpublished, type RecordState } from './content-state.rules.ts'
import { recordVersion } from './content-revision.queries.ts'
import { parseContentValue } from './content-value.rules.ts'
import { contentForms } from './forms.registry.ts'

type SaveRequest = BodyOf<typeof saveContent>
type RecordRef = { kind: string; id: string }
type ContentRecord = ReplyOf<typeof getContent>

/** Writes run in the caller's transaction, which must have called `lockContent`. */
export interface BulkContentEditor {
  requireForm(kind: string): ContentForm
  listRecordStates: ContentQueries['listRecordStates']
  /** Publishes a valid value as a new revision. Returns the record's new version. */
  publish(tx: Tx, actor: string, ref: RecordRef, value: ContentValue): Promise<string>
  /** Deletes a record from the site. @throws Problem NOT_FOUND if records of this kind cannot be deleted */
  remove(tx: Tx, actor: string, ref: RecordRef): Promise<void>
}

type ContentAction = 'draft' | 'published' | 'scheduled' | 'restored' | 'deleted' | 'held'

const PUBLISH_EVERY_MS = 15_000

/** Checks the extra permissions for content that affects money. @throws Problem INVALID_INPUT on the field */
function requireGuards(
  { permissions }: Officer,
  { guards = [] }: ContentForm,
  { shown, value }: { shown: ContentValue | null; value: ContentValue },
): void {
  for (const { field, permission, message: sentence, select: of } of guards) {
    const isSame = shown !== null && isDeepStrictEqual(of(shown), of(value))
    if (!isSame && !permissions.includes(permission)) throw fieldProblem(field, sentence)
  }
}

/** Edits content. Every save adds a revision; only publishing writes to the tables that the site shows. */
export function createContentService(
  ctx: AppContext,
  {
    heldWork,
  }: {
    heldWork: HeldWork
  },
) {
  const { db, clock, timeZone } = ctx
  const reading = createContentQueries(ctx)
  const { requireForm: formOf } = reading

  /** Adds a revision, and before it one of the published value if no revision has that yet (`found`). */
  async function addRevisionOf(
    tx: Tx,
    { form, id, record }: { form: ContentForm; id: string; record: RecordState },
    version: Pick<Revision, 'action' | 'value' | 'savedBy' | 'publishAt' | 'held'>,
  ): Promise<void> {
    const now = clock.now()
    const common = { kind: form.kind, recordId: id, savedAt: now }
    let number = record.newest?.number ?? 0
    const { published: shown } = record
    const known = shown && (await findLastPublic(tx, { kind: form.kind, id }))
    if (shown && JSON.stringify(known?.value) !== JSON.stringify(shown)) {
      const found = { action: 'found', value: shown, savedBy: 'webmaster', publishAt: null } as const
      await addRevision(tx, { ...common, ...found, id: newId(now), number: ++number })
    }
    let { value } = version
    if (version.action === 'published') {
      const moment = { today: dayOf(now, timeZone), newId: () => newId(now) }
      await form.publish(tx, id, value, moment)
      // Store the value as re-read, so that outside changes can be detected later.
      value = (await reading.findRecordState(tx, form, id)).published ?? value
    }
    await addRevision(tx, { ...common, ...version, value, id: newId(now), number: number + 1 })
    if (version.action === 'published' || version.action === 'deleted') await incrementContentVersion(tx)
  }

  /** @param version null for a new record */
  async function changeRecord(
    actor: string,
    { form, id, version }: { form: ContentForm; id: string; version: string | null },
    act: (tx: Tx, record: RecordState) => Promise<{ action: ContentAction; after: ContentValue | null }>,
  ): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await lockContent(tx)
      const record = await reading.findRecordState(tx, form, id)
      const exists = record.published !== null || record.newest !== null
      if (version === null ? exists : exists && version !== recordVersion(record))
        throw new Problem('CHANGED_MEANWHILE')
      if (version !== null && !exists && !(form.isSingle && id === SINGLE_RECORD_ID)) throw new Problem('NOT_FOUND')
      const { action, after } = await act(tx, record)
      await audit(tx, actor, { form, id, record }, { action, after })
    })
  }

  async function audit(
    tx: Tx,
    actor: string,
    { form, id, record }: { form: ContentForm; id: string; record: RecordState },
    { action, after }: { action: ContentAction; after: ContentValue | null },
  ): Promise<void> {
    const details = changedFields(record, after)
    await writeAudit(tx, { actor, action: `content.${action}`, subjectId: `${form.kind}/${id}`, details }, clock.now())
  }

  async function removeRecord(
    tx: Tx,
    { form, id, record }: { form: ContentForm; id: string; record: RecordState },
    savedBy: string,
  ): Promise<void> {
    if (!form.remove) throw new Problem('NOT_FOUND')
    const value = record.published ?? record.newest?.value ?? {}
    await addRevisionOf(tx, { form, id, record }, { action: 'deleted', value, savedBy, publishAt: null })
    await form.remove(tx, id, { today: dayOf(clock.now(), timeZone) })
  }

  const many: BulkContentEditor = {
    requireForm: formOf,
    listRecordStates: reading.listRecordStates,

    async publish(tx, actor, { kind, id }, value) {
      const form = formOf(kind)
      const record = await reading.findRecordState(tx, form, id)
      await addRevisionOf(tx, { form, id, record }, { action: 'published', value, savedBy: actor, publishAt: null })
      await audit(tx, actor, { form, id, record }, { action: 'published', after: value })
      return recordVersion(await reading.findRecordState(tx, form, id))
    },

    async remove(tx, actor, { kind, id }) {
      const form = formOf(kind)
      const record = await reading.findRecordState(tx, form, id)
      await removeRecord(tx, { form, id, record }, actor)
      await audit(tx, actor, { form, id, record }, { action: 'deleted', after: null })
    },
  }

  /** Replaces a picture in one record: republishes the published value and updates the unpublished revision. */
  async function replaceIn(
    tx: Tx,
    { form, id, record }: { form: ContentForm; id: string; record: RecordState },
    { officer, from, to }: { officer: Officer; from: string; to: string },
  ): Promise<void> {
    const { published: shown, newest } = record
    const waiting = newest && isUnpublished(newest) ? newest : null
    const usesPicture = (value: ContentValue) => containsPicture(JSON.stringify(value), from)
    const isPublished = shown !== null && usesPicture(shown)
    if (!isPublished && !(waiting && usesPicture(waiting.value))) return
    const savedBy = officer.accountId
    if (isPublished) {
      const value = replacePictureUrls(shown, from, to)
      await addRevisionOf(tx, { form, id, record }, { action: 'published', value, savedBy, publishAt: null })
    }
    if (waiting) {
      const { action, publishAt, held } = waiting
      const now = await reading.findRecordState(tx, form, id)
      const value = replacePictureUrls(waiting.value, from, to)
      // The officer who scheduled it stays responsible for it.
      const by = action === 'scheduled' ? waiting.savedBy : savedBy
      await addRevisionOf(tx, { form, id, record: now }, { action, value, savedBy: by, publishAt, held })
    }
    const details = { before: from, after: to }
    const entry = {
      actor: savedBy,
      action: 'content.picture-replaced' as const,
      subjectId: `${form.kind}/${id}`,
      details,
    }
    await writeAudit(tx, entry, clock.now())
  }

  function publishInstant({ action, publishAt }: SaveRequest): number | null {
    if (action !== 'schedule') return null
    const instant = parseLocalTime(publishAt ?? '', timeZone)
    if (instant === null) throw fieldProblem('publishAt', 'Please choose a date and a time')
    if (instant <= clock.now())
      throw fieldProblem('publishAt', 'This time is in the past. Choose a later one, or publish now')
    return instant
  }

  async function resolveId(form: ContentForm, id: string, value: ContentValue): Promise<string> {
    if (id !== NEW_RECORD) return id
    if (!form.idFor) throw new Problem('NOT_FOUND')
    const wanted = form.idFor(value)
    const taken = await reading.takenIds(form)
    if (!taken.has(wanted) && wanted !== NEW_RECORD) return wanted
    const fixed = form.fields.findLast(({ isFixed }) => isFixed)
    if (fixed) throw fieldProblem(fixed.name, 'This already exists. Open it from the list')
    return findFreeId(wanted, (one) => one === NEW_RECORD || taken.has(one))
  }

  return {
    list: reading.list,
    titles: reading.titles,
    get: reading.get,
    findPictureUses: reading.findPictureUses,
    /** For features that change several records in one transaction. */
    bulk: many,

    async replacePicture(tx: Tx, officer: Officer, names: { from: string; to: string }): Promise<void> {
      await lockContent(tx)
      for (const form of contentForms) {
        for (const [id, record] of await reading.listRecordStates(tx, form))
          await replaceIn(tx, { form, id, record }, { officer, ...names })
      }
    },

    async kinds(): Promise<ReplyOf<typeof listContentKinds>> {
      const waiting = await countUnpublished(db)
      return {
        kinds: contentForms.map((form) => ({ ...reading.describeKind(form), drafts: waiting.get(form.kind) ?? 0 })),
      }
    },

    /** @throws Problem INVALID_INPUT with a message by field, or CHANGED_MEANWHILE */
    async save(officer: Officer, { kind, id: requestedId }: RecordRef, request: SaveRequest): Promise<ContentRecord> {
      const form = formOf(kind)
      const publishAt = publishInstant(request)
      const id = await resolveId(form, requestedId, request.value)
      const isNew = requestedId === NEW_RECORD
      const fixed = isNew ? {} : await reading.readFixedValues(form, id)
      const isDraft = request.action === 'draft'
      const { value, problems } = parseContentValue(form, { ...request.value, ...fixed }, id, { isDraft })
      if (problems) throw new Problem('INVALID_INPUT', { fields: problems })
      const action = ({ draft: 'draft', publish: 'published', schedule: 'scheduled' } as const)[request.action]
      await changeRecord(
        officer.accountId,
        { form, id, version: isNew ? null : request.version },
        async (tx, record) => {
          if (action !== 'draft') requireGuards(officer, form, { shown: record.published, value })
          await addRevisionOf(tx, { form, id, record }, { action, value, savedBy: officer.accountId, publishAt })
          return { action, after: value }
        },
      )
      return reading.get({ kind, id })
    },

    async restore(
      officer: Officer,
      { kind, id }: RecordRef,
      { number, version }: { number: number; version: string },
    ): Promise<ContentRecord> {
      const form = formOf(kind)
      await changeRecord(officer.accountId, { form, id, version }, async (tx, record) => {
        const former = await findRevision(tx, { kind, id, number })
        if (!former) throw new Problem('NOT_FOUND')
        const wasPublic = former.action === 'published' || former.action === 'found'
        const { value, problems } = parseContentValue(form, former.value, id, { isDraft: !wasPublic })
        if (problems) throw new Problem('INVALID_INPUT', { fields: problems })
        const action = wasPublic ? 'published' : 'draft'
        if (action === 'published') requireGuards(officer, form, { shown: record.published, value })
        await addRevisionOf(tx, { form, id, record }, { action, value, savedBy: officer.accountId, publishAt: null })
        return { action: 'restored', after: value }
      })
      return reading.get({ kind, id })
    },

    async remove(officer: Officer, { kind, id }: RecordRef, { version }: { version: string }): Promise<ContentRecord> {
      const form = formOf(kind)
      await changeRecord(officer.accountId, { form, id, version }, async (tx, record) => {
        await removeRecord(tx, { form, id, record }, officer.accountId)
        return { action: 'deleted', after: null }
      })
      return reading.get({ kind, id })
    },

    /** Publishes what is due. */
    job: {
      name: 'publish-content',
      everyMs: PUBLISH_EVERY_MS,
      async run() {
        const nameOf = ({ kind, recordId }: Revision) => `${kind}/${recordId}`
        await forEachCollectingErrors(await listDueRevisions(db, clock.now()), nameOf, async (due) => {
          const { kind, recordId: id, number, savedBy, publishAt } = due
          const form = formOf(kind)
          const { version } = await reading.get({ kind, id })
          await changeRecord('system', { form, id, version }, async (tx, record) => {
            const { newest } = record
            if (newest?.number !== number) throw new Problem('CHANGED_MEANWHILE')
            if (!(await heldWork.isStillAllowed(tx, savedBy, 'content.change'))) {
              const held = await heldWork.reason(tx, savedBy, publishAt ?? clock.now())
              const { value } = newest
              await addRevisionOf(
                tx,
                { form, id, record },
                { action: 'draft', value, savedBy: 'system', publishAt: null, held },
              )
              return { action: 'held', after: value }
            }
            await addRevisionOf(
              tx,
              { form, id, record },
              { action: 'published', value: newest.value, savedBy, publishAt: null },
            )
            return { action: 'published', after: newest.value }
          })
        })
      },
    } satisfies Job,
  }
}

export type ContentService = ReturnType<typeof createContentService>
