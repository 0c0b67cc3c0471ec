import { readRecordValue } from '#contract/member-record/read-record-value.ts'
import type { RecordField } from '#contract/member-record/record-fields.ts'
import { messages } from '#contract/messages.ts'
import type { FieldErrors } from '#web/forms/validate.rules.ts'
import { nameOf, readControls, type ControlTexts, type RecordPart } from './record-form.rules.ts'

/** The messages of some fields, by control: the server has the same. */
export function checkControls(part: RecordPart, fields: readonly RecordField[], texts: ControlTexts): FieldErrors {
  const problems: FieldErrors = {}
  for (const field of fields) {
    const read = readRecordValue(field, readControls(part, field, texts))
    const name = nameOf(part, field)
    for (const [one, message] of Object.entries(read.problems ?? {})) problems[one ? `${name}.${one}` : name] = message
    if (!read.problems && read.value === null && field.isRequired)
      problems[field.kind === 'address' ? `${name}.lines.0` : name] = messages.record.required
  }
  return problems
}
