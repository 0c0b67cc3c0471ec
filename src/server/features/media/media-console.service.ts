import type { Kysely } from 'kysely'
import type { DescribedPicture, MediaFolder } from '#contract/console-media.ts'
import { mediaFolders, type Bucket, type Folder, type StoredImage } from '#contract/media.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import type { MediaStore } from '#server/media/media-store.ts'
import { preparePicture, RefusedPicture } from '#server/media/prepare-picture.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { forgetDescription, listDescriptions, saveDescription } from './picture-description.repository.ts'
import type { PicturesService } from './pictures.service.ts'

/** What the folders are to officers. */
const FOLDERS: Record<string, Pick<MediaFolder, 'label' | 'use'>> = {
  'home/articles': { label: 'For events, news and pages', use: 'Choose them where you write.' },
  'home/hero': { label: 'Home page, at the top', use: 'All of them are shown in turn.' },
  'home/gallery': { label: 'The association in action', use: 'All of them are shown in turn on the home page.' },
  'clinic/hero': { label: 'Free clinic', use: 'Shown at the top of its page.' },
  'exec/team': { label: 'Portraits of leaders', use: 'Shown with the person whose name the file carries.' },
}

interface Place {
  bucket: string
  folder: string
}
type PicturePlace = Place & { filename: string }

export interface MediaConsoleService {
  list(): Promise<MediaFolder[]>
  /** @throws Problem NOT_FOUND, or with a sentence for the field `file` */
  add(officer: Officer, place: PicturePlace, alt: string, read: () => Promise<Buffer>): Promise<DescribedPicture>
  describe(officer: Officer, place: PicturePlace, alt: string): Promise<DescribedPicture>
  remove(officer: Officer, place: PicturePlace): Promise<void>
}

/** Pictures as officers tend them: what each shows, where it is used, adding and deleting. */
export function createMediaConsoleService({
  db,
  clock,
  store,
  pictures,
  usesOf,
}: {
  db: Kysely<Schema>
  clock: Clock
  store: MediaStore
  pictures: Pick<PicturesService, 'forget'>
  /** Which records name each of these addresses. */
  usesOf(addresses: readonly string[]): Promise<Map<string, { title: string; path: string }[]>>
}): MediaConsoleService {
  async function listFolder({ bucket, folder }: Place): Promise<DescribedPicture[]> {
    return describeAll({ bucket, folder }, await store.list(bucket as Bucket, folder as Folder))
  }

  async function describeAll({ bucket, folder }: Place, images: StoredImage[]): Promise<DescribedPicture[]> {
    const [descriptions, uses] = await Promise.all([listDescriptions(db), usesOf(images.map(addressOf))])
    return images.map((image) => ({
      ...image,
      alt: descriptions.get(`${bucket}/${folder}/${image.filename}`) ?? '',
      address: addressOf(image),
      usedIn: uses.get(addressOf(image)) ?? [],
    }))
  }

  async function getPicture({ filename, ...place }: PicturePlace): Promise<DescribedPicture> {
    if (!FOLDERS[`${place.bucket}/${place.folder}`]) throw new Problem('NOT_FOUND')
    const picture = (await listFolder(place)).find((one) => one.filename === filename)
    if (!picture) throw new Problem('NOT_FOUND')
    return picture
  }

  async function writeDown(
    officer: Officer,
    action: string,
    { bucket, folder, filename }: PicturePlace,
    details: { before: string | null; after: string | null },
  ): Promise<void> {
    const entry = { actor: officer.accountId, action, subjectId: `${bucket}/${folder}/${filename}`, details }
    await writeAudit(db, entry, clock.now())
  }

  return {
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
      const prepared = await preparePicture(filename, await read()).catch((error: unknown) => {
        throw error instanceof RefusedPicture ? fieldProblem('file', error.message) : error
      })
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

    async remove(officer, place) {
      const { alt } = await getPicture(place)
      await store.remove(place.bucket as Bucket, place.folder as Folder, place.filename)
      await forgetDescription(db, place)
      await writeDown(officer, 'picture.deleted', place, { before: alt, after: null })
      pictures.forget(place.bucket, place.folder)
    },
  }
}

/** Without the mark of its version: the picture may be replaced under the same address. */
function addressOf({ url }: StoredImage): string {
  return url.split('?')[0] ?? url
}
