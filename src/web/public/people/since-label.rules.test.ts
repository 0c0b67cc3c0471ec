import { expect, test } from 'vitest'
import type { BodyKey } from '#contract/public/association.ts'
import { sinceLabel } from './since-label.rules.ts'

test.each<[BodyKey, string | undefined, string]>([
  ['board-trustees', 'Board of Trustees', 'Trustee since'],
  ['board-trustees', undefined, 'Trustee since'],
  ['board-trustees', 'Council of Elders', 'Serving since'],
  ['executive-committee', 'Executive Committee', 'Officer since'],
])('a member of %s, called %s, is "%s"', (body, label, expected) => {
  expect(sinceLabel(body, label)).toBe(expected)
})
