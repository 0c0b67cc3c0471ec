import { localStore } from './browser-storage.ts'

/** Keys of what the check-in page stores on the device; the service worker is `public/console/rsvp/door-worker.js`. */
export const CHECK_IN_SCOPE = '/console/rsvp/'
export const CHECK_IN_LIST_PREFIX = 'door:'
export const CHECK_IN_OFFICER_KEY = 'door-officer'
const CACHE_PREFIX = 'door-shell-'

/**
 * Clears the offline check-in data when the officer logs out: the cached page, the officer, and every list without
 * unsent changes. Unsent changes stay until an officer logs in on this device again and they are sent.
 */
export async function clearCheckInData(): Promise<void> {
  localStore.remove(CHECK_IN_OFFICER_KEY)
  for (const key of localStore.keys().filter((one) => one.startsWith(CHECK_IN_LIST_PREFIX)))
    if (isSynced(localStore.get(key) ?? '')) localStore.remove(key)
  if ('caches' in window) {
    const cacheNames = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX))
    await Promise.all(cacheNames.map((name) => caches.delete(name)))
  }
  if (!('serviceWorker' in navigator)) return
  const registrations = await navigator.serviceWorker.getRegistrations()
  const ours = registrations.filter(({ scope }) => new URL(scope).pathname === CHECK_IN_SCOPE)
  await Promise.all(ours.map((registration) => registration.unregister()))
}

function isSynced(list: string): boolean {
  try {
    const { marks, walkIns } = JSON.parse(list) as { marks?: unknown[]; walkIns?: unknown[] }
    return marks?.length === 0 && walkIns?.length === 0
  } catch {
    return true
  }
}
