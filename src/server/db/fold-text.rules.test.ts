import { expect, test } from 'vitest'
import { foldText } from './fold-text.rules.ts'

test.each([
  ['Kavítha', 'kavitha'],
  ['ŁUKASZ Sørensen', 'lukasz sorensen'],
  ['O’Neil', "o'neil"],
  ['Strauß', 'strauss'],
  ['Müller', 'muller'],
  ['Sen-Ravi', 'sen-ravi'],
  ['İlkay', 'ilkay'],
  ['कविता', foldText('कविता')],
])('%s is compared as %s', (name, plain) => {
  expect(foldText(name)).toBe(plain)
  expect(foldText(plain)).toBe(plain)
})
