import { localStore } from './browser-storage.ts'

/** What the door of an event keeps on a device, by name; the worker's own part is `public/console/rsvp/door-worker.js`. */
export const DOOR_SCOPE = '/console/rsvp/'
export const DOOR_LIST = 'door:'
export const DOOR_OFFICER = 'door-officer'
const SHELL = 'door-shell-'

/**
 * Forgets the door when its officer leaves: the page that opens without a network, who opened it, and every list of which all was sent. What was never
 * sent stays until somebody logs in here again and it is.
 */
export async function forgetDoor(): Promise<void> {
  localStore.remove(DOOR_OFFICER)
  for (const key of localStore.keys().filter((one) => one.startsWith(DOOR_LIST)))
    if (hasNothingToSend(localStore.get(key) ?? '')) localStore.remove(key)
  if ('caches' in window) {
    const shells = (await caches.keys()).filter((name) => name.startsWith(SHELL))
    await Promise.all(shells.map((name) => caches.delete(name)))
  }
  if (!('serviceWorker' in navigator)) return
  const registrations = await navigator.serviceWorker.getRegistrations()
  const ours = registrations.filter(({ scope }) => new URL(scope).pathname === DOOR_SCOPE)
  await Promise.all(ours.map((registration) => registration.unregister()))
}

function hasNothingToSend(list: string): boolean {
  try {
    const { marks, walkIns } = JSON.parse(list) as { marks?: unknown[]; walkIns?: unknown[] }
    return marks?.length === 0 && walkIns?.length === 0
  } catch {
    return true
  }
}
