import { sessionStore } from '#web/session/browser-storage.ts'
import { SCRIPT_MISSING } from './script-missing.ts'

const KEY = 'reopened-page'

/** Scripts that fail this soon after a navigation to another document began were stopped by it. */
const STOPPED_WITHIN_MS = 1_000

/**
 * After a deployment, a page of the previous build can no longer load the scripts of other pages. This opens the
 * requested URL as a new document instead, so it runs the current build. It happens at most once per click.
 */
export function reopenOnMissingScript(open = (url: string) => location.assign(url)): void {
  let leavingSince = -Infinity
  addEventListener('beforeunload', () => (leavingSince = performance.now()))
  addEventListener(SCRIPT_MISSING, (event) => {
    // Firefox and WebKit report a script under way as failed when its page is left: opening that page here would undo the navigation, such as to the payment.
    if (performance.now() - leavingSince < STOPPED_WITHIN_MS) {
      event.preventDefault()
      return
    }
    const { pathname, search } = window.__reactRouterDataRouter?.state.navigation.location ?? location
    const wanted = pathname + search
    if (wanted === location.pathname + location.search) {
      // The current page itself failed: reload it only once. If a script is still missing in the same build, the cause
      // is not an old build.
      const mark = `${window.__reactRouterManifest?.version} ${wanted}`
      if (sessionStore.get(KEY) === mark) return
      sessionStore.set(KEY, mark)
    }
    event.preventDefault()
    open(wanted)
  })
}

declare global {
  interface Window {
    /** Set by the router once the page is hydrated. */
    __reactRouterDataRouter?: { state: { navigation: { location?: Pick<Location, 'pathname' | 'search'> } } }
    /** The build of this page. */
    __reactRouterManifest?: { version: string }
  }
}
