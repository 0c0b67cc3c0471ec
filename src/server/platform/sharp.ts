import { createRequire } from 'node:module'
import type Sharp from 'sharp'

const load = createRequire(import.meta.url)
let loaded: typeof Sharp | null = null

/**
 * The picture library. Only `media/picture-worker.ts` uses it, in a process of its own: what it decodes may take hundreds of megabytes, and the site's
 * process never loads it.
 */
export function sharp(...words: Parameters<typeof Sharp>): ReturnType<typeof Sharp> {
  loaded ??= loadOnce()
  return loaded(...words)
}

/** Each thread has buffers of its own, and the cache keeps pictures that nobody asks for a second time. */
function loadOnce(): typeof Sharp {
  const library = load('sharp') as typeof Sharp
  library.cache(false)
  library.concurrency(1)
  return library
}
