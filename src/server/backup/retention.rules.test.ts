import { expect, test } from 'vitest'
import { outdatedBackups } from './retention.rules.ts'

const at = (text: string) => Date.parse(`2030-${text}Z`)
const now = at('03-20T12:00')

test.each<[string, { keep: number; made: string[]; goes: string[] }]>([
  ['no backups', { keep: 14, made: [], goes: [] }],
  ['fewer days than the limit', { keep: 3, made: ['03-20T03:00', '03-19T03:00', '03-18T03:00'], goes: [] }],
  ['one day over the limit', { keep: 2, made: ['03-20T03:00', '03-19T03:00', '03-18T03:00'], goes: ['03-18T03:00'] }],
  [
    'only the newest of an earlier day is kept',
    { keep: 3, made: ['03-18T01:00', '03-18T23:00'], goes: ['03-18T01:00'] },
  ],
  [
    'only the newest of an earlier hour is kept',
    { keep: 3, made: ['03-20T08:01', '03-20T08:59'], goes: ['03-20T08:01'] },
  ],
  ['all of the last hour are kept', { keep: 1, made: ['03-20T11:01', '03-20T11:02', '03-20T11:03'], goes: [] }],
  [
    'twenty in an hour displace no earlier day',
    { keep: 2, made: ['03-20T11:01', '03-20T11:02', '03-18T03:00'], goes: [] },
  ],
  [
    'hourly backups are deleted after a day',
    { keep: 1, made: ['03-20T11:00', '03-19T13:00', '03-19T11:00'], goes: ['03-19T11:00'] },
  ],
  ['a site that was down keeps its backups', { keep: 2, made: ['01-02T03:00', '01-01T03:00'], goes: [] }],
  ['a clock that was ahead deletes nothing', { keep: 1, made: ['03-21T03:00', '03-20T11:30'], goes: [] }],
])('%s', (_case, { keep, made, goes }) => {
  expect(outdatedBackups(made.map(at), { now, keep })).toEqual(goes.map(at))
})
