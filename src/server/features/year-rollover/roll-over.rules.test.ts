import { describe, expect, test } from 'vitest'
import type { Role } from '#contract/access.ts'
import type { RollOverPlan } from '#contract/console/roll-over.ts'
import type { NamedTerm } from '#server/features/officers/officer.queries.ts'
import { findObstacles } from './roll-over-obstacles.rules.ts'
import { computeContentChanges } from './roll-over-content.rules.ts'
import { detailsOf, type RecordSnapshot, type RollOverSnapshot } from './roll-over-snapshot.rules.ts'
import { proposePlan } from './roll-over-proposal.rules.ts'
import { firstDayWithoutPresident, describeRoleChanges, computeRoleChanges } from './roll-over-roles.rules.ts'

const YEAR = { firstDay: '2027-07-01', lastDay: '2027-06-30', newLastDay: '2028-06-30', term: '2027-28' }

function term(id: string, role: Role, startsOn: string, endsOn: string): NamedTerm {
  const person = { firstName: 'Asha', lastName: id, email: `${id}@example.org`, hasSecondFactor: true }
  return { id, accountId: id, role, startsOn, endsOn, endedAt: null, ...person }
}

const committee = {
  body: 'executive-committee',
  term: '2026-27',
  title: 'Executive Committee 2026-27',
  lead: 'Six volunteers.',
  members: [
    { name: 'Dr. P', role: 'President', location: 'Macon' },
    { name: 'Dr. E', role: 'President Elect', location: 'Rome' },
    { name: 'Dr. S', role: 'Secretary' },
    { name: 'Dr. L', role: 'Past President' },
  ],
}

const present: RollOverSnapshot = {
  today: '2027-06-01',
  records: [
    {
      kind: 'leaders',
      id: 'executive-committee.2026-27',
      title: '',
      fields: [],
      published: committee,
      hasUnpublishedChanges: false,
    },
    {
      kind: 'menu',
      id: 'all',
      title: '',
      fields: [],
      published: {
        pages: [
          { page: '/board-directors', label: 'Council', isHidden: true },
          { page: '/committees', label: 'Working groups' },
          { page: '/board-trustees' },
        ],
      },
      hasUnpublishedChanges: false,
    },
    {
      kind: 'past-presidents',
      id: 'all',
      title: '',
      fields: [],
      published: { presidents: [{ name: 'Dr. L', year: 2026 }] },
      hasUnpublishedChanges: false,
    },
  ],
  terms: [term('old', 'president', '2026-07-01', '2027-09-30'), term('ed', 'editor', '2026-07-01', '2027-06-15')],
  members: new Map([['new', { name: 'Ela Rao', email: 'ela@example.org' }]]),
}
const proposed = proposePlan(present, YEAR)

function planOf(given: Partial<RollOverPlan> = {}): RollOverPlan {
  const grants = proposed.grants
    .filter(({ role }) => role === 'president')
    .map((grant) => ({ ...grant, name: 'Ela Rao', accountId: 'new' }))
  return { ...proposed, grants, ...given }
}

test('proposes what the bylaws determine: who moves up, who joins the past presidents, which roles end', () => {
  expect(proposed.executive.map(({ office, name, location }) => [office, name, location])).toEqual([
    ['President', 'Dr. E', 'Rome'],
    ['President Elect', '', ''],
    ['Secretary', '', ''],
    ['Past President', 'Dr. P', 'Macon'],
  ])
  expect(proposed.pastPresident).toEqual({ isAdded: true, name: 'Dr. P', year: 2027 })
  // The editor's term ends before the year does.
  expect(proposed.endings).toEqual(['old'])
  expect(proposed.grants.map(({ role, name, startsOn, endsOn }) => [role, name, startsOn, endsOn])).toEqual([
    ['president', 'Dr. E', '2027-07-01', '2028-06-30'],
    ['editor', '', '2027-07-01', '2028-06-30'],
  ])
})

test('an association that a chair leads is asked for its chair', () => {
  const named = {
    ...committee,
    members: committee.members.map((one) => ({ ...one, role: one.role.replace('President', 'Chair') })),
  }
  const [body, ...others] = present.records
  const chaired = { ...present, records: [{ ...body, published: named } as RecordSnapshot, ...others] }
  const plan = proposePlan(chaired, YEAR)
  expect(plan.executive.map(({ office, name }) => [office, name])).toEqual([
    ['Chair', 'Dr. E'],
    ['Chair Elect', ''],
    ['Secretary', ''],
    ['Past Chair', 'Dr. P'],
  ])
  expect([plan.pastPresident.name, plan.grants[0]?.role, plan.grants[0]?.name]).toEqual(['Dr. P', 'president', 'Dr. E'])
  const sentences = (executive: RollOverPlan['executive']) =>
    findObstacles({ ...plan, executive }, chaired, []).flatMap(({ step, sentence }) =>
      step === 'executive' ? sentence : [],
    )
  expect(sentences(plan.executive)).toEqual([])
  expect(sentences(plan.executive.map((seat) => ({ ...seat, name: '' })))).toContain('Enter who is chair.')
})

