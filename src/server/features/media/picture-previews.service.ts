import { writeSource, type PicturePreview, type PictureQueue } from '#server/media-store/pictures/picture-queue.ts'

/** Previews are requested repeatedly while an officer crops a picture; each is about 100 kB. */
const MAX_CACHED_PREVIEWS = 16

/** Creates and caches small copies of pictures for cropping on screen. */
export function createPicturePreviews(workshop: Pick<PictureQueue, 'withSlot'>): {
  /** @param key must change when the picture changes */
  of(key: string, read: () => Promise<Buffer>): Promise<PicturePreview>
} {
  /** Oldest first. */
  const cache = new Map<string, PicturePreview>()
  return {
    async of(key, read) {
      const cached = cache.get(key)
      if (cached) return cached
      const preview = await workshop.withSlot({ small: true }, async (turn) => {
        await writeSource(turn, await read())
        return turn.preview()
      })
      cache.set(key, preview)
      const [oldest = key] = cache.keys()
      if (cache.size > MAX_CACHED_PREVIEWS) cache.delete(oldest)
      return preview
    },
  }
}
