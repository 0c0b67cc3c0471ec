import { isAddress, recordText } from '#contract/member-record/record-values.ts'
import type { DirectoryEntry, PublicDirectory } from '#contract/public/my-account/directory.ts'

/** The people of the page for search engines (schema.org): what the page shows, and nothing else. */
export function listingData({ people, schemaType, mark }: Pick<PublicDirectory, 'people' | 'schemaType' | 'mark'>) {
  return {
    '@type': 'ItemList',
    itemListElement: people.map((person, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: {
        '@id': `#${entryAnchor(mark, index)}`,
        '@type': schemaType,
        name: `${person.firstName} ${person.lastName}`,
        ...propertiesOf(person, schemaType),
      },
    })),
  }
}

/** The anchor of an entry on the page of a day. */
export function entryAnchor(mark: string, index: number): string {
  return `entry-${mark}-${index + 1}`
}

/** Fields are the association's own, so only these keys have a meaning for search engines. */
function propertiesOf({ values }: DirectoryEntry, schemaType: string): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  for (const { key, kind, value } of values) {
    if (kind === 'phone') properties['telephone'] ??= recordText(value)
    else if (isAddress(value))
      properties['address'] = {
        '@type': 'PostalAddress',
        streetAddress: value.lines.join(', '),
        addressLocality: value.city,
        addressRegion: value.region,
        postalCode: value.postalCode,
      }
    else if (key === 'city') properties['address'] ??= { '@type': 'PostalAddress', addressLocality: recordText(value) }
    else if (key === 'languages' && Array.isArray(value)) properties['knowsLanguage'] = value
    else if (key === 'specialty')
      properties[MEDICAL.has(schemaType) ? 'medicalSpecialty' : 'knowsAbout'] = recordText(value)
  }
  return properties
}

/** Types that have `medicalSpecialty`. */
const MEDICAL = new Set(['Physician', 'IndividualPhysician', 'MedicalClinic', 'MedicalBusiness', 'Hospital'])