test('a site without leaders starts with the offices of the bylaws', () => {
  const empty = proposePlan({ ...present, records: [], terms: [] }, YEAR)
  expect(empty.executive).toHaveLength(6)
  expect([empty.boards, empty.committees.isRenewed, empty.pastPresident.isAdded]).toEqual([[], false, false])
})

test('in a year that has already begun, roles start today', () => {
  const late = proposePlan({ ...present, today: '2027-08-15' }, YEAR)
  expect(late.grants[0]?.startsOn).toBe('2027-08-15')
})

describe('roles', () => {
  test('end on the last day, or immediately if it is past', () => {
    const before = describeRoleChanges(computeRoleChanges(planOf(), present))
    expect(before).toEqual([
      { name: 'Ela Rao', role: 'president', change: 'given', before: null, after: 'July 1, 2027 to June 30, 2028' },
      {
        name: 'Asha old',
        role: 'president',
        change: 'shortened',
        before: 'July 1, 2026 to September 30, 2027',
        after: 'ends on June 30, 2027',
      },
    ])
    const after = computeRoleChanges(planOf(), { ...present, today: '2027-08-15' })
    expect(after.roleEndings[0]?.atOnce).toBe(true)
  })

  test('already held for the whole period are not assigned again, nor twice', () => {
    const held = { ...term('x', 'president', '2027-07-01', '2028-06-30'), accountId: 'new' }
    expect(computeRoleChanges(planOf(), { ...present, terms: [...present.terms, held] }).assignments).toEqual([])
    const [grant] = planOf().grants
    expect(computeRoleChanges(planOf({ grants: grant ? [grant, grant] : [] }), present).assignments).toHaveLength(1)
  })

  test.each<[string, Partial<RollOverPlan>, string, string | null]>([
    ['the new president follows the old one', {}, '2027-06-01', null],
    ['no successor', { grants: [] }, '2027-06-01', '2027-07-01'],
    ['no successor, but the old president stays', { grants: [], endings: [] }, '2027-06-01', null],
    ['no successor, and the old president’s term ends immediately', { grants: [] }, '2027-08-15', '2027-08-15'],
    [
      'the new one begins a day late',
      { grants: planOf().grants.map((one) => ({ ...one, startsOn: '2027-07-02' })) },
      '2027-06-01',
      '2027-07-01',
    ],
  ])('%s', (_, given, today, day) => {
    const moment = { ...present, today }
    expect(firstDayWithoutPresident(computeRoleChanges(planOf(given), moment), moment, YEAR.firstDay)).toBe(day)
  })
})

test.each<[string, Partial<RollOverPlan>, [string, RegExp][]]>([
  ['nothing', {}, []],
  ['days left out', { lastDay: '' }, [['year', /^Enter the last day/]]],
  ['a new year that ends before it begins', { newLastDay: '2027-06-30' }, [['year', /before it begins/]]],
  ['a year of two', { newLastDay: '2029-06-30' }, [['year', /13 months/]]],
  ['no president', { executive: [] }, [['executive', /who is president/]]],
  [
    'a person listed twice',
    { executive: proposed.executive.map((seat) => ({ ...seat, name: 'Dr. E' })) },
    [['executive', /^Dr. E is listed for two/]],
  ],
  [
    'an empty board',
    { boards: [{ body: 'board-trustees', isRenewed: true, people: [] }] },
    [['boards', /^“Board of Trustees” has no members/]],
  ],
  [
    'an empty board with another name',
    { boards: [{ body: 'board-directors', isRenewed: true, people: [{ name: '', role: '', location: '' }] }] },
    [['boards', /^A member of “Council” has no name/]],
  ],
  [
    'committees with another name',
    { committees: { isRenewed: true, list: [] } },
    [['boards', /^“Working groups” has no entries/]],
  ],
  ['a board that stays', { boards: [{ body: 'board-trustees', isRenewed: false, people: [] }] }, []],
  [
    'a role without an account',
    { grants: [...planOf().grants, { ...proposed.grants[0]!, accountId: null, role: 'editor', name: '' }] },
    [['roles', /^Choose an account for the editor/]],
  ],
  [
    'a role for an account that cannot log in',
    { grants: [...planOf().grants, { ...proposed.grants[0]!, accountId: 'gone', name: 'Dr. G' }] },
    [['roles', /^Dr. G has no account/]],
  ],
  [
    'days in the wrong order',
    { grants: [...planOf().grants, { ...planOf().grants[0]!, endsOn: '2027-06-30' }] },
    [['roles', /before the first/]],
  ],
  ['no one to manage officers', { grants: [] }, [['roles', /^From July 1, 2027 on, no one/]]],
  [
    'a year that has its past president',
    { pastPresident: { isAdded: true, name: 'Dr. P', year: 2026 } },
    [['past', /^Dr. L is already listed for 2026/]],
  ],
])('%s stands in the way', (_, given, expected) => {
  const found = findObstacles(planOf(given), present, [])
  expect(found.map(({ step }) => step)).toEqual(expected.map(([step]) => step))
  for (const [index, [, sentence]] of expected.entries()) expect(found[index]?.sentence).toMatch(sentence)
})

