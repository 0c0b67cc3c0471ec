import * as z from 'zod/mini'
import { recordLines, isAddress, type RecordValue } from '#contract/member-record/record-values.ts'
import type { RecordField } from '#contract/member-record/record-fields.ts'

/** The columns of files for the fields of the member record: one for each field, and one for each part of an address. */

/** A field by its key, or a part of an address: `field:home.city`. */
export type RecordColumnId = `field:${string}`

export const recordColumnId = z.templateLiteral(['field:', z.string().check(z.regex(/^[a-z0-9.-]{1,120}$/))])

const ADDRESS_PARTS = {
  street: 'street',
  street2: 'second line',
  city: 'city',
  region: 'state or region',
  postalCode: 'postal code',
  country: 'country',
} as const
type AddressPart = keyof typeof ADDRESS_PARTS

export interface RecordColumn {
  id: RecordColumnId
  /** The heading: the label of the field, and the part of an address. */
  name: string
  field: RecordField
  part: AddressPart | null
}

export function recordColumns(fields: readonly RecordField[]): RecordColumn[] {
  return fields.flatMap((field): RecordColumn[] => {
    const { key, label: name } = field
    if (field.kind !== 'address') return [{ id: `field:${key}`, name, field, part: null }]
    return (Object.keys(ADDRESS_PARTS) as AddressPart[]).map((part) => ({
      id: `field:${key}.${part.toLowerCase()}`,
      name: `${name}: ${ADDRESS_PARTS[part]}`,
      field,
      part,
    }))
  })
}

/** The cell of a column for a value. */
export function recordCell({ part }: RecordColumn, value: RecordValue | null): string {
  if (value === null) return ''
  if (!isAddress(value) || part === null) return recordLines(value).join('; ')
  if (part === 'street') return value.lines[0] ?? ''
  return part === 'street2' ? (value.lines[1] ?? '') : value[part]
}

/** What the cells of a field say, unchecked. @param cell the text of each of its columns */
export function readRecordCells(columns: readonly RecordColumn[], cell: (id: RecordColumnId) => string): unknown {
  const [first] = columns
  if (!first) return null
  const text = (part: AddressPart) => {
    const column = columns.find((one) => one.part === part)
    return column ? cell(column.id) : ''
  }
  if (first.part !== null)
    return {
      lines: [text('street'), text('street2')],
      city: text('city'),
      region: text('region'),
      postalCode: text('postalCode'),
      country: text('country'),
    }
  const { kind, choices } = first.field
  const known = (name: string) => choices.find((choice) => choice.toLowerCase() === name.trim().toLowerCase()) ?? name
  const content = cell(first.id).trim()
  if (content === '') return null
  if (kind === 'choice') return known(content)
  return kind === 'choices'
    ? content
        .split(/[;\n]/)
        .filter((one) => one.trim() !== '')
        .map(known)
    : content
}
