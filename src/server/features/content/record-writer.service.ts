import type { AppContext } from '#server/app-context.ts'
import type { ContentValue } from '#contract/console/content.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { deleteRecord, incrementContentVersion, writeRecord } from '#server/features/content-store/content.commands.ts'
import type { EditableKind } from '#server/features/content-store/content-kind.rules.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { containsPicture, replacePictureUrls } from '#server/features/media/picture-uses.rules.ts'
import { requireEventWithoutGuests } from '#server/features/rsvps/remove-event.queries.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { addRevision, replaceNewestValue } from './content-revision.commands.ts'
import { findLastPublished, recordVersion, type Revision } from './content-revision.queries.ts'
import { editableValue, isUnpublished, type RecordState } from './content-state.rules.ts'
import { changedFields, type ContentQueries } from './content.queries.ts'

type RecordRef = { kind: string; id: string }

/** A record of which the caller holds the lock. */
export interface RecordInHand {
  kind: EditableKind
  id: string
  record: RecordState
}
type NewRevision = Pick<Revision, 'action' | 'value' | 'savedBy' | 'publishAt' | 'held'>
export type ContentAction = 'draft' | 'published' | 'scheduled' | 'restored' | 'unpublished' | 'deleted' | 'held'

/** For features that change several records. Writes run in the caller's transaction, which must have called `lockContent`. */
export interface BulkContentEditor {
  requireKind(kind: string): EditableKind
  listAllRecordStates: ContentQueries['listAllRecordStates']
  listRecordStates: ContentQueries['listRecordStates']
  findRecordState: ContentQueries['findRecordState']
  /** Publishes a valid value as a new revision. Returns the record's new version. */
  publish(tx: Tx, actor: string, ref: RecordRef, value: ContentValue): Promise<string>
  /** Saves a value as an unpublished revision; it may be incomplete. Returns the record's new version. */
  saveDraft(tx: Tx, actor: string, ref: RecordRef, value: ContentValue): Promise<string>
  /** Deletes a record from the site. @throws Problem NOT_FOUND if records of this kind cannot be deleted */
  remove(tx: Tx, actor: string, ref: RecordRef): Promise<void>
}

/** An officer who goes on typing adds no revision within this time. */
const SAME_DRAFT_MS = 30 * 60_000

/** Throws a Problem if a record of the kind is still needed. */
const DELETION_CHECKS: Partial<Record<string, (tx: Tx, id: string, now: { today: string }) => Promise<void>>> = {
  [eventKind.kind]: requireEventWithoutGuests,
}