describe('names that may be incomplete need confirmation', () => {
  const withSecretary = (name: string, given: Partial<RollOverPlan> = {}, accountId: string | null = null) =>
    planOf({
      executive: proposed.executive.map((seat) => (seat.office === 'Secretary' ? { ...seat, name, accountId } : seat)),
      ...given,
    })
  const asked = (plan: RollOverPlan) => findObstacles(plan, present, []).map(({ asksAbout }) => asksAbout)

  test.each<[string, RollOverPlan, string[]]>([
    ['one word', withSecretary('Rekha'), ['Rekha']],
    ['a title and one word', withSecretary('Dr. Rekha'), ['Dr. Rekha']],
    ['the beginning of a member’s name', withSecretary('Ela R'), ['Ela R']],
    ['a whole name', withSecretary('Rekha Menon'), []],
    ['one word that the site shows already', withSecretary('Dr. S'), []],
    ['one word that was confirmed', withSecretary('Rekha', { wholeNames: ['Rekha'] }), []],
    ['one word with the member’s account', withSecretary('Ela', {}, 'new'), []],
    [
      'one word on a board, once',
      withSecretary('', {
        boards: [
          {
            body: 'board-directors',
            isRenewed: true,
            people: [
              { name: 'Uma', role: '', location: '' },
              { name: 'Uma', role: '', location: '' },
            ],
          },
        ],
      }),
      ['Uma'],
    ],
    ['an empty name', withSecretary(''), []],
  ])('%s', (_, plan, names) => {
    expect(asked(plan)).toEqual(names)
  })
})

describe('what the site says about a person', () => {
  const body = (name: string, term: string, members: object[]): RecordSnapshot => ({
    kind: 'leaders',
    id: `${name}.${term}`,
    title: '',
    fields: [],
    published: { body: name, term, title: '', lead: '', members },
    hasUnpublishedChanges: false,
  })
  const records = [
    body('board-directors', '2025-26', [{ name: 'Dr. A', since: 2022, bio: ['Old.'] }]),
    body('board-directors', '2026-27', [{ name: 'Dr. A', location: 'Macon', since: 2022, bio: ['New.'] }]),
    body('executive-committee', '2026-27', [{ name: 'Dr. B', role: 'Secretary', since: 2024, portrait: 'portrait-b' }]),
  ]

  test.each([
    ['board-directors', 'Dr. A', { since: 2022, bio: ['New.'] }],
    ['executive-committee', 'Dr. A', { bio: ['New.'] }],
    ['executive-committee', 'Dr. B', { since: 2024, portrait: 'portrait-b' }],
    ['board-trustees', 'Dr. B', { portrait: 'portrait-b' }],
    ['board-trustees', 'Dr. C', {}],
  ])('goes to %s with %s', (to, name, details) => {
    expect(detailsOf(records, to, name)).toEqual(details)
  })

  test.each([
    [['Dr. A', 'Dr. B'], 'portrait-a'],
    [['Dr. B', 'Dr. A'], undefined],
    [['', 'Dr. A'], 'portrait-a'],
    [[], undefined],
  ])('a committee of %j has the portrait %s of its chair', (members, portrait) => {
    const clinic = { id: 'clinic', title: 'Clinic', blurb: 'Open.' }
    const record = {
      ...body('', '', []),
      kind: 'committees',
      id: 'all',
      published: { term: '2026-27', committees: [{ ...clinic, members: ['Dr. A'], portrait: 'portrait-a' }] },
    }
    const plan = planOf({ committees: { isRenewed: true, list: [{ ...clinic, members }] } })
    const years = { term: '2027-28', formerTerm: '2026-27' }
    const { rewritings } = computeContentChanges(plan, { ...present, records: [record] }, years)
    const after = rewritings.find(({ kind }) => kind === 'committees')?.after as { committees: { portrait?: string }[] }
    expect(after.committees.map((one) => one.portrait)).toEqual([portrait])
  })
})

test('a body without an earlier term begins with the name that the association gave it', () => {
  const people = [{ name: 'Dr. N', role: '', location: '' }]
  const plan = planOf({ boards: [{ body: 'board-directors', isRenewed: true, people }] })
  const { rewritings } = computeContentChanges(plan, present, { term: '2027-28', formerTerm: '2026-27' })
  expect(rewritings.find(({ id }) => id === 'board-directors.2027-28')?.after).toMatchObject({
    title: 'Council 2027-28',
  })
})
