import { describe, expect, test } from 'vitest'
import { MEMBER_COLUMN_NAMES, MEMBER_COLUMNS } from '#contract/console/import.ts'
import { validateRows, type ExistingAccount } from './member-import.rules.ts'
import { parseMemberRows, type MemberCells } from './member-rows.rules.ts'
import { recognizeColumns } from './systems/recognize-columns.rules.ts'

const levels = new Map([
  ['annual_member', { name: 'Annual Member', isRecurring: true }],
  ['life_member', { name: 'Life Member', isRecurring: false }],
])
const HEADING = ['email', 'username', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn']
const NEWCOMER = ['nila@example.com', 'nila', 'Nila', 'Rao', 'annual_member', '2026-01-15', '2027-01-15']

function read(...rows: string[][]) {
  return parseMemberRows(
    [HEADING, ...rows].map((cells, index) => ({ line: index + 1, cells })),
    levels,
  )
}

function known(cells: Partial<MemberCells>, more: Partial<ExistingAccount> = {}): ExistingAccount {
  const [email = '', username = '', firstName = '', lastName = '', level = '', startedOn = '', endsOn = ''] = NEWCOMER
  return {
    id: 'n1',
    cells: { email, username, firstName, lastName, level, startedOn, endsOn, ...cells },
    record: [],
    isClosed: false,
    membership: { isLifetime: false, isCharged: false, hasEnded: false },
    ...more,
  }
}

function judge(rows: string[][], people: readonly ExistingAccount[] = [], names: Record<string, string> = {}) {
  return validateRows(read(...rows), {
    atAddress: (email) => people.filter(({ cells }) => cells.email === email),
    findByLoginName: (name) => names[name] ?? people.find(({ cells }) => cells.email === name)?.id ?? null,
  })
}

/** A new member's row with changed cells. */
const row = (change: Partial<Record<(typeof HEADING)[number], string>>) =>
  NEWCOMER.map((cell, index) => change[HEADING[index] ?? ''] ?? cell)

test('recognizes alternative column names, each once, and ignores unknown columns', () => {
  expect(
    recognizeColumns(['E-Mail', 'First Name', 'SURNAME', 'Plan', 'Member since', 'Paid until', 'Fax', 'mail']),
  ).toEqual(['email', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn', null, null])
})

test.each([
  ['as the page of the import names them', MEMBER_COLUMNS.map((column) => MEMBER_COLUMN_NAMES[column])],
  ['as an export has them', [...MEMBER_COLUMNS]],
  [
    'as other programs have them',
    ['Email Address', 'Login', 'Given name', 'Family name', 'Membership Type', 'Member Since', 'Paid Through'],
  ],
])('recognizes columns %s', (_, heading) => {
  expect(recognizeColumns(heading)).toEqual([...MEMBER_COLUMNS])
})

test('a column with our own name takes precedence, regardless of position', () => {
  expect(recognizeColumns(['Joined', 'Began on', 'Renews or ends', 'endsOn'])).toEqual([
    null,
    'startedOn',
    null,
    'endsOn',
  ])
})

test.each(['31/06/2027', '13/1/2027', '2027-02-30', 'June 2027'])(
  '%s is not a date, and is kept as entered',
  (typed) => {
    const [reading] = read(row({ endsOn: typed }))
    expect(reading?.cells.endsOn).toBe(typed)
    expect(judge([row({ endsOn: typed })])[0]).toMatchObject({ kind: 'wrong', faults: [{ column: 'endsOn' }] })
  },
)

describe('errors in a row, by column', () => {
  test.each<[string, Record<string, string>, string, RegExp]>([
    ['an address', { email: 'nila at example' }, 'email', /valid email/],
    ['a name', { firstName: '' }, 'firstName', /required/],
    ['a username', { username: 'x' }, 'username', /at least 3/],
    ['a level', { level: 'gold' }, 'level', /no level "gold"/],
    ['no level', { level: '' }, 'level', /missing/],
    ['a day that is none', { startedOn: '2026-02-30' }, 'startedOn', /not a date/],
    ['a day the other way round', { startedOn: '30/2/2026' }, 'startedOn', /not a date/],
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

  test('reports several errors', () => {
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

test('accepts level names and spreadsheet dates, and derives a missing username from the address', () => {
  const [reading] = read(
    row({ level: 'annual MEMBER', startedOn: '1/15/2026', username: '', email: "n+x'y@example.com" }),
  )
  expect(reading).toMatchObject({ row: { level: 'annual_member', startedOn: '2026-01-15', username: 'nxy' } })
})

describe('existing accounts', () => {
  test.each<[string, Record<string, string>, ExistingAccount, unknown]>([
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

  test('rejects usernames and addresses of other accounts', () => {
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

  test('the address of a deleted account can belong to a new member', () => {
    const left = known({ username: 'n1' }, { isClosed: true })
    const verdicts = validateRows(read(NEWCOMER), { atAddress: () => [left], findByLoginName: () => null })
    expect(verdicts).toEqual([{ kind: 'new' }])
  })

  test('an old list does not restore a deceased member', () => {
    const died = known({ username: 'n1' }, { isClosed: true, hasDied: true })
    const [verdict] = validateRows(read(NEWCOMER), { atAddress: () => [died], findByLoginName: () => null })
    expect(verdict).toMatchObject({ kind: 'wrong', faults: [{ column: 'email' }] })
    // Another account has the address now.
    const spouse = known({ lastName: 'Iyer' }, { id: 'n2' })
    const [change] = validateRows(read(NEWCOMER), { atAddress: () => [died, spouse], findByLoginName: () => 'n2' })
    expect(change).toMatchObject({ kind: 'changed', accountId: 'n2' })
  })
})