/** Writes records and their revisions in the caller's transaction, which must have called `lockContent`. */
export function createRecordWriter({ clock, timeZone }: AppContext, reading: ContentQueries) {
  /**
   * Adds a revision, and before it one of the published value if no revision has that (`found`). Publishes or deletes the record if the revision says so,
   * and returns the record as it is then.
   * @param wasPublished for a value that was on the site before
   */
  async function add(
    tx: Tx,
    { kind, id, record }: RecordInHand,
    { wasPublished = false, ...version }: NewRevision & { wasPublished?: boolean },
  ): Promise<RecordState> {
    const now = clock.now()
    const common = { kind: kind.kind, recordId: id, savedAt: now }
    const write = (value: ContentValue, revision: number, isKnown: boolean) =>
      writeRecord(tx, kind, { id, value, revision }, { now, wasPublished: isKnown }) as Promise<ContentValue>
    let { published, revision } = record
    let number = record.newest?.number ?? 0
    if (published && revision === null) {
      revision = ++number
      const found = { action: 'found', value: published, savedBy: 'webmaster', publishAt: null } as const
      await addRevision(tx, { ...common, ...found, id: newId(now), number })
      if (version.action !== 'published' && version.action !== 'deleted') await write(published, revision, true)
    }
    number++
    if (version.action === 'published') {
      const complete = kind.onPublish
      const before = complete && (record.published ?? (await findLastPublished(tx, { kind: kind.kind, id })))
      published = await write(complete?.(version.value, before ?? null) ?? version.value, number, wasPublished)
      revision = number
    } else if (version.action === 'deleted') {
      await deleteRecord(tx, kind, id)
      published = revision = null
    }
    const value = version.action === 'published' && published ? published : version.value
    const newest = { ...common, ...version, value, id: newId(now), number }
    await addRevision(tx, newest)
    if (version.action === 'published' || version.action === 'deleted') await incrementContentVersion(tx)
    return { published, revision, newest }
  }

  async function audit(
    tx: Tx,
    actor: string,
    { kind, id, record }: RecordInHand,
    { action, after }: { action: ContentAction; after: ContentValue | null },
  ): Promise<void> {
    const details = changedFields(kind, record, after)
    const subjectId = `${kind.kind}/${id}`
    await writeAudit(tx, { actor, action: `content.${action}`, subjectId, details }, clock.now())
  }

  /** @throws Problem NOT_FOUND if records of this kind cannot leave the site */
  async function requireRemovable(tx: Tx, { kind, id }: RecordInHand): Promise<void> {
    if (!kind.canDelete) throw new Problem('NOT_FOUND')
    await DELETION_CHECKS[kind.kind]?.(tx, id, { today: dayOf(clock.now(), timeZone) })
  }

  /** Takes a record off the site and keeps what was published, or its newer draft, as a draft. */
  async function unpublish(tx: Tx, inHand: RecordInHand, savedBy: string): Promise<ContentValue> {
    const { kind, id, record } = inHand
    await requireRemovable(tx, inHand)
    if (!record.published) throw new Problem('NOT_FOUND')
    const value = editableValue(record)
    await add(tx, { kind, id, record }, { action: 'draft', value, savedBy, publishAt: null })
    await deleteRecord(tx, kind, id)
    await incrementContentVersion(tx)
    return value
  }

  /** Saves a draft without adding a revision if the newest is a draft that the officer saved a short time ago. Returns false if it is not. */
  async function replaceDraft(tx: Tx, { kind, id, record }: RecordInHand, draft: NewRevision): Promise<boolean> {
    const { newest } = record
    const now = clock.now()
    if (newest?.action !== 'draft' || newest.savedBy !== draft.savedBy || newest.held) return false
    if (now - newest.savedAt > SAME_DRAFT_MS) return false
    await replaceNewestValue(tx, { kind: kind.kind, recordId: id }, { value: draft.value, savedAt: now })
    return true
  }

  async function remove(tx: Tx, { kind, id, record }: RecordInHand, savedBy: string): Promise<void> {
    await requireRemovable(tx, { kind, id, record })
    const value = record.published ?? record.newest?.value ?? {}
    await add(tx, { kind, id, record }, { action: 'deleted', value, savedBy, publishAt: null })
  }

  const bulk: BulkContentEditor = {
    requireKind: reading.requireRevisedKind,
    listAllRecordStates: reading.listAllRecordStates,
    listRecordStates: reading.listRecordStates,
    findRecordState: reading.findRecordState,

    async publish(tx, actor, { kind: name, id }, value) {
      const kind = reading.requireRevisedKind(name)
      const inHand = { kind, id, record: await reading.findRecordState(tx, kind, id) }
      const published = { action: 'published', value, savedBy: actor, publishAt: null, wasPublished: true } as const
      const record = await add(tx, inHand, published)
      await audit(tx, actor, inHand, { action: 'published', after: value })
      return recordVersion(record)
    },

    async saveDraft(tx, actor, { kind: name, id }, value) {
      const kind = reading.requireRevisedKind(name)
      const inHand = { kind, id, record: await reading.findRecordState(tx, kind, id) }
      const record = await add(tx, inHand, { action: 'draft', value, savedBy: actor, publishAt: null })
      await audit(tx, actor, inHand, { action: 'draft', after: value })
      return recordVersion(record)
    },

    async remove(tx, actor, { kind: name, id }) {
      const kind = reading.requireRevisedKind(name)
      const inHand = { kind, id, record: await reading.findRecordState(tx, kind, id) }
      await remove(tx, inHand, actor)
      await audit(tx, actor, inHand, { action: 'deleted', after: null })
    },
  }

  /** Replaces a picture in one record: republishes the published value and updates the unpublished revision. */
  async function replacePicture(
    tx: Tx,
    { kind, id, record }: RecordInHand,
    { savedBy, from, to }: { savedBy: string; from: string; to: string },
  ): Promise<void> {
    const { published, newest } = record
    const waiting = newest && isUnpublished(newest) ? newest : null
    const usesPicture = (value: ContentValue) => containsPicture(JSON.stringify(value), from)
    const isPublished = published !== null && usesPicture(published)
    if (!isPublished && !(waiting && usesPicture(waiting.value))) return
    let now = record
    if (isPublished) {
      const value = replacePictureUrls(published, from, to)
      const version = { action: 'published', value, savedBy, publishAt: null, wasPublished: true } as const
      now = await add(tx, { kind, id, record }, version)
    }
    if (waiting) {
      const { action, publishAt, held } = waiting
      const value = replacePictureUrls(waiting.value, from, to)
      // The officer who scheduled it stays responsible for it.
      const by = action === 'scheduled' ? waiting.savedBy : savedBy
      await add(tx, { kind, id, record: now }, { action, value, savedBy: by, publishAt, held })
    }
    const details = { before: from, after: to }
    const entry = {
      actor: savedBy,
      action: 'content.picture-replaced' as const,
      subjectId: `${kind.kind}/${id}`,
      details,
    }
    await writeAudit(tx, entry, clock.now())
  }

  return { add, audit, remove, unpublish, replaceDraft, replacePicture, bulk }
}
