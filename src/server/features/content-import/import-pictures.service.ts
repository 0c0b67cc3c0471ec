import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { AppContext } from '#server/app-context.ts'
import { ARTICLES_FOLDER } from '#contract/public/media.ts'
import type { Db } from '#server/db/database.ts'
import type { ContentImportPictureTable } from '#server/db/schema/content-schema.ts'
import type { MediaConsoleService } from '#server/features/media/media-console.service.ts'
import { unversionedUrl } from '#server/features/media/pictures.service.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import { Problem } from '#server/lib/problem.ts'
import {
  findStoredPicture,
  listImportPictures,
  saveImportPicture,
  type ContentImport,
} from './content-import.repository.ts'
import { pictureHosts } from './content-import.rules.ts'
import { PictureUnavailableError, type FetchPicture } from './fetch-picture.service.ts'

const MOST_PICTURES = 1_000
/** The room that the pictures of one import may take, as fetched. */
const MOST_BYTES = 1024 * 1024 * 1024
const NAME_LENGTH = 60

export type ImportedPicture = { address: string | null; reason: string | null }

/** Brings pictures of a former website into the media library, each once. */
export function createImportPictures(
  { db, log }: Pick<AppContext, 'db' | 'log'>,
  {
    media,
    store,
    fetchPicture,
  }: {
    media: Pick<MediaConsoleService, 'add' | 'describeAll' | 'isCropped' | 'remove'>
    store: Pick<MediaStore, 'list'>
    fetchPicture: FetchPicture
  },
) {
  const { bucket, folder } = ARTICLES_FOLDER

  async function addressOf(filename: string): Promise<string | null> {
    const found = (await store.list(bucket, folder)).find((image) => image.filename === filename)
    return found ? unversionedUrl(found) : null
  }

  return {
    /** The results of the pictures of an import, by URL. */
    async list(handle: Db, importId: string): Promise<Map<string, ImportedPicture>> {
      return new Map((await listImportPictures(handle, importId)).map((one) => [one.url, one]))
    },

    /**
     * Fetches a picture and stores it, or records why that is not possible.
     * @throws Problem PICTURES_BUSY or UNAVAILABLE: try again later
     */
    async store(file: ContentImport, { url, alt }: { url: string; alt: string }): Promise<void> {
      const base = {
        importId: file.id,
        url,
        alt: alt.slice(0, 300),
        filename: null,
        address: null,
        bytes: 0,
        reason: null,
      }
      const earlier = await findStoredPicture(db, url)
      const known = earlier?.filename ? await addressOf(earlier.filename) : null
      // The import that stored it also removes it, unless this one uses it.
      if (known !== null) return saveImportPicture(db, { ...base, address: known })
      const stored = await listImportPictures(db, file.id)
      const size = stored.reduce((sum, { bytes }) => sum + bytes, 0)
      try {
        if (stored.length >= MOST_PICTURES) throw new PictureUnavailableError('An import takes up to 1,000 pictures.')
        if (size >= MOST_BYTES) throw new PictureUnavailableError('An import takes up to 1 GB of pictures.')
        const bytes = await fetchPicture(url, pictureHosts(file.site))
        const { filename, address } = await media.add(
          { accountId: file.confirmedBy ?? file.officerId },
          { ...ARTICLES_FOLDER, filename: fileName(url) },
          { alt: base.alt, caption: '', person: null },
          { ticket: undefined, isPrint: false, save: (path) => writeFile(path, bytes) },
        )
        await saveImportPicture(db, { ...base, filename, address, bytes: bytes.length })
      } catch (error) {
        if (error instanceof Problem && error.code !== 'INVALID_INPUT') throw error
        const isExplained = error instanceof PictureUnavailableError || error instanceof Problem
        if (!isExplained) log.warn({ reason: (error as Error).name }, 'an imported picture failed')
        // One bad picture must not keep the text from being imported.
        await saveImportPicture(db, { ...base, reason: isExplained ? error.message : 'It could not be processed.' })
      }
    },

    /** Deletes the pictures that an import stored, unless something uses them or an officer changed them. */
    async removeUnused(importId: string, actor: string): Promise<void> {
      const own = new Map<string, ContentImportPictureTable>()
      for (const picture of await listImportPictures(db, importId))
        if (picture.filename !== null) own.set(picture.filename, picture)
      const images = (await store.list(bucket, folder)).filter(({ filename }) => own.has(filename))
      for (const found of await media.describeAll(ARTICLES_FOLDER, images)) {
        const picture = own.get(found.filename)
        const ref = { ...ARTICLES_FOLDER, filename: found.filename }
        const isChanged = found.alt !== picture?.alt || Boolean(found.caption) || found.usedIn.length > 0
        if (!picture || isChanged || (await media.isCropped(ref))) continue
        try {
          await media.remove({ accountId: actor }, ref)
        } catch (error) {
          const isGone = error instanceof Problem && ['NOT_FOUND', 'PICTURE_IN_USE'].includes(error.code)
          if (!isGone) throw error
        }
        await saveImportPicture(db, { ...picture, filename: null, address: null })
      }
    },
  }
}

export type ImportPictures = ReturnType<typeof createImportPictures>

/** Different for each URL, since a picture of the same name would be replaced. */
function fileName(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  const hash = createHash('sha256').update(url).digest('hex').slice(0, 8)
  const stem = name.replace(/\.\w+$/, '').replaceAll(/[^a-z0-9]+/gi, '-')
  // Of photographs, the content decides.
  return `${stem.slice(0, NAME_LENGTH) || 'picture'}-${hash}${/\.svg$/i.test(name) ? '.svg' : '.jpg'}`
}
