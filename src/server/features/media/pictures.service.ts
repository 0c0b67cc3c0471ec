import { mediaFolders, type Bucket, type Folder, type StoredImage } from '#contract/media.ts'
import type { MediaStore } from '#server/media/media-store.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logger.ts'

/** So long a listing counts as the present one. */
const FRESH_FOR_MS = 15_000
/** So long it still answers while a new one is fetched: a slow bucket slows nobody. */
const USABLE_FOR_MS = 300_000
/** So long nobody asks a bucket again that did not answer. */
const FAILED_FOR_MS = 5_000
/** A page is made without pictures rather than later than this; it is made again when they arrive. */
const PAGE_WAITS_MS = 500

/** Why a list may be empty. */
export type Listing =
  | { kind: 'listed'; images: StoredImage[] }
  /** No folder that pictures lie in (docs/product-rules.md#buckets). */
  | { kind: 'unknown'; images: [] }
  /** The store did not answer, or with nonsense. */
  | { kind: 'failed'; images: [] }

export interface PicturesService {
  /** Never fails, and never takes much longer than the store's time limit. */
  list(bucket: string, folder: string): Promise<Listing>
  /** For pages: the last list that was had, at once where there is one. */
  pictures(bucket: Bucket, folder: Folder): Promise<StoredImage[]>
  /** Changes when `pictures` would answer something new. */
  version(): number
  /** Asks the store anew next time: a picture was added or deleted. */
  forget(bucket: string, folder: string): void
  close(): void
}

interface Remembered {
  listing: Listing
  at: number
}

/** Listings of the media store, remembered for a short while. */
export function createPicturesService({
  store,
  clock,
  log,
}: {
  store: MediaStore
  clock: Pick<Clock, 'now'>
  log: Log
}): PicturesService {
  const remembered = new Map<string, Remembered>()
  const lastListed = new Map<string, StoredImage[]>()
  const underWay = new Map<string, Promise<Listing>>()
  let version = 0

  async function ask(bucket: Bucket, folder: Folder): Promise<Listing> {
    const key = `${bucket}/${folder}`
    let listing: Listing
    try {
      listing = { kind: 'listed', images: await store.list(bucket, folder) }
      if (JSON.stringify(lastListed.get(key) ?? []) !== JSON.stringify(listing.images)) version++
      lastListed.set(key, listing.images)
    } catch (error) {
      log.warn({ bucket, folder, reason: (error as Error).name }, 'pictures could not be listed')
      listing = { kind: 'failed', images: [] }
    }
    remembered.set(key, { listing, at: clock.now() })
    return listing
  }

  /** One question at a time for each folder. */
  function askOnce(bucket: Bucket, folder: Folder): Promise<Listing> {
    const key = `${bucket}/${folder}`
    const known = underWay.get(key)
    if (known) return known
    const asked = ask(bucket, folder).finally(() => underWay.delete(key))
    underWay.set(key, asked)
    return asked
  }

  async function list(bucket: Bucket, folder: Folder): Promise<Listing> {
    const known = remembered.get(`${bucket}/${folder}`)
    if (!known) return askOnce(bucket, folder)
    const age = clock.now() - known.at
    if (known.listing.kind === 'failed') return age < FAILED_FOR_MS ? known.listing : askOnce(bucket, folder)
    if (age >= USABLE_FOR_MS) return askOnce(bucket, folder)
    if (age >= FRESH_FOR_MS) void askOnce(bucket, folder)
    return known.listing
  }

  return {
    async list(bucket, folder) {
      return isKnown(bucket, folder) ? list(bucket as Bucket, folder as Folder) : { kind: 'unknown', images: [] }
    },

    async pictures(bucket, folder) {
      const key = `${bucket}/${folder}`
      const asked = list(bucket, folder)
      if (!lastListed.has(key)) await Promise.race([asked, afterMs(PAGE_WAITS_MS)])
      return lastListed.get(key) ?? []
    },

    version() {
      // A browser asks for a list only now and then, and for some never: without this, another instance would not hear of a crop or a new picture.
      for (const key of lastListed.keys()) {
        const [bucket, folder] = key.split('/')
        void list(bucket as Bucket, folder as Folder)
      }
      return version
    },
    forget(bucket, folder) {
      remembered.delete(`${bucket}/${folder}`)
      if (isKnown(bucket, folder)) void askOnce(bucket as Bucket, folder as Folder)
    },
    close: () => store.close(),
  }
}

/** Without the mark of its version: as words name it, and as a picture that is put in its place keeps it. */
export function addressOf({ url }: Pick<StoredImage, 'url'>): string {
  return url.split('?')[0] ?? url
}

function isKnown(bucket: string, folder: string): boolean {
  return Object.hasOwn(mediaFolders, bucket) && (mediaFolders[bucket as Bucket] as readonly string[]).includes(folder)
}

function afterMs(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
