import type { RecordField } from '#contract/member-record/record-fields.ts'
import { isAddress, recordLimits, type RecordValue } from '#contract/member-record/record-values.ts'

/** The controls of a form with fields of the member record. They are named as in the request: `values.phone`, `values.home.city`. */

/** A part of the request that has values by the key of their field. */
export type RecordPart = 'record' | 'values'

export const ADDRESS_PARTS = [
  { part: 'lines.0', label: 'Street', autoComplete: 'address-line1', max: recordLimits.addressLine },
  {
    part: 'lines.1',
    label: 'Apartment or building (optional)',
    autoComplete: 'address-line2',
    max: recordLimits.addressLine,
  },
  { part: 'city', label: 'City', autoComplete: 'address-level2', max: recordLimits.city },
  { part: 'region', label: 'State or region', autoComplete: 'address-level1', max: recordLimits.region },
  { part: 'postalCode', label: 'Postal code', autoComplete: 'postal-code', max: recordLimits.postalCode },
  {
    part: 'country',
    label: 'Country (if abroad)',
    autoComplete: 'country-name',
    max: recordLimits.region,
  },
] as const

export type ControlTexts = Readonly<Record<string, string>>

export const nameOf = (part: RecordPart, { key }: Pick<RecordField, 'key'>) => `${part}.${key}`

/** The names of the controls of a field with their labels; the first one is the field itself. */
export function controlLabels(part: RecordPart, field: RecordField): Record<string, string> {
  const name = nameOf(part, field)
  const label = field.isRequired ? field.label : `${field.label} (optional)`
  if (field.kind === 'address')
    return { [name]: label, ...Object.fromEntries(ADDRESS_PARTS.map((one) => [`${name}.${one.part}`, one.label])) }
  if (field.kind === 'choices')
    return { [name]: label, ...Object.fromEntries(field.choices.map((choice, at) => [`${name}.${at}`, choice])) }
  return { [name]: label }
}

/** What the controls show for a value. */
export function controlTexts(part: RecordPart, field: RecordField, value: RecordValue | null): Record<string, string> {
  const name = nameOf(part, field)
  if (value === null) return {}
  if (Array.isArray(value))
    return Object.fromEntries(field.choices.map((choice, at) => [`${name}.${at}`, value.includes(choice) ? 'on' : '']))
  if (!isAddress(value)) return { [name]: String(value) }
  const { lines, ...rest } = value
  const parts = { 'lines.0': lines[0] ?? '', 'lines.1': lines[1] ?? '', ...rest }
  return Object.fromEntries(Object.entries(parts).map(([one, text]) => [`${name}.${one}`, text]))
}

/** What the controls of a field have, to be sent. */
export function readControls(part: RecordPart, field: RecordField, texts: ControlTexts): unknown {
  const name = nameOf(part, field)
  const text = (one: string) => texts[`${name}.${one}`] ?? ''
  if (field.kind === 'choices') return field.choices.filter((_, at) => text(String(at)) === 'on')
  if (field.kind !== 'address') return texts[name] ?? ''
  return {
    lines: [text('lines.0'), text('lines.1')],
    city: text('city'),
    region: text('region'),
    postalCode: text('postalCode'),
    country: text('country'),
  }
}

/** The fields whose controls differ from what they showed first. */
export function changedFields<Field extends RecordField>(
  part: RecordPart,
  fields: readonly Field[],
  { before, after }: { before: ControlTexts; after: ControlTexts },
): Field[] {
  return fields.filter((field) =>
    Object.keys(controlLabels(part, field)).some((name) => (before[name] ?? '') !== (after[name] ?? '')),
  )
}
