import { mediaFolders, type Bucket, type StoredImage } from '#contract/public/media.ts'
import { withVersionedUrls } from './picture-uses.rules.ts'
import { unversionedUrl, type PicturesService } from './pictures.service.ts'

/** Returns a copy with the current versioned URLs of stored pictures, so that browsers do not show outdated cached images. */
export async function withCurrentPictureUrls<T>(pictures: Pick<PicturesService, 'pictures'>, item: T): Promise<T> {
  const text = JSON.stringify(item)
  let present = item
  for (const images of await listUsedPictures(pictures, text))
    present = withVersionedUrls(present, new Map(images.map((image) => [unversionedUrl(image), image.url])))
  return present
}

/** The pictures of each folder that the text may refer to. */
export function listUsedPictures(pictures: Pick<PicturesService, 'pictures'>, text: string): Promise<StoredImage[][]> {
  const named = (Object.keys(mediaFolders) as Bucket[]).flatMap((bucket) =>
    mediaFolders[bucket].filter((folder) => text.includes(`/${folder}/`)).map((folder) => ({ bucket, folder })),
  )
  return Promise.all(named.map(({ bucket, folder }) => pictures.pictures(bucket, folder)))
}
