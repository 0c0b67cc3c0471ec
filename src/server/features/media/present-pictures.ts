import { WORDS_FOLDER } from '#contract/media.ts'
import { withVersions } from './picture-uses.rules.ts'
import { addressOf, type PicturesService } from './pictures.service.ts'

/** The same with pictures that officers chose at the addresses of their present versions, for whatever visitors' browsers keep. */
export async function withPresentPictures<T>(pictures: Pick<PicturesService, 'pictures'>, item: T): Promise<T> {
  if (!JSON.stringify(item).includes(`/${WORDS_FOLDER.folder}/`)) return item
  const images = await pictures.pictures(WORDS_FOLDER.bucket, WORDS_FOLDER.folder)
  return withVersions(item, new Map(images.map((image) => [addressOf(image), image.url])))
}
