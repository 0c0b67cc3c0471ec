import { expect, test } from 'vitest'
import { outdatedBackups } from './retention.rules.ts'

const at = (text: string) => Date.parse(`2030-${text}Z`)
const now = at('03-20T12:00')

test.each<[string, { keep: number; made: string[]; goes: string[] }]>([
  ['nothing is there', { keep: 14, made: [], goes: [] }],
  ['fewer days than are kept', { keep: 3, made: ['03-20T03:00', '03-19T03:00', '03-18T03:00'], goes: [] }],
  ['one day more', { keep: 2, made: ['03-20T03:00', '03-19T03:00', '03-18T03:00'], goes: ['03-18T03:00'] }],
  ['of an earlier day only the newest', { keep: 3, made: ['03-18T01:00', '03-18T23:00'], goes: ['03-18T01:00'] }],
  ['of an earlier hour only the newest', { keep: 3, made: ['03-20T08:01', '03-20T08:59'], goes: ['03-20T08:01'] }],
  ['all of the last hour', { keep: 1, made: ['03-20T11:01', '03-20T11:02', '03-20T11:03'], goes: [] }],
  [
    'twenty in an hour push out no earlier day',
    { keep: 2, made: ['03-20T11:01', '03-20T11:02', '03-18T03:00'], goes: [] },
  ],
  ['hours end after a day', { keep: 1, made: ['03-20T11:00', '03-19T13:00', '03-19T11:00'], goes: ['03-19T11:00'] }],
  ['a site that stood still keeps what it has', { keep: 2, made: ['01-02T03:00', '01-01T03:00'], goes: [] }],
  ['a clock that ran ahead loses nothing', { keep: 1, made: ['03-21T03:00', '03-20T11:30'], goes: [] }],
])('%s', (_case, { keep, made, goes }) => {
  expect(outdatedBackups(made.map(at), { now, keep })).toEqual(goes.map(at))
})
