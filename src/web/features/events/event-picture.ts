import type { AssociationEvent } from '#contract/events.ts'
import type { StoredImage } from '#contract/media.ts'
import { pictureAddress } from '#web/ui/picture-address.ts'

/** The picture of an event in the hero: the stored one that carries its key, else the print of that name. */
export function heroPicture(
  { imageKey }: Pick<AssociationEvent, 'imageKey'>,
  images: readonly StoredImage[],
): { src: string; image: StoredImage | undefined } {
  const [key = ''] = [imageKey].flat()
  const image = images.find(({ filename }) => filename === key || filename.replace(/\.\w+$/, '') === key)
  return { src: image?.url ?? pictureAddress(imageKey), image }
}
