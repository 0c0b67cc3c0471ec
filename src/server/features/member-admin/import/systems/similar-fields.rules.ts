import type { RecordColumn, RecordColumnId } from '#contract/console/people/record-columns.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'

/** Headings of parts of an address, by `headingKey` without the words of `PLACES`. */
const PARTS: Record<string, RecordColumn['part']> = {
  address: 'street',
  address1: 'street',
  addressline1: 'street',
  street: 'street',
  streetaddress: 'street',
  address2: 'street2',
  addressline2: 'street2',
  supplementaladdress1: 'street2',
  city: 'city',
  town: 'city',
  state: 'region',
  province: 'region',
  stateprovince: 'region',
  provincestate: 'region',
  zip: 'postalCode',
  zipcode: 'postalCode',
  postcode: 'postalCode',
  postalcode: 'postalCode',
  country: 'country',
}
const PLACES = /^(?:home|work|mailing|primary|preferred|billing|business)|(?:primary|home|work)$/g
const PHONES = /phone|mobile|cell/
const NOT_PHONES = /fax|phonetype|extension/

/** Whether a heading is the street of an address. Without one, its other parts are not read: an address needs its street. */
export function isStreet(heading: string): boolean {
  return partOf(heading) === 'street'
}

function partOf(heading: string): RecordColumn['part'] {
  const key = headingKey(heading)
  return PARTS[key.replaceAll(PLACES, '')] ?? PARTS[key] ?? null
}

/** The field of the member record whose name is similar to a heading, such as Phone for "Cell Phone"; null for none, or for several. */
export function similarField(heading: string, fields: readonly RecordColumn[]): RecordColumnId | null {
  const key = headingKey(heading)
  const plain = key.replaceAll(PLACES, '')
  const part = partOf(heading)
  if (part) return fields.find((one) => one.part === part)?.id ?? null
  const isPhone = PHONES.test(key) && !NOT_PHONES.test(key)
  const phones = fields.filter(({ field }) => field.kind === 'phone')
  if (isPhone) return phones.length === 1 ? (phones[0]?.id ?? null) : null
  const similar = fields.filter((one) => one.part === null && one.field.kind !== 'phone' && isSimilar(plain, one.name))
  return similar.length === 1 ? (similar[0]?.id ?? null) : null
}

/** One name ends with the other one, also in the plural: "Membership interests" and "Interest". */
function isSimilar(key: string, name: string): boolean {
  const [one, other] = [stem(key), stem(headingKey(name))]
  return one.length >= 4 && other.length >= 4 && (one.endsWith(other) || other.endsWith(one))
}

function stem(key: string): string {
  return key.replace(/ies$/, 'y').replace(/s$/, '')
}
