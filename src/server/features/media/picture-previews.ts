import { writeSource, type PicturePreview, type PictureWorkshop } from '#server/media/picture-workshop.ts'

/** Previews are asked for again and again while a picture is cropped; each has about 100 kB. */
const PREVIEWS_KEPT = 16

/** Small copies of pictures, to be cropped on the screen. */
export function createPicturePreviews(workshop: Pick<PictureWorkshop, 'withTurn'>): {
  /** @param key another one for a picture that changed */
  of(key: string, read: () => Promise<Buffer>): Promise<PicturePreview>
} {
  /** The oldest first. */
  const kept = new Map<string, PicturePreview>()
  return {
    async of(key, read) {
      const known = kept.get(key)
      if (known) return known
      const made = await workshop.withTurn({ small: true }, async (turn) => {
        await writeSource(turn, await read())
        return turn.preview()
      })
      kept.set(key, made)
      const [oldest = key] = kept.keys()
      if (kept.size > PREVIEWS_KEPT) kept.delete(oldest)
      return made
    },
  }
}
