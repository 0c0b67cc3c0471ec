import type { ComponentType } from 'react'
import type { Permission } from '#contract/access.ts'

/** A console page. It appears in the navigation when it has a label and the officer has the permission. */
export interface ConsoleRoute {
  /** Relative to `/console`; a segment that starts with a colon is an id. '' is the home page. */
  path: string
  label?: string
  /** The path of the navigation entry it belongs to, when its own path does not start with it. */
  parent?: string
  permission: Permission
  load(): Promise<{ default: ComponentType<{ id: string }> }>
}

/** Returns the matching route and its id ('' without one, several joined by slashes), or null. */
export function matchRoute(
  routes: readonly ConsoleRoute[],
  pathname: string,
): { route: ConsoleRoute; id: string } | null {
  const requested = segmentsOf(pathname.replace(/^\/console/, ''))
  for (const route of routes) {
    const expected = segmentsOf(route.path)
    if (expected.length !== requested.length) continue
    const ids: string[] = []
    const matches = expected.every((segment, index) => {
      const given = requested[index] ?? ''
      if (segment.startsWith(':')) ids.push(decodeURIComponent(given))
      return segment.startsWith(':') || segment === given
    })
    if (matches) return { route, id: ids.join('/') }
  }
  return null
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}

/** The path of the navigation entry to highlight for a route. */
export function navigationPath({ path, parent: within }: ConsoleRoute): string {
  return within ?? segmentsOf(path)[0] ?? ''
}

export function routeUrl({ path }: ConsoleRoute): string {
  return `/console${path && `/${path}`}`
}
