import { audiencesOf, type RecordField } from '#contract/member-record/record-fields.ts'
import type { AccountField } from '#contract/public/my-account/member-record.ts'

/** A field of the member record: a line for members at most. */
export function recordFieldSample(key: string, given: Partial<RecordField> = {}): RecordField {
  const label = key.charAt(0).toUpperCase() + key.slice(1)
  const rules = { kind: 'line', asked: 'account', widest: 'members' } as const
  return { ...rules, key, label, hint: null, choices: [], levels: [], isRequired: false, ...given }
}

/** The same in the account, without a value. */
export function accountFieldSample(key: string, given: Partial<AccountField> = {}): AccountField {
  const field = recordFieldSample(key, given)
  const nothing = { value: null, audience: 'officers', confirmedOn: null, enteredBy: null } as const
  return { ...field, ...nothing, audiences: audiencesOf(field), mayEdit: field.asked !== 'officers', ...given }
}
