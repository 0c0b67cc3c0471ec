/** A page that opens offline on devices where someone asked for it. Its service worker imports `public/offline-page-worker.js`. */
export interface OfflinePage {
  scope: string
  worker: string
  cachePrefix: string
}

export const CHECK_IN_PAGES: OfflinePage = {
  scope: '/console/rsvp/',
  worker: '/console/rsvp/door-worker.js',
  cachePrefix: 'door-shell-',
}

export const CARD_PAGE: OfflinePage = {
  scope: '/auth/account/card',
  worker: '/auth/account/card-worker.js',
  cachePrefix: 'card-shell-',
}

/** Deletes the page's cached files and its service worker from this browser. */
export async function removeOfflinePage({ scope, cachePrefix }: OfflinePage): Promise<void> {
  if ('caches' in window) {
    const cacheNames = (await caches.keys()).filter((name) => name.startsWith(cachePrefix))
    await Promise.all(cacheNames.map((name) => caches.delete(name)))
  }
  if (!('serviceWorker' in navigator)) return
  const registrations = await navigator.serviceWorker.getRegistrations()
  const ours = registrations.filter((registration) => new URL(registration.scope).pathname === scope)
  await Promise.all(ours.map((registration) => registration.unregister()))
}
