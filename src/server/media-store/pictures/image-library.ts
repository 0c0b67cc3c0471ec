import { createRequire } from 'node:module'
import type { Sharp } from 'sharp'
import type openImage from 'sharp'

const load = createRequire(import.meta.url)
let loaded: typeof openImage | null = null

/** Larger pictures are refused before they are decoded. */
export const MAX_PIXELS = 60_000_000

/**
 * Loads the image library lazily. Only `picture-worker.ts` uses it, in a separate process: decoding may take hundreds of megabytes, and the site's
 * process never loads it.
 */
export function library(): typeof openImage {
  loaded ??= loadOnce()
  return loaded
}

export function sharp(...args: Parameters<typeof openImage>): Sharp {
  return library()(...args)
}

/** Each thread allocates its own buffers, and the cache would keep images that are not used again. */
function loadOnce(): typeof openImage {
  const library = load('sharp') as typeof openImage
  library.cache(false)
  library.concurrency(1)
  return library
}
