/*
 * Lets the door list of an event open without a network, once it was opened with one. Its place makes /console/rsvp/ its scope: no public page is ever
 * its business. What is kept is told by the page (src/web/features/events/door-shell.ts): the console's document and the files of the build it is of,
 * never an answer of the API.
 */
const KEPT = 'door-shell-'
const DOOR = /^\/console\/rsvp\/[^/]+$/
const FILES = '/assets/'
/** A network that is there and does not answer is none. */
const ANSWER_WITHIN_MS = 5_000

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
  if (request.mode === 'navigate' && DOOR.test(pathname)) event.respondWith(openDoor(request))
  else if (pathname.startsWith(FILES)) event.respondWith(findFile(request))
})

/** The network first: what is new there is seen at once. */
async function openDoor(request) {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    if (answer.status < 500) return answer
  } catch {
    // No network, or one that is as good as none.
  }
  const name = (await caches.keys()).find((key) => key.startsWith(KEPT))
  return (name && (await caches.match(shellIn(name)))) || Response.error()
}

/** A file named by its content is the same wherever it comes from. */
async function findFile(request) {
  return (await caches.match(request)) ?? fetch(request)
}

/** Where the document lies in a cache: at an address that nothing asks for. */
function shellIn(name) {
  return `/console/rsvp/${name}`
}

/**
 * Keeps one build whole, or leaves what is kept as it is. `document` is the address of the page that asks, `files` are what it was made of, and
 * `manifest` is the one file that only its own build has: a document of another build is not kept with these files.
 */
async function keep({ document, files, manifest }) {
  const answer = await fetch(document, { cache: 'no-cache', credentials: 'same-origin' })
  const html = await answer.text()
  if (!answer.ok || !html.includes(manifest)) throw new Error('The document is of another build.')
  const named = Array.from(html.matchAll(/"(\/assets\/[\w./-]+)"/g), ([, path]) => path)
  const name = KEPT + manifest.replaceAll(/\W/g, '')
  const cache = await caches.open(name)
  const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  await cache.addAll([...new Set([...files, ...named])].filter((path) => path.startsWith(FILES) && !there.has(path)))
  const { status, headers } = answer
  await cache.put(shellIn(name), new Response(html, { status, headers: shownHeaders(headers) }))
  const older = (await caches.keys()).filter((key) => key.startsWith(KEPT) && key !== name)
  await Promise.all(older.map((key) => caches.delete(key)))
}

/** The text was unpacked when it was read. */
function shownHeaders(headers) {
  const shown = new Headers(headers)
  for (const name of ['content-encoding', 'content-length']) shown.delete(name)
  return shown
}
