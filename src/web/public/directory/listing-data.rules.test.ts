import { expect, test } from 'vitest'
import { entryAnchor, listingData } from './listing-data.rules.ts'

const people = ['Asha', 'Ravi'].map((firstName) => ({ id: firstName, firstName, lastName: 'Rao', values: [] }))

test('each person has the mark of the day, as the anchor on the page, and nothing that looks like a number of theirs', () => {
  const { itemListElement } = listingData({ people, schemaType: 'Person', mark: '0123456789abcdef01' })
  expect(itemListElement.map(({ item }) => item)).toEqual(
    ['Asha Rao', 'Ravi Rao'].map((name, index) => ({
      '@id': `#${entryAnchor('0123456789abcdef01', index)}`,
      '@type': 'Person',
      name,
    })),
  )
})
