import { describe, expect, test } from 'vitest'
import { MEMBER_COLUMN_NAMES, MEMBER_COLUMNS } from '#contract/console-import.ts'
import { judgeRows, type KnownPerson } from './member-import.rules.ts'
import { readMemberRows, recogniseColumns, type MemberCells } from './member-rows.rules.ts'

const levels = new Map([
  ['annual_member', { name: 'Annual Member', isRecurring: true }],
  ['life_member', { name: 'Life Member', isRecurring: false }],
])
const HEADING = ['email', 'username', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn']
const NEWCOMER = ['nila@example.com', 'nila', 'Nila', 'Rao', 'annual_member', '2026-01-15', '2027-01-15']

function read(...rows: string[][]) {
  return readMemberRows(
    [HEADING, ...rows].map((cells, index) => ({ line: index + 1, cells })),
    levels,
  )
}

function known(cells: Partial<MemberCells>, more: Partial<KnownPerson> = {}): KnownPerson {
  const [email = '', username = '', firstName = '', lastName = '', level = '', startedOn = '', endsOn = ''] = NEWCOMER
  return {
    id: 'n1',
    cells: { email, username, firstName, lastName, level, startedOn, endsOn, ...cells },
    isClosed: false,
    membership: { isLifetime: false, isCharged: false, hasEnded: false },
    ...more,
  }
}

function judge(rows: string[][], people: readonly KnownPerson[] = [], names: Record<string, string> = {}) {
  return judgeRows(read(...rows), {
    atAddress: (email) => people.filter(({ cells }) => cells.email === email),
    holderOf: (name) => names[name] ?? people.find(({ cells }) => cells.email === name)?.id ?? null,
  })
}

/** A newcomer with other cells. */
const row = (change: Partial<Record<(typeof HEADING)[number], string>>) =>
  NEWCOMER.map((cell, index) => change[HEADING[index] ?? ''] ?? cell)

test('columns are known by other names, each once; what is not known is passed over', () => {
  expect(
    recogniseColumns(['E-Mail', 'First Name', 'SURNAME', 'Plan', 'Member since', 'Paid until', 'Fax', 'mail']),
  ).toEqual(['email', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn', null, null])
})

test.each([
  ['as the page of the import names them', MEMBER_COLUMNS.map((column) => MEMBER_COLUMN_NAMES[column])],
  ['as an export has them', [...MEMBER_COLUMNS]],
  [
    'as other programs have them',
    ['Email Address', 'Login', 'Given name', 'Family name', 'Membership Type', 'Member Since', 'Paid Through'],
  ],
])('columns are known %s', (_, heading) => {
  expect(recogniseColumns(heading)).toEqual([...MEMBER_COLUMNS])
})

test('a column of our own name wins over another of its kind, wherever it stands', () => {
  expect(recogniseColumns(['Joined', 'Began on', 'Renews or ends', 'endsOn'])).toEqual([
    null,
    'startedOn',
    null,
    'endsOn',
  ])
})

test.each(['31/06/2027', '13/1/2027', '2027-02-30', 'June 2027'])(
  '%s is no day, and is kept as it was typed',
  (typed) => {
    const [reading] = read(row({ endsOn: typed }))
    expect(reading?.cells.endsOn).toBe(typed)
    expect(judge([row({ endsOn: typed })])[0]).toMatchObject({ kind: 'wrong', faults: [{ column: 'endsOn' }] })
  },
)

describe('what is wrong with a row, in which column', () => {
  test.each<[string, Record<string, string>, string, RegExp]>([
    ['an address', { email: 'nila at example' }, 'email', /valid email/],
    ['a name', { firstName: '' }, 'firstName', /required/],
    ['a username', { username: 'x' }, 'username', /at least 3/],
    ['a level', { level: 'gold' }, 'level', /no level "gold"/],
    ['no level', { level: '' }, 'level', /missing/],
    ['a day that is none', { startedOn: '2026-02-30' }, 'startedOn', /not a day/],
    ['a day the other way round', { startedOn: '30/2/2026' }, 'startedOn', /not a day/],
    ['an end before its beginning', { endsOn: '2025-01-15' }, 'endsOn', /before it starts/],
    ['an end of what has none', { level: 'life_member' }, 'endsOn', /no end/],
  ])('%s', (_name, change, column, sentence) => {
    const [verdict] = judge([row(change)])
    expect(verdict).toMatchObject({
      kind: 'wrong',
      faults: [{ column, sentence: expect.stringMatching(sentence) as string }],
    })
    if (verdict?.kind === 'wrong') for (const { cure } of verdict.faults) expect(cure).toMatch(/\.$/)
  })

  test('several at once, each told', () => {
    const [verdict] = judge([row({ email: '', level: 'gold', startedOn: 'soon' })])
    expect(verdict).toMatchObject({ faults: [{ column: 'email' }, { column: 'level' }, { column: 'startedOn' }] })
  })

  test('the same address or username twice', () => {
    const twice = judge([
      NEWCOMER,
      row({ username: 'other', email: 'NILA@example.com' }),
      row({ email: 'b@example.com' }),
    ])
    expect(twice.map(({ kind }) => kind)).toEqual(['new', 'wrong', 'wrong'])
    expect(twice[1]).toMatchObject({
      faults: [{ column: 'email', sentence: expect.stringContaining('line 2') as string }],
    })
    expect(twice[2]).toMatchObject({ faults: [{ column: 'username' }] })
  })
})

test('a level by its name and days as spreadsheets write them are read; a missing username is made from the address', () => {
  const [reading] = read(
    row({ level: 'annual MEMBER', startedOn: '1/15/2026', username: '', email: "n+x'y@example.com" }),
  )
  expect(reading).toMatchObject({ row: { level: 'annual_member', startedOn: '2026-01-15', username: 'nxy' } })
})

describe('somebody who is there', () => {
  test.each<[string, Record<string, string>, KnownPerson, unknown]>([
    ['as the file says', {}, known({}), { kind: 'unchanged' }],
    ['with a username the file does not know', { username: '' }, known({ username: 'chosen' }), { kind: 'unchanged' }],
    ['closed, as the file says', {}, known({}, { isClosed: true }), { kind: 'unchanged' }],
    [
      'an officer without a membership',
      { level: '', startedOn: '', endsOn: '' },
      known({ level: '', startedOn: '', endsOn: '' }, { membership: null }),
      { kind: 'unchanged' },
    ],
    [
      'with another name, and no membership',
      { level: '', startedOn: '', endsOn: '', lastName: 'Iyer' },
      known({ level: '', startedOn: '', endsOn: '' }, { membership: null }),
      { kind: 'changed', changes: [{ column: 'lastName', before: 'Rao', after: 'Iyer' }] },
    ],
    [
      'with another end',
      { endsOn: '2028-01-15' },
      known({}),
      { kind: 'changed', accountId: 'n1', changes: [{ column: 'endsOn', before: '2027-01-15', after: '2028-01-15' }] },
    ],
    ['closed, and different', { lastName: 'Iyer' }, known({}, { isClosed: true }), { kind: 'wrong' }],
    ['a day that is none', { endsOn: 'soon' }, known({}), { kind: 'wrong', faults: [{ column: 'endsOn' }] }],
    ['emptied', { level: '' }, known({}), { kind: 'wrong', faults: [{ column: 'level' }] }],
    [
      'half a term',
      { level: '', startedOn: '2026-01-01', endsOn: '' },
      known({ level: '', startedOn: '', endsOn: '' }, { membership: null }),
      { kind: 'wrong' },
    ],
    [
      'charged by card',
      { endsOn: '2028-01-15' },
      known({}, { membership: { isLifetime: false, isCharged: true, hasEnded: false } }),
      {
        kind: 'wrong',
        faults: [{ cure: expect.stringContaining('annual_member, 2026-01-15 to 2027-01-15') as string }],
      },
    ],
    [
      'charged by card, with another name',
      { lastName: 'Iyer' },
      known({}, { membership: { isLifetime: false, isCharged: true, hasEnded: false } }),
      { kind: 'changed' },
    ],
    [
      'a member for life',
      {},
      known(
        { level: 'life_member', endsOn: '' },
        { membership: { isLifetime: true, isCharged: false, hasEnded: false } },
      ),
      { kind: 'wrong' },
    ],
  ])('%s', (_name, change, person, verdict) =>
    expect(judge([row(change)], [person])[0]).toMatchObject(verdict as object),
  )

  test('names that belong to others are not taken', () => {
    expect(judge([NEWCOMER], [], { nila: 'other' })[0]).toMatchObject({
      kind: 'wrong',
      faults: [{ column: 'username' }],
    })
    expect(judge([NEWCOMER], [], { 'nila@example.com': 'other' })[0]).toMatchObject({ faults: [{ column: 'email' }] })
    expect(judge([row({ username: 'b@example.com' })])[0]).toMatchObject({ faults: [{ column: 'username' }] })
    expect(judge([row({ username: 'new.name' })], [known({})], { 'new.name': 'other' })[0]).toMatchObject({
      kind: 'wrong',
    })
  })

  test('who left gave the address back: whoever comes with it is new', () => {
    const left = known({ username: 'n1' }, { isClosed: true })
    const verdicts = judgeRows(read(NEWCOMER), { atAddress: () => [left], holderOf: () => null })
    expect(verdicts).toEqual([{ kind: 'new' }])
  })

  test('an old list does not bring back somebody who died', () => {
    const died = known({ username: 'n1' }, { isClosed: true, hasDied: true })
    const [verdict] = judgeRows(read(NEWCOMER), { atAddress: () => [died], holderOf: () => null })
    expect(verdict).toMatchObject({ kind: 'wrong', faults: [{ column: 'email' }] })
    // Somebody else has the address by now.
    const spouse = known({ lastName: 'Iyer' }, { id: 'n2' })
    const [change] = judgeRows(read(NEWCOMER), { atAddress: () => [died, spouse], holderOf: () => 'n2' })
    expect(change).toMatchObject({ kind: 'changed', accountId: 'n2' })
  })
})
