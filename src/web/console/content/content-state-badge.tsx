import type { ContentState } from '#contract/console/content.ts'
import { Badge } from '#web/ui/badge.tsx'

export const CONTENT_STATE_NAMES: Record<ContentState, string> = {
  published: 'Published',
  changed: 'Unpublished changes',
  draft: 'Draft',
  scheduled: 'Scheduled',
  deleted: 'Deleted',
}
const TONES = { published: 'ok', changed: 'warn', draft: 'warn', scheduled: 'quiet', deleted: 'bad' } as const

export function ContentStateBadge({ state }: { state: ContentState }) {
  return <Badge tone={TONES[state]}>{CONTENT_STATE_NAMES[state]}</Badge>
}
