import type { ContentState } from '#contract/console-content.ts'
import { Badge } from '#web/ui/badge.tsx'

export const STATE_WORDS: Record<ContentState, string> = {
  published: 'Published',
  changed: 'Changes not public',
  draft: 'Draft',
  scheduled: 'Scheduled',
  deleted: 'Deleted',
}
const TONES = { published: 'ok', changed: 'warn', draft: 'warn', scheduled: 'quiet', deleted: 'bad' } as const

export function ContentStateBadge({ state }: { state: ContentState }) {
  return <Badge tone={TONES[state]}>{STATE_WORDS[state]}</Badge>
}
