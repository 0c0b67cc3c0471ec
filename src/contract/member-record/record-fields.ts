/** The fields of the member record: what the association asks its members besides name and address, defined by its officers. */

export const RECORD_KINDS = ['line', 'choice', 'choices', 'phone', 'address', 'day', 'number'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Who sees a value besides its owner, from the fewest to the most. Each includes the ones before it. */
export const RECORD_AUDIENCES = ['owner', 'officers', 'members', 'everyone'] as const
export type RecordAudience = (typeof RECORD_AUDIENCES)[number]

export const AUDIENCE_NAMES: Record<RecordAudience, string> = {
  owner: 'Only me',
  officers: 'Officers',
  members: 'Members',
  everyone: 'Everyone',
}

/** The widest audience a field may allow. */
export const WIDEST_AUDIENCES = ['officers', 'members', 'everyone'] as const

/** Who enters a field, and when: the applicant while joining and later in the account, the member in the account, or the officers alone. */
export const RECORD_ASKED = ['joining', 'account', 'officers'] as const

export interface RecordField {
  /** Never changes: values refer to it. */
  key: string
  label: string
  hint: string | null
  kind: RecordKind
  /** For `choice` and `choices`. */
  choices: string[]
  /** Keys of the levels whose members are asked; empty for all. */
  levels: string[]
  asked: (typeof RECORD_ASKED)[number]
  widest: (typeof WIDEST_AUDIENCES)[number]
  isRequired: boolean
}

/** A field as stored: officers retire fields, and keep the values. */
export type StoredRecordField = RecordField & { isRetired: boolean }

/** The fields that are asked and shown. */
export function fieldsInUse(fields: readonly StoredRecordField[]): RecordField[] {
  return fields.flatMap(({ isRetired, ...field }) => (isRetired ? [] : [field]))
}

/** Whether members of a level are asked. @param level null without a membership */
export function appliesTo({ levels }: Pick<RecordField, 'levels'>, level: string | null): boolean {
  return levels.length === 0 || (level !== null && levels.includes(level))
}

/** The fields of a registration form. */
export function fieldsAtJoining(fields: readonly RecordField[], level: string): RecordField[] {
  return fields.filter((field) => field.asked === 'joining' && appliesTo(field, level))
}

/** The audiences that the owner of a value may choose. What officers enter is never hidden from them. */
export function audiencesOf({ asked, widest }: Pick<RecordField, 'asked' | 'widest'>): RecordAudience[] {
  const first = asked === 'officers' ? 1 : 0
  return RECORD_AUDIENCES.slice(first, RECORD_AUDIENCES.indexOf(widest) + 1)
}
