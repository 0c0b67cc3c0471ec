import type { ContentState, ContentValue } from '#contract/console/content.ts'
import type { Revision } from './content-revision.queries.ts'

/** A record: its published value and its newest revision. */
export interface RecordState {
  /** The published value; null: not on the site. */
  published: ContentValue | null
  /** The revision that published it; null if none has this value, such as after an import. */
  revision: number | null
  newest: Revision | null
}

/** Whether the revision is saved but not published yet. */
export function isUnpublished(newest: Revision): newest is Revision & { action: 'draft' | 'scheduled' } {
  return newest.action === 'draft' || newest.action === 'scheduled'
}

export function contentStateOf({ published: shown, newest }: RecordState): ContentState {
  if (newest?.action === 'scheduled') return 'scheduled'
  if (newest?.action === 'draft') return shown ? 'changed' : 'draft'
  return shown ? 'published' : 'deleted'
}

/** The value to edit: the unpublished revision if there is one, else the published value, else the last one that was published. */
export function editableValue({ published: shown, newest }: RecordState): ContentValue {
  return (newest && isUnpublished(newest) ? newest.value : (shown ?? newest?.value)) ?? {}
}

export const NO_RECORD: RecordState = { published: null, revision: null, newest: null }
