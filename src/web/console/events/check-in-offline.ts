import { DOOR_SCOPE } from '#web/features/auth/door-kept.ts'

const WORKER = `${DOOR_SCOPE}door-worker.js`
const FILES = '/assets/'
const MANIFEST = /\/assets\/manifest-[\w-]+\.js/

/**
 * Lets this door open without a network from now on: its document and the files it was made of are kept by a worker whose scope is the doors alone.
 * Call when everything the door needs was fetched. Where it can not be done (an old browser, a private window) the door works as long as it stays open.
 */
export async function keepDoorShell(): Promise<boolean> {
  if (!('serviceWorker' in navigator)) return false
  try {
    await navigator.serviceWorker.register(WORKER, { scope: DOOR_SCOPE })
    const { active } = await navigator.serviceWorker.ready
    const files = filesOfThisPage()
    const manifest = files.find((path) => MANIFEST.test(path))
    if (!active || manifest === undefined) return false
    return await tell(active, { document: window.location.pathname, files, manifest })
  } catch {
    return false
  }
}

/** What was fetched so far, and what the document names: hashed files, so whichever of them a build has never changes. */
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

function tell(worker: ServiceWorker, message: object): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', ({ data }) => resolve(data === 'kept'))
    port1.start()
    worker.postMessage(message, [port2])
  })
}
