import type { Role } from '#contract/access.ts'
import type { ContentValue } from '#contract/console/content.ts'
import type { RollOverContentChange, RollOverRoleChange } from '#contract/console/roll-over.ts'

/** What was changed: as text for the summary, and row by row for undoing it. */
export interface RollOverResult {
  content: RollOverContentChange[]
  roles: RollOverRoleChange[]
  records: { kind: string; id: string; title: string; before: ContentValue | null; version: string }[]
  given: { termId: string; name: string; role: Role }[]
  /** `endsOn` and `endedAt` are the new values; `formerly` is the former last day. */
  ended: { termId: string; name: string; role: Role; formerly: string; endsOn: string; endedAt: number | null }[]
}
