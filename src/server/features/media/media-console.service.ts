import type { AppContext } from '#server/app-context.ts'
import type { Kysely } from 'kysely'
import type { BodyOf } from '#contract/endpoint.ts'
import {
  isReplaceable,
  type DescribedPicture,
  type PictureDetail,
  type PictureUse,
  type describePicture,
  type replacePicture,
} from '#contract/console/media.ts'
import {
  ARTICLES_FOLDER,
  type Bucket,
  type Folder,
  type PictureCrop,
  type PicturePerson,
  type StoredImage,
} from '#contract/public/media.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import { isCroppable, findOriginal } from '#server/media-store/pictures/picture-files.rules.ts'
import { writeSource, type PictureQueue, type ProcessingSlot } from '#server/media-store/pictures/picture-queue.ts'
import { PictureRejectedError } from '#server/media-store/pictures/picture-rejected-error.ts'
import type { AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { lockContent, incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { deleteDescription, saveDescription } from './picture-description.commands.ts'
import { listDescriptions } from './picture-description.queries.ts'
import { isListed, pictureKey, type PictureDescription, type PictureRef } from './picture-descriptions.rules.ts'
import { MEDIA_FOLDERS, folderLabels, type FolderRef } from './media-folders.rules.ts'
import { createPicturePreviews } from './picture-previews.service.ts'
import { unversionedUrl, type PicturesService } from './pictures.service.ts'

/** How many uses the error message lists. */
const MAX_LISTED_USES = 3

/** A feature whose records refer to pictures by URL. */
export interface PictureUser {
  /** Finds its records, including drafts, that use each of these pictures. */
  findPictureUses(addresses: readonly string[]): Promise<Map<string, PictureUse[]>>
  /** Replaces a picture in published records, drafts and unsent newsletters. Adds a revision and an audit entry for each. */
  replacePicture(tx: Tx, officer: Officer, names: { from: string; to: string }): Promise<void>
}

/** The officer that the audit log names. */
type Actor = Pick<Officer, 'accountId'>

/** Manages the media library in the console: adding, describing, cropping, replacing and deleting pictures. */
export function createMediaConsoleService(
  { db, clock, cache }: AppContext,
  {
    store,
    workshop,
    pictures,
    users,
  }: {
    store: MediaStore
    workshop: PictureQueue
    pictures: Pick<PicturesService, 'invalidate'>
    users: readonly PictureUser[]
  },
) {
  const previews = createPicturePreviews(workshop)

  async function usesOf(images: readonly StoredImage[]): Promise<Map<string, PictureUse[]>> {
    const found = await Promise.all(users.map((user) => user.findPictureUses(images.map(unversionedUrl))))
    return new Map(
      images.map(unversionedUrl).map((address) => [address, found.flatMap((uses) => uses.get(address) ?? [])]),
    )
  }

  async function describeAll({ bucket, folder }: FolderRef, images: StoredImage[]): Promise<DescribedPicture[]> {
    const [descriptions, uses] = await Promise.all([listDescriptions(db), usesOf(images)])
    return images.map((image) => {
      const description = descriptions.get(pictureKey({ bucket, folder, filename: image.filename })) ?? NO_DESCRIPTION
      const { alt, caption, person, name } = description
      return {
        ...image,
        bucket,
        folder,
        name: name ?? image.filename,
        alt,
        caption,
        person: person && { ...person, isListed: isListed(person, cache.content().people) },
        address: unversionedUrl(image),
        usedIn: uses.get(unversionedUrl(image)) ?? [],
      }
    })
  }

  async function getPicture({ filename, ...ref }: PictureRef): Promise<DescribedPicture> {
    if (!MEDIA_FOLDERS[`${ref.bucket}/${ref.folder}`]) throw new Problem('NOT_FOUND')
    const images = await store.list(ref.bucket as Bucket, ref.folder as Folder)
    const [picture] = await describeAll(
      ref,
      images.filter((image) => image.filename === filename),
    )
    if (!picture) throw new Problem('NOT_FOUND')
    return picture
  }

  /** Reads the uncropped original; the picture itself if it is not cropped. */
  async function readOriginal({
    bucket,
    folder,
    filename,
  }: PictureRef): Promise<{ name: string; crop: PictureCrop | null; read(): Promise<Buffer> }> {
    const [storeBucket, storeFolder] = [bucket as Bucket, folder as Folder]
    const original = findOriginal(filename, await store.files(storeBucket, storeFolder, filename))
    const name = original?.name ?? filename
    return { name, crop: original?.crop ?? null, read: () => store.read(storeBucket, storeFolder, name) }
  }

  async function detailOf(ref: PictureRef): Promise<PictureDetail> {
    const picture = await getPicture(ref)
    const folder = folderLabels(ref)
    const common = {
      ...picture,
      ...folder,
      people: folder.hasPeople ? [...cache.content().people] : [],
      isChosen: ref.folder === ARTICLES_FOLDER.folder,
    }
    if (!isCroppable(ref.filename)) return { ...common, original: null, crop: null }
    const original = await readOriginal(ref)
    return {
      ...common,
      original: await previews.of(`${picture.url} ${original.name}`, original.read),
      crop: original.crop,
    }
  }

  /** @throws Problem INVALID_INPUT on the field `person` */
  function requireListedPerson(ref: FolderRef, person: PicturePerson | null | undefined): void {
    if (!person) return
    if (!folderLabels(ref).hasPeople) throw fieldProblem('person', 'Only portraits can be linked to a person')
    if (!isListed(person, cache.content().people))
      throw fieldProblem('person', `${person.name} is no longer listed there. Please choose again`)
  }

  /** Saves and audits a description. This instance shows it at once, the others within a second. */
  async function saveAndAudit(
    officer: Actor,
    action: AuditAction,
    ref: PictureRef,
    { before, after }: { before: PictureDescription | null; after: PictureDescription },
  ): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await lockContent(tx)
      await saveDescription(tx, ref, after)
      await audit(officer, action, ref, { before, after }, tx)
      await incrementContentVersion(tx)
    })
    await cache.refresh()
  }

  async function findDescription(ref: PictureRef): Promise<PictureDescription | null> {
    return (await listDescriptions(db)).get(pictureKey(ref)) ?? null
  }

  /** Processes a picture and stores the result. */
  async function processAndStore(
    ref: PictureRef,
    read: () => Promise<Buffer>,
    task: Parameters<ProcessingSlot['prepare']>[0],
  ): Promise<void> {
    await workshop.withSlot({ small: true }, async (turn) => {
      await writeSource(turn, await read())
      await turn.prepare(task, (prepared) => store.put(ref.bucket as Bucket, ref.folder as Folder, prepared))
    })
  }

  async function audit(
    officer: Actor,
    action: AuditAction,
    { bucket, folder, filename }: PictureRef,
    details: { before: unknown; after: unknown },
    tx: Kysely<Schema> | Tx = db,
  ): Promise<void> {
    const entry = { actor: officer.accountId, action, subjectId: `${bucket}/${folder}/${filename}`, details }
    await writeAudit(tx, entry, clock.now())
  }

  return {
    get: detailOf,
    describeAll,
    isCropped: async (ref: PictureRef): Promise<boolean> =>
      isCroppable(ref.filename) && (await readOriginal(ref)).crop !== null,

    /** The position of a ticket in the processing queue; null if it is not in the queue of this process. */
    queuePosition: workshop.position,

    /**
     * Adds a picture, or replaces the one of the same name and its description.
     * @param save writes the file to a path
     * @throws Problem INVALID_INPUT on the field `file` or `person`, PICTURES_BUSY
     */
    async add(
      officer: Actor,
      { bucket, folder, filename }: PictureRef,
      { alt, caption, person }: { alt: string; caption: string; person: PicturePerson | null },
      {
        ticket,
        isPrint,
        save,
      }: { ticket: string | undefined; isPrint: boolean; save: (path: string) => Promise<void> },
    ): Promise<DescribedPicture> {
      if (!MEDIA_FOLDERS[`${bucket}/${folder}`]) throw new Problem('NOT_FOUND')
      requireListedPerson({ bucket, folder }, person)
      const ref = await workshop.withSlot(ticket === undefined ? {} : { ticket }, async (turn) => {
        await save(turn.source)
        const prepared = turn.prepare({ kind: 'prepare', filename, isPrint }, async (picture) => {
          const stored = { bucket, folder, filename: picture.filename }
          const before = await findDescription(stored)
          // Unlink the person first: a replaced portrait must never be shown with the previous person.
          if (before?.person)
            await saveAndAudit(officer, 'picture.described', stored, { before, after: { ...before, person: null } })
          await store.put(bucket as Bucket, folder as Folder, picture)
          const after = { ...(before ?? NO_DESCRIPTION), alt, caption, person }
          await saveAndAudit(officer, 'picture.added', stored, { before, after })
          return stored
        })
        return asFieldProblem('file', prepared)
      })
      pictures.invalidate(bucket, folder)
      return getPicture(ref)
    },

    async describe(
      officer: Officer,
      ref: PictureRef,
      description: BodyOf<typeof describePicture>,
    ): Promise<DescribedPicture> {
      requireListedPerson(ref, description.person)
      await getPicture(ref)
      const before = (await findDescription(ref)) ?? NO_DESCRIPTION
      const { alt = before.alt, caption = before.caption, person = before.person, name = before.name } = description
      const isRenamed = name !== before.name && alt === before.alt && caption === before.caption
      const after = { ...before, alt, caption, person, name }
      await saveAndAudit(officer, isRenamed ? 'picture.named' : 'picture.described', ref, { before, after })
      return getPicture(ref)
    },

    /** @throws Problem INVALID_INPUT on the field `crop` */
    async crop(officer: Officer, ref: PictureRef, crop: PictureCrop): Promise<PictureDetail> {
      await getPicture(ref)
      if (!isCroppable(ref.filename)) throw fieldProblem('crop', 'SVG images and animations cannot be cropped.')
      const { read, crop: before } = await readOriginal(ref)
      await asFieldProblem('crop', processAndStore(ref, read, { kind: 'crop', filename: ref.filename, crop }))
      await audit(officer, 'picture.cropped', ref, { before, after: crop })
      pictures.invalidate(ref.bucket, ref.folder)
      return detailOf(ref)
    },

    async uncrop(officer: Officer, ref: PictureRef): Promise<PictureDetail> {
      await getPicture(ref)
      const { read, crop: before } = await readOriginal(ref)
      if (before) {
        await asFieldProblem('crop', processAndStore(ref, read, { kind: 'sizes', filename: ref.filename }))
        await audit(officer, 'picture.uncropped', ref, { before, after: null })
        pictures.invalidate(ref.bucket, ref.folder)
      }
      return detailOf(ref)
    },

    /** @throws Problem CHANGED_MEANWHILE if its uses differ from those the officer saw */
    async replace(
      officer: Officer,
      ref: PictureRef,
      { by, byPlace = ref, seen }: BodyOf<typeof replacePicture>,
    ): Promise<PictureDetail> {
      const [{ address: from, usedIn }, { address: to }] = await Promise.all([
        getPicture(ref),
        getPicture({ bucket: byPlace.bucket, folder: byPlace.folder, filename: by }),
      ])
      if (from === to) throw fieldProblem('by', 'Please choose a different picture')
      const current = usedIn.filter(isReplaceable).map(({ path }) => path)
      if (current.toSorted().join('\n') !== seen.toSorted().join('\n')) throw new Problem('CHANGED_MEANWHILE')
      await db.transaction().execute(async (tx) => {
        for (const user of users) await user.replacePicture(tx, officer, { from, to })
        await audit(officer, 'picture.replaced', ref, { before: from, after: to }, tx)
      })
      await cache.refresh()
      return detailOf(ref)
    },

    /** @throws Problem PICTURE_IN_USE */
    async remove(officer: Actor, ref: PictureRef): Promise<void> {
      const { usedIn } = await getPicture(ref)
      const uses = usedIn.filter(isReplaceable)
      if (uses.length > 0) throw new Problem('PICTURE_IN_USE', { message: inUse(uses) })
      await store.remove(ref.bucket as Bucket, ref.folder as Folder, ref.filename)
      const before = await findDescription(ref)
      await db.transaction().execute(async (tx) => {
        await lockContent(tx)
        await deleteDescription(tx, ref)
        await audit(officer, 'picture.deleted', ref, { before, after: null }, tx)
        await incrementContentVersion(tx)
      })
      await cache.refresh()
      pictures.invalidate(ref.bucket, ref.folder)
    },
  }
}

export type MediaConsoleService = ReturnType<typeof createMediaConsoleService>

const NO_DESCRIPTION: PictureDescription = { alt: '', caption: null, person: null, name: null, position: null }

function inUse(uses: readonly PictureUse[]): string {
  const listed = uses.slice(0, MAX_LISTED_USES).map(({ title, what }) => `“${title}” (${what})`)
  const more = uses.length > MAX_LISTED_USES ? [`${uses.length - MAX_LISTED_USES} more`] : []
  return `This picture is used in ${[...listed, ...more].join(', ')}. Replace it there first.`
}

/** Rethrows a `PictureRejectedError` as a problem of the form field. */
async function asFieldProblem<T>(field: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    throw error instanceof PictureRejectedError ? fieldProblem(field, error.message) : error
  }
}
