import type { Kysely } from 'kysely'
import type { BodyOf } from '#contract/endpoint.ts'
import {
  isReplaceable,
  type DescribedPicture,
  type MediaFolder,
  type PictureDetail,
  type PictureUse,
  type replacePicture,
} from '#contract/console-media.ts'
import {
  mediaFolders,
  WORDS_FOLDER,
  type Bucket,
  type Folder,
  type PictureCrop,
  type StoredImage,
} from '#contract/media.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { MediaStore } from '#server/media/media-store.ts'
import { originalAmong } from '#server/media/picture-files.rules.ts'
import {
  cropPicture,
  isCroppable,
  preparePicture,
  previewOf,
  RefusedPicture,
  withSizes,
} from '#server/media/prepare-picture.ts'
import type { AuditAction } from '#server/platform/audit-actions.rules.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { forgetDescription, listDescriptions, saveDescription } from './picture-description.repository.ts'
import { addressOf, type PicturesService } from './pictures.service.ts'

/** What the folders are to officers. */
const FOLDERS: Record<string, Pick<MediaFolder, 'label' | 'use'>> = {
  'home/articles': { label: 'For events, news and pages', use: 'Choose them where you write.' },
  'home/hero': { label: 'Home page, at the top', use: 'All of them are shown in turn.' },
  'home/gallery': { label: 'The association in action', use: 'All of them are shown in turn on the home page.' },
  'clinic/hero': { label: 'Free clinic', use: 'Shown at the top of its page.' },
  'exec/team': { label: 'Portraits of leaders', use: 'Shown with the person whose name the file carries.' },
}
/** So many uses are named in a refusal. */
const NAMED = 3

interface Place {
  bucket: string
  folder: string
}
type PicturePlace = Place & { filename: string }

/** Something that names pictures by their addresses. */
export interface PictureUser {
  /** Which of its records name each of these addresses, also in drafts. */
  usesOf(addresses: readonly string[]): Promise<Map<string, PictureUse[]>>
  /** Names another wherever visitors or officers may still see this one, with a version and an entry of the history each. */
  replacePicture(tx: Tx, officer: Officer, names: { from: string; to: string }): Promise<void>
}

/** All throw Problem NOT_FOUND where there is no such picture. */
export interface MediaConsoleService {
  list(): Promise<MediaFolder[]>
  get(place: PicturePlace): Promise<PictureDetail>
  /** @throws Problem with a sentence for the field `file` */
  add(officer: Officer, place: PicturePlace, alt: string, read: () => Promise<Buffer>): Promise<DescribedPicture>
  describe(officer: Officer, place: PicturePlace, alt: string): Promise<DescribedPicture>
  /** @throws Problem with a sentence for the field `crop` */
  crop(officer: Officer, place: PicturePlace, crop: PictureCrop): Promise<PictureDetail>
  uncrop(officer: Officer, place: PicturePlace): Promise<PictureDetail>
  /** @throws Problem CHANGED_MEANWHILE when it is used elsewhere than was seen */
  replace(officer: Officer, place: PicturePlace, wish: BodyOf<typeof replacePicture>): Promise<PictureDetail>
  /** @throws Problem PICTURE_IN_USE */
  remove(officer: Officer, place: PicturePlace): Promise<void>
}

