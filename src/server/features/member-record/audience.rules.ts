import {
  appliesTo,
  RECORD_AUDIENCES,
  type RecordAudience,
  type StoredRecordField,
} from '#contract/member-record/record-fields.ts'

/** Who looks at the record of a member. `member`: another one, with an active membership. */
export type RecordViewer = 'owner' | 'officer' | 'member' | 'stranger'

/** The narrowest audience that includes a viewer. */
const NEEDED: Record<RecordViewer, RecordAudience> = {
  owner: 'owner',
  officer: 'officers',
  member: 'members',
  stranger: 'everyone',
}

/** Who enters a value. */
export type EnteredBy = 'owner' | 'officer' | 'import'

/** The audience of a value that did not exist before (decision record 54). One that exists keeps its audience when the value changes. */
export const FIRST_AUDIENCE: Record<EnteredBy, RecordAudience> = {
  owner: 'officers',
  officer: 'officers',
  import: 'owner',
}

const rank = (audience: RecordAudience) => RECORD_AUDIENCES.indexOf(audience)

/**
 * Whether a viewer sees a value: the only place that decides it, for every page, call, file and search.
 * A field that was retired, or that members of this level are not asked, is for the owner's eyes alone, and no value is shown wider than its field allows now.
 * @param level of the owner; null without a membership
 */
export function visibleTo(
  viewer: RecordViewer,
  {
    field,
    audience,
    level,
  }: {
    field: Pick<StoredRecordField, 'widest' | 'levels' | 'isRetired'>
    audience: RecordAudience
    level: string | null
  },
): boolean {
  if (viewer === 'owner') return true
  if (field.isRetired || !appliesTo(field, level)) return false
  return Math.min(rank(audience), rank(field.widest)) >= rank(NEEDED[viewer])
}
