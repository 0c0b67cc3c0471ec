/*
 * What the service workers of pages that open offline have in common; each imports this and calls `openOffline`. Their own locations limit their scopes.
 * A page (src/web/session/enable-offline-page.ts) names what to cache: its document, which is the same for everyone, and the files of its build, never API
 * responses.
 */
const FILES = '/assets/'
/** After this time the network counts as offline. */
const TIMEOUT_MS = 5_000

/** `kept` is the beginning of the names of the caches, `folder` the location of the worker, `pages` matches the paths of the pages. */
self.openOffline = function openOffline({ kept, folder, pages }) {
  self.addEventListener('install', () => self.skipWaiting())
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

  self.addEventListener('message', (event) => {
    const [port] = event.ports
    const done = keep(event.data).then(
      () => port?.postMessage('kept'),
      () => port?.postMessage('not kept'),
    )
    event.waitUntil(done)
  })

  self.addEventListener('fetch', (event) => {
    const { request } = event
    const { origin, pathname } = new URL(request.url)
    if (request.method !== 'GET' || origin !== self.location.origin) return
    if (request.mode === 'navigate' && pages.test(pathname)) event.respondWith(serveDocument(request))
    else if (pathname.startsWith(FILES)) event.respondWith(serveFile(request))
  })

  /** Network first, so that updates show immediately. */
  async function serveDocument(request) {
    try {
      const response = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (response.status < 500) return response
    } catch {
      // Offline or timed out.
    }
    const name = (await caches.keys()).find((key) => key.startsWith(kept))
    return (name && (await caches.match(documentKey(name)))) || Response.error()
  }

  /** Cache first: file names are content hashes. */
  async function serveFile(request) {
    return (await caches.match(request)) ?? fetch(request)
  }

  /** The cache key of the document: a URL that is never requested. */
  function documentKey(name) {
    return folder + name
  }

  /**
   * Caches one complete build, or leaves the cache unchanged. `document` is the page's URL, `files` are its files, and `manifest` is the file unique to its
   * build: a document of another build is not cached with these files.
   */
  async function keep({ document, files, manifest }) {
    const response = await fetch(document, { cache: 'no-cache', credentials: 'same-origin' })
    const html = await response.text()
    if (!response.ok || !html.includes(manifest)) throw new Error('The document is of another build.')
    const named = Array.from(html.matchAll(/"(\/assets\/[\w./-]+)"/g), ([, path]) => path)
    const name = kept + manifest.replaceAll(/\W/g, '')
    const cache = await caches.open(name)
    const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
    await cache.addAll([...new Set([...files, ...named])].filter((path) => path.startsWith(FILES) && !there.has(path)))
    const { status, headers } = response
    await cache.put(documentKey(name), new Response(html, { status, headers: decodedHeaders(headers) }))
    const older = (await caches.keys()).filter((key) => key.startsWith(kept) && key !== name)
    await Promise.all(older.map((key) => caches.delete(key)))
  }

  /** Drops encoding headers: the body was already decompressed. */
  function decodedHeaders(headers) {
    const shown = new Headers(headers)
    for (const name of ['content-encoding', 'content-length']) shown.delete(name)
    return shown
  }
}