/** Pictures as officers tend them: what each shows, how it is cropped, where it is used, adding, replacing and deleting. */
export function createMediaConsoleService({
  db,
  clock,
  store,
  pictures,
  users,
}: {
  db: Kysely<Schema>
  clock: Clock
  store: MediaStore
  pictures: Pick<PicturesService, 'forget'>
  users: readonly PictureUser[]
}): MediaConsoleService {
  async function usesOf(images: readonly StoredImage[]): Promise<Map<string, PictureUse[]>> {
    const found = await Promise.all(users.map((user) => user.usesOf(images.map(addressOf))))
    return new Map(images.map(addressOf).map((address) => [address, found.flatMap((uses) => uses.get(address) ?? [])]))
  }

  async function describeAll({ bucket, folder }: Place, images: StoredImage[]): Promise<DescribedPicture[]> {
    const [descriptions, uses] = await Promise.all([listDescriptions(db), usesOf(images)])
    return images.map((image) => ({
      ...image,
      alt: descriptions.get(`${bucket}/${folder}/${image.filename}`) ?? '',
      address: addressOf(image),
      usedIn: uses.get(addressOf(image)) ?? [],
    }))
  }

  async function getPicture({ filename, ...place }: PicturePlace): Promise<DescribedPicture> {
    if (!FOLDERS[`${place.bucket}/${place.folder}`]) throw new Problem('NOT_FOUND')
    const images = await store.list(place.bucket as Bucket, place.folder as Folder)
    const [picture] = await describeAll(
      place,
      images.filter((image) => image.filename === filename),
    )
    if (!picture) throw new Problem('NOT_FOUND')
    return picture
  }

  /** What it was before it was cropped; while it is whole, itself. */
  async function readWhole({
    bucket,
    folder,
    filename,
  }: PicturePlace): Promise<{ bytes: Buffer; crop: PictureCrop | null }> {
    const [home, inside] = [bucket as Bucket, folder as Folder]
    const original = originalAmong(filename, await store.files(home, inside, filename))
    return { bytes: await store.read(home, inside, original?.name ?? filename), crop: original?.crop ?? null }
  }

  async function detailOf(place: PicturePlace): Promise<PictureDetail> {
    const picture = await getPicture(place)
    const { label = '', use = '' } = FOLDERS[`${place.bucket}/${place.folder}`] ?? {}
    const common = { ...picture, label, use, isChosen: place.folder === WORDS_FOLDER.folder }
    if (!isCroppable(place.filename)) return { ...common, original: null, crop: null }
    const { bytes, crop } = await readWhole(place)
    return { ...common, original: await previewOf(bytes), crop }
  }

  async function writeDown(
    officer: Officer,
    action: AuditAction,
    { bucket, folder, filename }: PicturePlace,
    details: { before: unknown; after: unknown },
    tx: Kysely<Schema> | Tx = db,
  ): Promise<void> {
    const entry = { actor: officer.accountId, action, subjectId: `${bucket}/${folder}/${filename}`, details }
    await writeAudit(tx, entry, clock.now())
  }

  return {
    get: detailOf,

    async list() {
      const places = Object.entries(mediaFolders).flatMap(([bucket, folders]) =>
        folders.map((folder) => ({ bucket, folder })),
      )
      const folders = await Promise.all(
        places.map(async (place) => {
          const words = FOLDERS[`${place.bucket}/${place.folder}`] ?? { label: place.folder, use: '' }
          // The other folders may answer.
          const images = await store.list(place.bucket as Bucket, place.folder).catch(() => null)
          return { ...place, ...words, pictures: images && (await describeAll(place, images)) }
        }),
      )
      const order = Object.keys(FOLDERS)
      const rank = ({ bucket, folder }: Place) => order.indexOf(`${bucket}/${folder}`)
      return folders.sort((a, b) => rank(a) - rank(b))
    },

    async add(officer, { bucket, folder, filename }, alt, read) {
      if (!FOLDERS[`${bucket}/${folder}`]) throw new Problem('NOT_FOUND')
      const prepared = await refusedAs('file', preparePicture(filename, await read()))
      const place = { bucket, folder, filename: prepared.filename }
      await store.put(bucket as Bucket, folder as Folder, prepared)
      await saveDescription(db, place, alt)
      await writeDown(officer, 'picture.added', place, { before: null, after: alt })
      pictures.forget(bucket, folder)
      return getPicture(place)
    },

    async describe(officer, place, alt) {
      const { alt: before } = await getPicture(place)
      await saveDescription(db, place, alt)
      await writeDown(officer, 'picture.described', place, { before, after: alt })
      return getPicture(place)
    },

    async crop(officer, place, crop) {
      await getPicture(place)
      if (!isCroppable(place.filename)) throw fieldProblem('crop', 'Drawings and moving pictures are not cropped.')
      const { bytes, crop: before } = await readWhole(place)
      const prepared = await refusedAs('crop', cropPicture(place.filename, bytes, crop))
      await store.put(place.bucket as Bucket, place.folder as Folder, prepared)
      await writeDown(officer, 'picture.cropped', place, { before, after: crop })
      pictures.forget(place.bucket, place.folder)
      return detailOf(place)
    },

    async uncrop(officer, place) {
      await getPicture(place)
      const { bytes, crop: before } = await readWhole(place)
      if (before) {
        await store.put(place.bucket as Bucket, place.folder as Folder, await withSizes(place.filename, bytes))
        await writeDown(officer, 'picture.uncropped', place, { before, after: null })
        pictures.forget(place.bucket, place.folder)
      }
      return detailOf(place)
    },

    async replace(officer, place, { by, seen }) {
      const [{ address: from, usedIn }, { address: to }] = await Promise.all([
        getPicture(place),
        getPicture({ ...place, filename: by }),
      ])
      if (from === to) throw fieldProblem('by', 'Please choose another picture than this one')
      const now = usedIn.filter(isReplaceable).map(({ path }) => path)
      if (now.toSorted().join('\n') !== seen.toSorted().join('\n')) throw new Problem('CHANGED_MEANWHILE')
      await db.transaction().execute(async (tx) => {
        for (const user of users) await user.replacePicture(tx, officer, { from, to })
        await writeDown(officer, 'picture.replaced', place, { before: from, after: to }, tx)
      })
      return detailOf(place)
    },

    async remove(officer, place) {
      const { alt, usedIn } = await getPicture(place)
      const uses = usedIn.filter(isReplaceable)
      if (uses.length > 0) throw new Problem('PICTURE_IN_USE', { message: inUse(uses) })
      await store.remove(place.bucket as Bucket, place.folder as Folder, place.filename)
      await forgetDescription(db, place)
      await writeDown(officer, 'picture.deleted', place, { before: alt, after: null })
      pictures.forget(place.bucket, place.folder)
    },
  }
}

function inUse(uses: readonly PictureUse[]): string {
  const named = uses.slice(0, NAMED).map(({ title, what }) => `“${title}” (${what})`)
  const more = uses.length > NAMED ? [`${uses.length - NAMED} more`] : []
  return `This picture is used in ${[...named, ...more].join(', ')}. Put another in its place first.`
}

/** The sentence of a refusal, under the field it is about. */
async function refusedAs<T>(field: string, making: Promise<T>): Promise<T> {
  try {
    return await making
  } catch (error) {
    throw error instanceof RefusedPicture ? fieldProblem(field, error.message) : error
  }
}
