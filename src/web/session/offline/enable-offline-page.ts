import type { OfflinePage } from '#web/session/offline/offline-pages.ts'

const FILES = '/assets/'
const MANIFEST = /\/assets\/manifest-[\w-]+\.js/

/**
 * Makes the page that is shown available offline: a service worker limited to such pages caches its document and files.
 * Call it once everything the page needs has loaded. Resolves to false when it is not possible (an old browser, a private window); the page then works until it is closed.
 */
export async function enableOfflinePage({ worker, scope }: OfflinePage): Promise<boolean> {
  if (!('serviceWorker' in navigator)) return false
  try {
    const active = await activeWorker(await navigator.serviceWorker.register(worker, { scope }))
    const files = filesOfThisPage()
    const manifest = files.find((path) => MANIFEST.test(path))
    if (manifest === undefined) return false
    return await sendMessage(active, { document: window.location.pathname, files, manifest })
  } catch {
    return false
  }
}

/**
 * Not `serviceWorker.ready`, which waits for a worker of the address at which the document was loaded: an officer who came from another page of the
 * console would wait forever.
 */
function activeWorker({ active, waiting, installing }: ServiceWorkerRegistration): Promise<ServiceWorker> {
  const worker = active ?? waiting ?? installing
  return new Promise((resolve, reject) => {
    if (!worker) return reject(new Error('The worker was removed.'))
    function check() {
      if (worker?.state === 'activated') resolve(worker)
      if (worker?.state === 'redundant') reject(new Error('The worker could not be installed.'))
    }
    worker.addEventListener('statechange', check)
    check()
  })
}

/** The files fetched so far and those linked in the document. Their names are hashed, so they never change. */
function filesOfThisPage(): string[] {
  const fetched = performance.getEntriesByType('resource').map(({ name }) => name)
  const named = [...document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>('link[href], script[src]')].map(
    (element) => ('href' in element ? element.href : element.src),
  )
  const own = [...fetched, ...named].map((address) => new URL(address, window.location.href))
  return [
    ...new Set(own.filter(({ origin }) => origin === window.location.origin).map(({ pathname }) => pathname)),
  ].filter((path) => path.startsWith(FILES))
}

function sendMessage(worker: ServiceWorker, message: object): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', ({ data }) => resolve(data === 'kept'))
    port1.start()
    worker.postMessage(message, [port2])
  })
}
