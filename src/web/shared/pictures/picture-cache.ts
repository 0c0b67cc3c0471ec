import type { StoredImage } from '#contract/public/media.ts'
import { localStore } from '#web/session/browser-storage.ts'
import { parseImages } from './stored-images.rules.ts'

const LIFETIME_MS = 3_600_000
const MAXIMUM_KEYS = 100
const KEY_PREFIX = 'pictures:'

interface Entry {
  /** Epoch milliseconds. */
  storedAt: number
  images: StoredImage[]
}

/** Returns null when the list is not cached, is over an hour old or cannot be parsed. */
export function readCachedPictures(listing: string): StoredImage[] | null {
  const kept = readEntry(KEY_PREFIX + listing)
  if (!kept) return null
  const age = Date.now() - kept.storedAt
  // A clock that was set back must not keep a list forever.
  return age >= 0 && age < LIFETIME_MS ? kept.images : null
}

export function cachePictures(listing: string, images: readonly StoredImage[]): void {
  makeRoomFor(KEY_PREFIX + listing)
  localStore.set(KEY_PREFIX + listing, JSON.stringify({ storedAt: Date.now(), images }))
}

export function clearCachedPictures(listing: string): void {
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
    const images = parseImages(kept)
    return images && typeof storedAt === 'number' ? { storedAt, images } : null
  } catch {
    return null
  }
}
