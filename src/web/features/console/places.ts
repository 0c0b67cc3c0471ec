import type { ComponentType } from 'react'
import type { Permission } from '#contract/access.ts'

/** A page of the console: in the navigation when it has a label, for whoever has the permission. */
export interface ConsolePlace {
  /** Below `/console`; a segment that begins with a colon stands for an id. '' is the first page. */
  path: string
  label?: string
  /** The path of the labelled place it belongs to, where its own path does not begin with that. */
  within?: string
  permission: Permission
  load(): Promise<{ default: ComponentType<{ id: string }> }>
}

/** The place an address means, with what stands for its id ('' where it has none, several joined by slashes); null when there is none. */
export function findPlace(
  places: readonly ConsolePlace[],
  pathname: string,
): { place: ConsolePlace; id: string } | null {
  const asked = segmentsOf(pathname.replace(/^\/console/, ''))
  for (const place of places) {
    const wanted = segmentsOf(place.path)
    if (wanted.length !== asked.length) continue
    const ids: string[] = []
    const fits = wanted.every((segment, index) => {
      const given = asked[index] ?? ''
      if (segment.startsWith(':')) ids.push(decodeURIComponent(given))
      return segment.startsWith(':') || segment === given
    })
    if (fits) return { place, id: ids.join('/') }
  }
  return null
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}

/** The path of the labelled place that a place belongs to: what the navigation shows as open. */
export function sectionOf({ path, within }: ConsolePlace): string {
  return within ?? segmentsOf(path)[0] ?? ''
}

export function addressOf({ path }: ConsolePlace): string {
  return `/console${path && `/${path}`}`
}
