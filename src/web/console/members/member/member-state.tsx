import { MEMBER_STATE_NAMES, type MemberState } from '#contract/console/member-list.ts'
import { Badge } from '#web/ui/badge.tsx'

const TONES = {
  ACTIVE: 'ok',
  PAST_DUE: 'bad',
  CANCELED: 'quiet',
  EXPIRED: 'warn',
  INCOMPLETE: 'warn',
  NONE: 'quiet',
  DISABLED: 'bad',
  DECEASED: 'quiet',
  LEFT: 'quiet',
} as const

export function MemberStateBadge({ state }: { state: MemberState }) {
  return <Badge tone={TONES[state]}>{MEMBER_STATE_NAMES[state]}</Badge>
}
