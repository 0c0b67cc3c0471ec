/** What the fields of the member record hold, and how it is written. */

export const recordLimits = {
  line: 200,
  phone: 40,
  addressLines: 2,
  addressLine: 100,
  city: 80,
  region: 60,
  postalCode: 20,
} as const

export interface PostalAddress {
  /** Street, building, apartment: one or two lines. */
  lines: string[]
  city: string
  region: string
  postalCode: string
  country: string
}

/** `choices` is a list, `number` a number, `address` an address; the other kinds are text. */
export type RecordValue = string | number | string[] | PostalAddress

/** A value in one line. */
export function recordText(value: RecordValue): string {
  return Array.isArray(value) || isAddress(value) ? recordLines(value).join(', ') : String(value)
}

/** A value line by line: an address as on an envelope, choices one per line. */
export function recordLines(value: RecordValue): string[] {
  if (Array.isArray(value)) return value
  if (!isAddress(value)) return [String(value)]
  const { lines, city, region, postalCode, country } = value
  const place = [city, [region, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [...lines, place, country].filter(Boolean)
}

export function isAddress(value: RecordValue): value is PostalAddress {
  return typeof value === 'object' && !Array.isArray(value)
}
