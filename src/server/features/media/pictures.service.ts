import type { AppContext } from '#server/app-context.ts'
import { mediaFolders, type Bucket, type Folder, type StoredImage } from '#contract/public/media.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
/** A listing of this age is still fresh. */
const FRESH_MS = 15_000
/** A stale listing is served up to this age while it is revalidated, so a slow bucket does not slow down pages. */
const STALE_MS = 300_000
/** A failed bucket is not retried for this long. */
const RETRY_AFTER_MS = 5_000
/** A page is rendered without pictures after waiting this long, and again once they arrive. */
const PAGE_TIMEOUT_MS = 500

export type FolderListing =
  | { kind: 'listed'; images: StoredImage[] }
  /** Not a folder of the media library (docs/product-rules.md#buckets). */
  | { kind: 'unknown'; images: [] }
  /** The store did not respond, or its response was invalid. */
  | { kind: 'failed'; images: [] }

interface CachedListing {
  listing: FolderListing
  at: number
}

/** Caches the listings of the media store. */
export function createPicturesService({
  store,
  clock,
  log,
}: Pick<AppContext, 'clock' | 'log'> & { store: MediaStore }) {
  const cache = new Map<string, CachedListing>()
  const lastListed = new Map<string, StoredImage[]>()
  const inFlight = new Map<string, Promise<FolderListing>>()
  let version = 0

  async function fetchListing(bucket: Bucket, folder: Folder): Promise<FolderListing> {
    const key = `${bucket}/${folder}`
    let listing: FolderListing
    try {
      listing = { kind: 'listed', images: await store.list(bucket, folder) }
      if (JSON.stringify(lastListed.get(key) ?? []) !== JSON.stringify(listing.images)) version++
      lastListed.set(key, listing.images)
    } catch (error) {
      log.warn({ bucket, folder, reason: (error as Error).name }, 'listing pictures failed')
      listing = { kind: 'failed', images: [] }
    }
    cache.set(key, { listing, at: clock.now() })
    return listing
  }

  /** Shares one request per folder among concurrent callers. */
  function fetchOnce(bucket: Bucket, folder: Folder): Promise<FolderListing> {
    const key = `${bucket}/${folder}`
    const pending = inFlight.get(key)
    if (pending) return pending
    const request = fetchListing(bucket, folder).finally(() => inFlight.delete(key))
    inFlight.set(key, request)
    return request
  }

  async function list(bucket: Bucket, folder: Folder): Promise<FolderListing> {
    const cached = cache.get(`${bucket}/${folder}`)
    if (!cached) return fetchOnce(bucket, folder)
    const age = clock.now() - cached.at
    if (cached.listing.kind === 'failed') return age < RETRY_AFTER_MS ? cached.listing : fetchOnce(bucket, folder)
    if (age >= STALE_MS) return fetchOnce(bucket, folder)
    if (age >= FRESH_MS) void fetchOnce(bucket, folder)
    return cached.listing
  }

  return {
    /** Never rejects, and never takes much longer than the store's timeout. */
    async list(bucket: string, folder: string): Promise<FolderListing> {
      return isKnown(bucket, folder) ? list(bucket as Bucket, folder as Folder) : { kind: 'unknown', images: [] }
    },

    /** For pages: returns the last known list immediately if there is one. */
    async pictures(bucket: Bucket, folder: Folder): Promise<StoredImage[]> {
      const key = `${bucket}/${folder}`
      const request = list(bucket, folder)
      if (!lastListed.has(key)) await Promise.race([request, afterMs(PAGE_TIMEOUT_MS)])
      return lastListed.get(key) ?? []
    },

    /** Changes when the result of `pictures` changes. */
    version(): number {
      // Browsers rarely request a list, so revalidate here: otherwise this instance would not notice changes made on another one.
      for (const key of lastListed.keys()) {
        const [bucket, folder] = key.split('/')
        void list(bucket as Bucket, folder as Folder)
      }
      return version
    },
    /** Invalidates a folder after a picture was added, changed or deleted. */
    invalidate(bucket: string, folder: string): void {
      cache.delete(`${bucket}/${folder}`)
      if (isKnown(bucket, folder)) void fetchOnce(bucket as Bucket, folder as Folder)
    },
    close: (): void => store.close(),
  }
}

export type PicturesService = ReturnType<typeof createPicturesService>

/** The URL without its version, as content refers to the picture. */
export function unversionedUrl({ url }: Pick<StoredImage, 'url'>): string {
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
