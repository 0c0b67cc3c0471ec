import type { ContentValue } from '#contract/console-content.ts'

/** What was typed and not saved, kept in this browser by the record it belongs to: a closed tab or a lost network loses nothing. */
export function keepUnsaved(place: string, value: ContentValue): void {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(value))
  } catch {
    // A browser that keeps nothing still edits.
  }
}

export function findUnsaved(place: string): ContentValue | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(place)) ?? 'null') as unknown
    return typeof kept === 'object' && kept !== null ? (kept as ContentValue) : null
  } catch {
    return null
  }
}

export function forgetUnsaved(place: string): void {
  try {
    localStorage.removeItem(keyOf(place))
  } catch {
    // There was nothing to forget.
  }
}

function keyOf(place: string): string {
  return `console-unsaved:${place}`
}
