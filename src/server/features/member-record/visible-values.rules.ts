import type { RecordField } from '#contract/member-record/record-fields.ts'
import type { VisibleValue } from '#contract/public/my-account/member-record.ts'
import { visibleTo, type RecordViewer } from './audience.rules.ts'
import type { StoredRecord } from './record-change.rules.ts'
import type { RecordEntry } from './record-value.queries.ts'

/** The values that a viewer sees, in the order of the fields: the same in the account, the directory and the public listing. */
export function visibleValues({ fields, entries, level }: StoredRecord, viewer: RecordViewer): VisibleValue[] {
  return fields.flatMap((field) => {
    const entry = entryOf(entries, field)
    if (!entry || !visibleTo(viewer, { field, audience: entry.audience, level })) return []
    const { key, label, kind } = field
    return [{ key, label, kind, value: entry.value }]
  })
}

export function entryOf(entries: readonly RecordEntry[], { key }: Pick<RecordField, 'key'>): RecordEntry | undefined {
  return entries.find(({ fieldKey }) => fieldKey === key)
}
