import { expect, test } from 'vitest'
import { planUndo } from './subscriber-undo.rules.ts'

const said = (importId: string, reason: string, reasonBefore: string | null, other: object = {}) => ({
  importId,
  importedAt: Number(importId),
  undoneAt: null,
  touchedAt: null,
  reason,
  reasonBefore,
  ...other,
})
const UNDONE = { undoneAt: 9 }
const TOUCHED = { touchedAt: 9 }

test.each([
  ['one import', 'left', [said('1', 'left', null)], { reason: null, endsBlock: true }],
  [
    'an import of who bounced after leaving here',
    'bounce',
    [said('1', 'bounce', 'left')],
    { reason: 'left', endsBlock: true },
  ],
  [
    'the first of two',
    'left',
    [said('1', 'left', null), said('2', 'left', 'left')],
    { reason: 'left', endsBlock: false },
  ],
  [
    'the first of two that differ',
    'bounce',
    [said('1', 'bounce', null), said('2', 'left', 'bounce')],
    { reason: 'left', endsBlock: false },
  ],
  [
    'an import, after another one was undone',
    'left',
    [said('0', 'left', null, UNDONE), said('1', 'left', 'left')],
    { reason: null, endsBlock: true },
  ],
  ['an import before someone left here', 'left', [said('1', 'left', null, TOUCHED)], null],
  [
    'an import after someone left here',
    'left',
    [said('0', 'left', null, TOUCHED), said('1', 'left', 'left')],
    { reason: 'left', endsBlock: true },
  ],
  ['an import of an address whose reason changed', 'account_ended', [said('1', 'left', null)], null],
  ['an import of an address that is not suppressed', null, [said('1', 'left', null)], null],
  [
    'an import of an address that is suppressed from another moment',
    'left',
    [said('1', 'left', null, { importedAt: 7 })],
    null,
  ],
])('undoing %s', (_, reason, imports, plan) => {
  const createdAt = imports[0]?.importedAt === 7 ? 5 : (imports[0]?.importedAt ?? 0)
  expect(planUndo('1', { suppression: reason === null ? null : { reason, createdAt }, imports })).toEqual(plan)
})
