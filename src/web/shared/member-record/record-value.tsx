import type { RecordField } from '#contract/member-record/record-fields.ts'
import { recordLines, recordText, type RecordValue } from '#contract/member-record/record-values.ts'
import { formatDay } from '#contract/dates/days.ts'

/** A value of the member record: an address line by line, a phone number to call. */
export function RecordValueText({ kind, value }: Pick<RecordField, 'kind'> & { value: RecordValue }) {
  if (kind === 'phone') return <a href={`tel:${recordText(value).replaceAll(/[^\d+]/g, '')}`}>{recordText(value)}</a>
  if (kind === 'day' && typeof value === 'string') return formatDay(value)
  if (kind !== 'address') return recordText(value)
  return (
    <>
      {recordLines(value).map((line) => (
        <span className="record-line" key={line}>
          {line}
        </span>
      ))}
    </>
  )
}
