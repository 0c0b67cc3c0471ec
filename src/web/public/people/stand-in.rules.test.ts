import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { standInsFor } from './stand-in.rules.ts'

test('within a list a drawing comes back only after all twelve, and all exist', () => {
  const names = Array.from({ length: 24 }, (_, index) => `Dr. Person ${index}`)
  const drawings = standInsFor(names)
  expect(standInsFor(names)).toEqual(drawings)
  expect([new Set(drawings.slice(0, 12)).size, new Set(drawings.slice(12)).size]).toEqual([12, 12])
  expect(drawings.filter((drawing) => !existsSync(`public${drawing}`))).toEqual([])
})
