import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { recordColumns } from '#contract/console/people/record-columns.ts'
import type { ImportSystem } from '#contract/console/people/import-systems.ts'
import type { RecordField } from '#contract/member-record/record-fields.ts'
import { readCsvRows } from '#server/lib/csv/csv.ts'
import { parseMemberRows } from '../member-rows.rules.ts'
import { earlierNames } from '../review/level-names.rules.ts'
import { isDayFirst, recognizeSystem } from './import-systems.rules.ts'
import { readDay } from '#server/lib/csv/read-day.rules.ts'
import { similarField } from './similar-fields.rules.ts'
import { splitName } from './split-name.rules.ts'
import { statusFault } from './row-status.rules.ts'
import { recognizeColumns } from './recognize-columns.rules.ts'

const TODAY = '2026-11-28'
const levels = new Map([
  ['annual_member', { name: 'Annual Member', isRecurring: true }],
  ['life_member', { name: 'Life Member', isRecurring: false }],
])
const field = (key: string, kind: RecordField['kind'] = 'line'): RecordField => {
  const label = `${key.charAt(0).toUpperCase()}${key.slice(1)}`
  return {
    key,
    label,
    hint: null,
    kind,
    choices: [],
    levels: [],
    asked: 'account',
    widest: 'members',
    isRequired: false,
  }
}
const fields = recordColumns([field('phone', 'phone'), field('specialty'), field('postal', 'address')])

function read(name: string) {
  const rows = readCsvRows(
    readFileSync(new URL(`../../../../../../tests/support/exports/${name}.csv`, import.meta.url), 'utf8'),
    ',',
  )
  const headings = rows[0]?.cells ?? []
  const system = recognizeSystem(headings)
  const columns = recognizeColumns(headings, fields, system)
  const at = columns.indexOf('level')
  const levelNames = earlierNames(
    rows.slice(1).map(({ cells }) => cells[at] ?? ''),
    { levels: [...levels].map(([key, { name: label }]) => ({ key, name: label })), chosen: new Map() },
  )
  const format = { isDayFirst: isDayFirst(system), today: TODAY, levelNames }
  return { system, columns, rows: parseMemberRows(rows, levels, columns, fields, null, format) }
}

const ASHA = {
  email: 'asha.menon@example.net',
  firstName: 'Asha',
  lastName: 'Menon',
  level: 'annual_member',
  startedOn: '2019-02-14',
  endsOn: '2027-02-14',
}

test.each<[ImportSystem, Partial<typeof ASHA>, (string | null)[]]>([
  ['wild-apricot', {}, [null, null, 'Remove', 'Remove']],
  ['civicrm', {}, [null, null, 'Remove']],
  ['memberclicks', {}, [null, 'Enter the day']],
  ['neon', { startedOn: '2026-02-14' }, [null, 'Remove']],
  ['membermojo', {}, [null, null]],
])('an export of %s is recognized and read', (name, asha, cures) => {
  const { system, rows } = read(name)
  expect(system).toBe(name)
  expect(rows[0]).toMatchObject({ row: { ...ASHA, ...asha } })
  const found = rows.map((row) => ('faults' in row ? row.faults : [])).map(([first]) => first?.cure ?? null)
  expect(found).toEqual(cures.map((cure) => cure && expect.stringContaining(cure)))
})

test('the columns of the record are found by similar names', () => {
  const { columns } = read('wild-apricot')
  expect(columns.slice(5, 7)).toEqual(['field:phone', 'field:specialty'])
  // A city without a street is no address.
  expect(read('civicrm').columns).not.toContain('field:postal.city')
  expect(recognizeColumns(['Street Address', 'City'], fields)).toEqual(['field:postal.street', 'field:postal.city'])
})

test('our own export, and a file with one mark, are of no other system', () => {
  expect(recognizeSystem(['email', 'username', 'level', 'state'])).toBeNull()
  expect(recognizeSystem(['Email', 'Membership level'])).toBeNull()
})

test.each([
  ['Asha Menon', 'Asha', 'Menon'],
  ['Dr. Asha K. Menon, MD, FACP', 'Asha K.', 'Menon'],
  ['Menon, Asha', 'Asha', 'Menon'],
  ['Jo van der Berg', 'Jo', 'van der Berg'],
  ['James Doe Jr.', 'James', 'Doe'],
  ['Madonna', 'Madonna', ''],
  ['Maria Elena Flores', 'Maria Elena', 'Flores'],
  ['John Q. Fields', 'John Q.', 'Fields'],
  ['Sarah Ann Forbes MD', 'Sarah Ann', 'Forbes'],
  ['Minh Van Do', 'Minh', 'Van Do'],
  ['Van Do', 'Van', 'Do'],
  ['Anna Franks', 'Anna', 'Franks'],
  ['Anna Franks, M.D., Ph.D.', 'Anna', 'Franks'],
  ['Anna Franks,MD,FACC', 'Anna', 'Franks'],
  ['Anna Franks MBBS FRCP III', 'Anna', 'Franks'],
  ['Anna Franks, md', 'Anna', 'Franks'],
  ['Franks, Anna, MD', 'Anna', 'Franks'],
  ['Do, Minh', 'Minh', 'Do'],
  ['Rahman, Md', 'Md', 'Rahman'],
  ['MINH VAN DO', 'MINH', 'VAN DO'],
  ['ANNA FRANKS, DO, PHD', 'ANNA', 'FRANKS'],
  [`A B${' MD'.repeat(20_000)}`, 'A', 'B'],
  ['', '', ''],
])('%j is split', (name, firstName, lastName) => {
  expect(splitName(name)).toEqual({ firstName, lastName })
})

test.each([
  ['2026-03-02T00:00:00', false, '2026-03-02'],
  ['3/2/2026 12:00:00 AM', false, '2026-03-02'],
  ['3/2/2026', true, '2026-02-03'],
  ['2 Mar 2026', false, '2026-03-02'],
  ['March 2, 2026', false, '2026-03-02'],
  ['31 Feb 2026', false, '31 Feb 2026'],
  ['June 2027', false, 'June 2027'],
])('%j is read as a day', (text, dayFirst, day) => {
  expect(readDay(text, dayFirst)).toBe(day)
})

test.each([
  ['Pending - Renewal', '2026-12-31', null],
  ['Grace', '2026-10-01', null],
  ['Lapsed', '2026-10-01', null],
  ['Lapsed', '2027-10-01', /still to come/],
  ['Cancelled', '', /no last day/],
  ['Suspended member', '2027-10-01', /Suspended/],
  ['Non-member', '2027-10-01', /not a member yet/],
  ['Deceased', '', /died/],
])('a status %j with the last day %j', (status, endsOn, sentence) => {
  const fault = statusFault([status], endsOn, TODAY)
  expect(fault?.sentence ?? null).toEqual(sentence && expect.stringMatching(sentence))
})

test.each([
  ['Cell Phone', 'field:phone'],
  ['Work Fax', null],
  ['Medical Specialties', 'field:specialty'],
  ['Zip', 'field:postal.postalcode'],
  ['Home State', 'field:postal.region'],
  ['Notes', null],
])('%j is similar to %j', (heading, column) => {
  expect(similarField(heading, fields)).toBe(column)
})

test.each(['x', ' ', ', ', '1:', ' MD', '3/2/2026 ', 'T'])('long cells of %j are read in no time', (part) => {
  const text = `A${part.repeat(100_000 / part.length)}!`
  const start = performance.now()
  splitName(text)
  expect(readDay(text)).toBe(text)
  expect(performance.now() - start).toBeLessThan(1000)
})
