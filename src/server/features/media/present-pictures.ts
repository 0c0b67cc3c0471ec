import { mediaFolders, type Bucket, type StoredImage } from '#contract/media.ts'
import { withVersions } from './picture-uses.rules.ts'
import { addressOf, type PicturesService } from './pictures.service.ts'

/** The same with stored pictures at the addresses of their present versions, for whatever visitors' browsers keep. */
export async function withPresentPictures<T>(pictures: Pick<PicturesService, 'pictures'>, item: T): Promise<T> {
  const text = JSON.stringify(item)
  let present = item
  for (const images of await picturesNamed(pictures, text))
    present = withVersions(present, new Map(images.map((image) => [addressOf(image), image.url])))
  return present
}

/** The pictures of every folder that a text may name, folder by folder. */
export function picturesNamed(pictures: Pick<PicturesService, 'pictures'>, text: string): Promise<StoredImage[][]> {
  const named = (Object.keys(mediaFolders) as Bucket[]).flatMap((bucket) =>
    mediaFolders[bucket].filter((folder) => text.includes(`/${folder}/`)).map((folder) => ({ bucket, folder })),
  )
  return Promise.all(named.map(({ bucket, folder }) => pictures.pictures(bucket, folder)))
}
