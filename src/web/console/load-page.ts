import { useEffect, type ComponentType } from 'react'
import { matchConsoleRoute, type ConsoleRoute } from './console-routes.ts'

type Page = ComponentType<Record<string, string>>

const loaded = new Map<ConsoleRoute, Page>()

/** A page whose script is here, or null. */
export function loadedPage(route: ConsoleRoute): Page | null {
  return loaded.get(route) ?? null
}

/** Loads a page's script, once. Rejects when it can't be reached; a further call tries again. */
export async function loadPage(route: ConsoleRoute): Promise<Page> {
  const page = (await route.load()).default
  loaded.set(route, page)
  return page
}

/** Loads the script of a page that will probably be shown. If that fails, the page says so when it is opened. */
export function loadAhead(route: ConsoleRoute): void {
  loadPage(route).catch(() => {})
}

/** While a pointer or the focus is on a link, the script of its page is loaded: it is usually here when the link is pressed. */
export function useLoadingAhead(): void {
  useEffect(() => {
    const look = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      const route = link && matchConsoleRoute(link.pathname)?.route
      if (route && !loaded.has(route)) loadAhead(route)
    }
    const hints = ['pointerover', 'focusin']
    for (const hint of hints) document.addEventListener(hint, look)
    return () => {
      for (const hint of hints) document.removeEventListener(hint, look)
    }
  }, [])
}
