import type { StoredImage } from '#contract/media.ts'
import { localStore } from '#web/features/auth/browser-storage.ts'
import { readImages } from './stored-images.rules.ts'

/** Specification 9. */
const LIFETIME_MS = 3_600_000
const MAXIMUM_KEYS = 100
const KEY_PREFIX = 'pictures:'

interface Entry {
  /** Epoch milliseconds. */
  storedAt: number
  images: StoredImage[]
}

/** null when the list was never kept, is over an hour old or cannot be read. */
export function readPictures(listing: string): StoredImage[] | null {
  const kept = readEntry(KEY_PREFIX + listing)
  if (!kept) return null
  const age = Date.now() - kept.storedAt
  // A clock that was set back would otherwise keep a list for ever.
  return age >= 0 && age < LIFETIME_MS ? kept.images : null
}

export function keepPictures(listing: string, images: readonly StoredImage[]): void {
  makeRoomFor(KEY_PREFIX + listing)
  localStore.set(KEY_PREFIX + listing, JSON.stringify({ storedAt: Date.now(), images }))
}

export function forgetPictures(listing: string): void {
  localStore.remove(KEY_PREFIX + listing)
}

function makeRoomFor(key: string): void {
  const others = localStore.keys().filter((other) => other.startsWith(KEY_PREFIX) && other !== key)
  if (others.length < MAXIMUM_KEYS) return
  const byAge = others
    .map((other) => ({ other, storedAt: readEntry(other)?.storedAt ?? 0 }))
    .sort((a, b) => a.storedAt - b.storedAt)
  for (const { other } of byAge.slice(0, others.length - MAXIMUM_KEYS + 1)) localStore.remove(other)
}

function readEntry(key: string): Entry | null {
  try {
    const { storedAt, images: kept } = JSON.parse(localStore.get(key) ?? '') as Record<string, unknown>
    const images = readImages(kept)
    return images && typeof storedAt === 'number' ? { storedAt, images } : null
  } catch {
    return null
  }
}
