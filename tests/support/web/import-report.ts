import type { ImportReport } from '#contract/console/import.ts'

/** A file of members that was checked: most rows are new, some change a member, and one of those that are wrong is shown. */
export const importReport: ImportReport = {
  id: 'i1',
  filename: 'old list.csv',
  state: 'checked',
  by: 'Meera Rao',
  createdAt: '2026-11-21T12:00:00.000Z',
  finishedAt: null,
  undoneAt: null,
  confirmedAt: null,
  sendsInvitations: false,
  system: null,
  counts: { rows: 2_000, new: 1_900, changed: 40, unchanged: 0, leftOut: 0, wrong: 60 },
  columns: [
    { heading: 'E-Mail', column: 'email', sample: 'a@example.com' },
    { heading: 'Fax', column: null, sample: '-' },
  ],
  fields: [{ column: 'field:fax', name: 'Fax number' }],
  levelNames: [],
  levels: [
    { key: 'annual', name: 'Annual Member' },
    { key: 'life', name: 'Life Member' },
  ],
  startsOn: null,
  missing: [],
  progress: { done: 0, total: 1_940 },
  wrong: [
    {
      line: 7,
      email: 'nila at example',
      faults: [
        { column: 'email', cell: 'nila at example', sentence: 'This is no address.', cure: 'Write one address.' },
      ],
    },
  ],
  changed: [
    { line: 9, email: 'b@example.com', changes: [{ column: 'endsOn', before: '2026-01-01', after: '2027-01-01' }] },
  ],
  undo: null,
  undoBegunAt: null,
  undoneBy: null,
}
