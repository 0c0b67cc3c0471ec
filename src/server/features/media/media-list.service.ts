import type { AppContext } from '#server/app-context.ts'
import type { DescribedPicture, listPictures } from '#contract/console/media.ts'
import { ARTICLES_FOLDER, mediaFolders, type Bucket, type Folder, type StoredImage } from '#contract/public/media.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { incrementContentVersion, lockContent } from '#server/features/content-store/content.commands.ts'
import { foldText } from '#server/db/fold-text.rules.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import { listIllustrations } from '#server/media-store/pictures/site-illustrations.ts'
import type { MediaConsoleService } from './media-console.service.ts'
import { folderLabels, MEDIA_FOLDERS, type FolderRef } from './media-folders.rules.ts'
import { savePositions } from './picture-description.commands.ts'
import { listDescriptions } from './picture-description.queries.ts'
import { inOrder, pictureKey, type PictureDescription } from './picture-descriptions.rules.ts'

/** A folder is ordered as a whole, so its pages are large. */
const PAGE_SIZE = 60
const FOLDER_PAGE_SIZE = 500

interface ListedFolder extends FolderRef {
  /** null if the store did not respond. */
  images: StoredImage[] | null
}

/** Lists the media library a page at a time, and orders the pictures of a folder. */
export function createMediaListService(
  { db, cache, clock }: AppContext,
  { store, media }: { store: MediaStore; media: Pick<MediaConsoleService, 'describeAll'> },
) {
  async function listFolders(): Promise<ListedFolder[]> {
    const all = Object.entries(mediaFolders).flatMap(([bucket, folders]) =>
      folders.map((folder) => ({ bucket, folder: folder as string })),
    )
    const order = Object.keys(MEDIA_FOLDERS)
    const position = ({ bucket, folder }: FolderRef) => order.indexOf(`${bucket}/${folder}`)
    const listed = all.map(async (ref) => {
      // One unavailable folder must not hide the others.
      const images = await store.list(ref.bucket as Bucket, ref.folder as Folder).catch(() => null)
      return { ...ref, images }
    })
    return (await Promise.all(listed)).sort((a, b) => position(a) - position(b))
  }

  return {
    async list({
      q = '',
      folder: wanted,
      filter,
      sort,
      page = '1',
    }: QueryOf<typeof listPictures>): Promise<ReplyOf<typeof listPictures>> {
      const [folders, descriptions] = await Promise.all([listFolders(), listDescriptions(db)])
      const described = ({ bucket, folder }: FolderRef, { filename }: StoredImage) =>
        descriptions.get(pictureKey({ bucket, folder, filename }))
      const isUndescribed = (ref: FolderRef, image: StoredImage) => !described(ref, image)?.alt
      const search = foldText(q)
      let found = folders
        .filter(({ bucket, folder }) => wanted === undefined || wanted === `${bucket}/${folder}`)
        .flatMap((folder) => inOrder(folder, folder.images ?? [], descriptions).map((image) => ({ folder, image })))
        .filter(({ folder, image }) => wordsOf(image, described(folder, image)).includes(search))
        .filter(({ folder, image }) => filter !== 'undescribed' || isUndescribed(folder, image))
      const nameOf = ({ folder, image }: (typeof found)[number]) => described(folder, image)?.name ?? image.filename
      if (sort === 'name') found.sort((a, b) => nameOf(a).localeCompare(nameOf(b)))
      else if (sort === 'recent' || wanted === undefined)
        found.sort((a, b) => b.image.lastModified.localeCompare(a.image.lastModified))
      if (filter === 'unused') {
        const unused = new Set((await describe(found)).filter(isUnused).map(keyOf))
        found = found.filter(({ folder, image }) => unused.has(keyOf({ ...folder, filename: image.filename })))
      }
      const size = wanted === undefined ? PAGE_SIZE : FOLDER_PAGE_SIZE
      const from = (Number(page) - 1) * size
      return {
        folders: folders.map(({ bucket, folder, images }) => ({
          bucket,
          folder,
          ...folderLabels({ bucket, folder }),
          count: images?.length ?? null,
        })),
        pictures: await describe(found.slice(from, from + size)),
        total: found.length,
        pages: Math.max(1, Math.ceil(found.length / size)),
        undescribed: folders.flatMap((folder) => (folder.images ?? []).filter((image) => isUndescribed(folder, image)))
          .length,
        people: [...cache.content().people],
        drawings: (await listIllustrations()).map((name) => ({ name, url: `/art/${name}.svg` })),
      }
    },

    /** @throws Problem CHANGED_MEANWHILE unless the names are those of all pictures of the folder */
    async order(officer: Officer, { bucket, folder }: FolderRef, filenames: readonly string[]): Promise<void> {
      if (!MEDIA_FOLDERS[`${bucket}/${folder}`]) throw new Problem('NOT_FOUND')
      const stored = await store.list(bucket as Bucket, folder as Folder)
      const before = inOrder({ bucket, folder }, stored, await listDescriptions(db)).map(({ filename }) => filename)
      if (before.toSorted().join('\n') !== filenames.toSorted().join('\n')) throw new Problem('CHANGED_MEANWHILE')
      const { label } = folderLabels({ bucket, folder })
      await db.transaction().execute(async (tx) => {
        await lockContent(tx)
        await savePositions(tx, { bucket, folder }, filenames)
        const details = { before, after: filenames }
        const subjectId = `${bucket}/${folder}/${label}`
        await writeAudit(tx, { actor: officer.accountId, action: 'picture.ordered', subjectId, details }, clock.now())
        await incrementContentVersion(tx)
      })
      await cache.refresh()
    },
  }

  /** In the same order. */
  async function describe(found: readonly { folder: ListedFolder; image: StoredImage }[]): Promise<DescribedPicture[]> {
    const byFolder = [...Map.groupBy(found, ({ folder }) => folder)]
    const all = await Promise.all(
      byFolder.map(([folder, images]) =>
        media.describeAll(
          folder,
          images.map(({ image }) => image),
        ),
      ),
    )
    const byKey = new Map(all.flat().map((picture) => [keyOf(picture), picture]))
    return found.flatMap(({ folder, image }) => byKey.get(keyOf({ ...folder, filename: image.filename })) ?? [])
  }
}

export type MediaListService = ReturnType<typeof createMediaListService>

function keyOf({ bucket, folder, filename }: FolderRef & { filename: string }): string {
  return pictureKey({ bucket, folder, filename })
}

/** The pictures of other folders are shown whether or not a record uses them. */
function isUnused({ folder, usedIn }: DescribedPicture): boolean {
  return folder === ARTICLES_FOLDER.folder && usedIn.length === 0
}

function wordsOf({ filename }: StoredImage, description: PictureDescription | undefined): string {
  const { alt = '', caption = '', name = '', person = null } = description ?? {}
  return foldText([filename, name, alt, caption, person?.name ?? ''].join(' '))
}
