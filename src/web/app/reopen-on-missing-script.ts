import { sessionStore } from '#web/features/auth/browser-storage.ts'
import { PIECE_MISSING } from './piece-missing.ts'

const KEY = 'opened-anew'

/**
 * A page of an older build, whose other pages are no longer on the server, goes on as a page of the present one: the address its reader wants is opened
 * as a document. One press opens one document; nothing here happens by itself.
 */
export function openAnewWhenPiecesAreMissing(): void {
  addEventListener(PIECE_MISSING, (event) => {
    const { pathname, search } = window.__reactRouterDataRouter?.state.navigation.location ?? location
    const wanted = pathname + search
    if (wanted === location.pathname + location.search) {
      // The page itself: once, since what is still missing in the same build is no matter of age.
      const mark = `${window.__reactRouterManifest?.version} ${wanted}`
      if (sessionStore.get(KEY) === mark) return
      sessionStore.set(KEY, mark)
    }
    event.preventDefault()
    location.assign(wanted)
  })
}

declare global {
  interface Window {
    /** The router's own, once the page has come alive. */
    __reactRouterDataRouter?: { state: { navigation: { location?: Pick<Location, 'pathname' | 'search'> } } }
    /** The build this page is of. */
    __reactRouterManifest?: { version: string }
  }
}
