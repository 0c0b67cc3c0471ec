import type { ContentState, ContentValue } from '#contract/console-content.ts'
import type { Revision } from './content-revision.repository.ts'

/** A record as it stands: what visitors see, and what was saved last. */
export interface Standing {
  /** null: not on the site. */
  shown: ContentValue | null
  newest: Revision | null
}

/** Saved, and not public yet. */
export function isWaiting(newest: Revision): newest is Revision & { action: 'draft' | 'scheduled' } {
  return newest.action === 'draft' || newest.action === 'scheduled'
}

export function stateOf({ shown, newest }: Standing): ContentState {
  if (newest?.action === 'scheduled') return 'scheduled'
  if (newest?.action === 'draft') return shown ? 'changed' : 'draft'
  return shown ? 'published' : 'deleted'
}

/** What the form begins with: what was saved last, if it waits; else what visitors see; else what they saw. */
export function valueOf({ shown, newest }: Standing): ContentValue {
  return (newest && isWaiting(newest) ? newest.value : (shown ?? newest?.value)) ?? {}
}
