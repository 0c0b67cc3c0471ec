import { expect, test } from 'vitest'
import { labelWithTerm } from './menu.ts'

test.each([
  ['2024-25', 'Committees 2024-2025'],
  ['2026-27', 'Committees 2026-2027'],
  ['1999-00', 'Committees 1999-2000'],
  ['2026', 'Committees 2026'],
  ['2026-28', 'Committees 2026-28'],
  [null, 'Committees'],
])('the menu shows the committees’ term: %s', (term, label) => expect(labelWithTerm('Committees', term)).toBe(label))
