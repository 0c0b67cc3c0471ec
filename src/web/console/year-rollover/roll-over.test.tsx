import { cleanup, screen, within, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { RollOver, RollOverPlan, RollOverStatus } from '#contract/console/roll-over.ts'
import { errorResponse, tokenFor, useFakeApi } from '#tests/support/web/fake-api.ts'
import { renderPage } from '#tests/support/web/page-test-helpers.tsx'
import RollOverPage from './roll-over.tsx'

const api = useFakeApi()
const PATH = '/api/console/roll-over'
beforeEach(() => localStorage.setItem('token', tokenFor(3_600)))

const plan: RollOverPlan = {
  lastDay: '2027-06-30',
  newLastDay: '2028-06-30',
  executive: [
    { office: 'President', name: 'Dr. Elect', location: 'Rome', accountId: null },
    { office: 'Treasurer', name: '', location: '', accountId: null },
  ],
  boards: [
    { body: 'board-directors', isRenewed: true, people: [{ name: 'Dr. Director', role: '', location: 'Athens' }] },
  ],
  committees: { isRenewed: true, list: [{ id: 'clinic', title: 'Clinic', blurb: 'Helps.', members: ['Dr. C'] }] },
  grants: [{ role: 'treasurer', name: '', accountId: null, startsOn: '2027-07-01', endsOn: '2028-06-30' }],
  endings: ['t1'],
  pastPresident: { isAdded: true, name: 'Dr. Now', year: 2027 },
  keptLabels: [],
}

const draft: RollOver = {
  id: 'r1',
  state: 'draft',
  version: 1,
  plan,
  term: '2027-28',
  formerTerm: '2026-27',
  firstDay: '2027-07-01',
  isAhead: true,
  savedAt: '2027-06-01T12:00:00.000Z',
  savedBy: 'Lakshmi Iyer',
  runOn: null,
  failure: [],
  present: {
    names: {
      'executive-committee': 'Executive Committee',
      'board-directors': 'Council',
      'board-trustees': 'Board of Trustees',
      committees: 'Working groups',
    },
    executive: [{ name: 'Dr. Cash', role: 'Treasurer', location: 'Tifton' }],
    executiveTerm: '2026-27',
    boards: [{ body: 'board-directors', title: 'Board of Directors', term: '2026-27' }],
    committeesTerm: '2026-27',
    terms: [
      {
        id: 't1',
        name: 'Lakshmi Iyer',
        email: 'l@example.org',
        role: 'president',
        startsOn: '2026-07-01',
        endsOn: '2027-09-30',
      },
    ],
  },
  members: [],
  labels: [
    { key: 'notice/all:title', where: 'Notice, Title', before: '2026-27', after: '2027-28', isLeftAlone: false },
    { key: 'faq/all:x', where: 'Questions', before: '2026-27', after: '2027-28', isLeftAlone: true },
  ],
  content: [
    {
      title: 'Executive Committee 2027-28',
      path: '/console/content/leaders/executive-committee.2027-28',
      isNew: true,
      differences: [{ field: 'Heading', lines: [{ change: 'added', text: 'Executive Committee 2027-28' }] }],
    },
  ],
  roles: [
    { name: 'Ana Rao', role: 'treasurer', change: 'given', before: null, after: 'July 1, 2027 to June 30, 2028' },
  ],
  obstacles: [],
  doneAt: null,
  undo: null,
}

function status(current: Partial<RollOver> | null): RollOverStatus {
  const next = { term: '2027-28', firstDay: '2027-07-01', lastDay: '2027-06-30' }
  return { current: current && { ...draft, ...current }, next }
}

/** The plan as it was sent last. */
function lastSent(): RollOverPlan {
  const body = api.current.requestsTo(`PUT ${PATH}/r1`).at(-1)?.body as { plan: RollOverPlan } | undefined
  return body?.plan ?? plan
}

function open(step = '') {
  return renderPage(RollOverPage, { at: `/console/roll-over${step && `?step=${step}`}` })
}

test('a plan is started, and discarded only after a confirmation', async () => {
  api.current
    .on(`GET ${PATH}`, { body: status(null) })
    .on(`POST ${PATH}`, { status: 201, body: status({}) })
    .on(`DELETE ${PATH}/r1`, { body: status(null) })
  const { person } = open()
  await person.click(await screen.findByRole('button', { name: 'Set up the 2027-28 term' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Last day of the current term')).value).toBe('2027-06-30')
  await person.click(screen.getByRole('button', { name: 'Discard plan' }))
  await person.click(await screen.findByRole('button', { name: 'Discard' }))
  await screen.findByText('Plan discarded. Nothing was changed.')
})

test('a member is found while the name is typed, brings the role along, and what is typed is kept by itself', async () => {
  const ana = { id: 'ana', firstName: 'Ana', lastName: 'Rao', email: 'ana@example.org' }
  const none = { level: null, startedAt: null, endsAt: null, renewal: null, credentials: null, lastPayment: null }
  const details = { username: 'ana', state: 'ACTIVE', joinedAt: '', ...none }
  api.current
    .on(`GET ${PATH}`, { body: status({}) })
    .on(`PUT ${PATH}/r1`, { body: status({ version: 2 }) })
    .on('GET /api/console/members', {
      body: {
        members: [{ ...ana, ...details }],
        total: 1,
        suggestions: [],
        levels: [],
        mayExport: true,
        fields: [],
        mayLookAtMoney: true,
      },
    })
  const { person } = open('executive')
  await person.type(await screen.findByLabelText('Who is Treasurer?'), 'Dr. Ana R')
  await person.click(await screen.findByRole('button', { name: /^Ana Rao/ }))
  await person.type(screen.getAllByLabelText('City (optional)')[1] as HTMLElement, 'Macon')
  await screen.findByText('Saved.')
  const treasurer = { name: 'Ana Rao', accountId: 'ana' }
  expect(lastSent().executive[1]).toEqual({ office: 'Treasurer', location: 'Macon', ...treasurer })
  expect(lastSent().grants[0]).toMatchObject(treasurer)
  expect(api.current.requestsTo('GET /api/console/members').at(-1)?.query).toEqual({ q: 'Ana R' })

  await person.click(screen.getByRole('button', { name: 'Dr. Cash stays Treasurer' }))
  await person.click(screen.getByRole('link', { name: 'Next: Boards and committees' }))
  await screen.findByText('Saved.')
  expect(lastSent().executive[1]).toEqual({
    office: 'Treasurer',
    name: 'Dr. Cash',
    location: 'Tifton',
    accountId: null,
  })
})

test('boards stay or begin a list, roles end or stay, labels may stay as they are', async () => {
  api.current.on(`GET ${PATH}`, { body: status({}) }).on(`PUT ${PATH}/r1`, { body: status({ version: 2 }) })
  const { person } = open('boards')
  await person.click(await screen.findByRole('checkbox', { name: /^Set up Council for 2027-28 \(now shown/ }))
  screen.getByText('No change.')
  await person.click(screen.getByRole('link', { name: 'Next: Roles' }))
  await person.click(await screen.findByRole('checkbox', { name: /^Lakshmi Iyer, president/ }))
  await person.click(screen.getByRole('button', { name: 'Remove role Treasurer' }))
  await person.click(screen.getByRole('button', { name: 'Add role' }))
  await person.selectOptions(screen.getByLabelText('Role'), 'Editor')
  await person.click(screen.getByRole('link', { name: 'Next: Past presidents' }))
  await person.click(await screen.findByRole('checkbox', { name: 'Add the outgoing president to the list' }))
  await person.click(screen.getByRole('link', { name: 'Next: Labels' }))
  await person.click(await screen.findByRole('checkbox', { name: /^Notice, Title/ }))
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^Questions/ }).disabled).toBe(true)
  await screen.findByText('Saved.')
  expect(lastSent()).toMatchObject({
    boards: [{ isRenewed: false }],
    endings: [],
    grants: [{ role: 'editor', accountId: null, endsOn: '2028-06-30' }],
    pastPresident: { isAdded: false },
    keptLabels: ['notice/all:title'],
  })
})

test('what was typed outlives a lost network and a closed tab', async () => {
  api.current.on(`GET ${PATH}`, { body: status({}) }).on(`PUT ${PATH}/r1`, 'no network')
  const { person } = open('past')
  await person.type(await screen.findByLabelText('Name'), ', MD')
  await screen.findByText(/We couldn’t reach the site/)
  cleanup()
  api.current.on(`PUT ${PATH}/r1`, { body: status({ version: 2 }) })
  open('past')
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('Dr. Now, MD')
  await screen.findByText('Saved.')
  expect(lastSent().pastPresident.name).toBe('Dr. Now, MD')
})

test('the year of the past president is typed like any other text', async () => {
  api.current.on(`GET ${PATH}`, { body: status({}) }).on(`PUT ${PATH}/r1`, { body: status({ version: 2 }) })
  const { person } = open('past')
  const year = await screen.findByLabelText<HTMLInputElement>('Year')
  await person.type(year, '{Backspace}')
  expect(year.value).toBe('202')
  await person.type(year, '8')
  expect(year.value).toBe('2028')
  await screen.findByText('Saved.')
  expect(lastSent().pastPresident.year).toBe(2028)
  await person.clear(year)
  expect(year.value).toBe('')
  await person.tab()
  expect(year.value).toBe('2028')
})

test('after an edit conflict the president chooses which plan to keep', async () => {
  const theirs = { version: 5, savedBy: 'Ela Rao', plan: { ...plan, newLastDay: '2028-07-31' } }
  api.current
    .on(`GET ${PATH}`, { body: status({}) }, { body: status(theirs) })
    .on(`PUT ${PATH}/r1`, errorResponse(409, 'CHANGED_MEANWHILE', 'Someone else changed this in the meantime.'), {
      body: status({ version: 6 }),
    })
  const { person } = open('past')
  await person.type(await screen.findByLabelText('Name'), '!')
  const alert = await screen.findByRole('alert')
  within(alert).getByText(/^Ela Rao saved a newer version/)
  await person.click(within(alert).getByRole('button', { name: 'Keep my version' }))
  await screen.findByText('Saved.')
  expect(api.current.requestsTo(`PUT ${PATH}/r1`)[1]?.body).toMatchObject({
    version: 5,
    plan: { newLastDay: '2028-06-30', pastPresident: { name: 'Dr. Now!' } },
  })
})

test('obstacles link to their step and disable the confirmation', async () => {
  const obstacles = [{ step: 'executive' as const, sentence: 'Enter who is president.' }]
  api.current.on(`GET ${PATH}`, { body: status({ obstacles }) })
  const { person } = open('overview')
  await screen.findByText('Enter who is president.')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Start now' }).disabled).toBe(true)
  const banner = screen.getByText('Resolve these first').parentElement as HTMLElement
  await person.click(within(banner).getByRole('link', { name: 'Executive Committee' }))
  await screen.findByLabelText('Who is President?')
})

test('the overview lists all changes; it is scheduled after a confirmation, and unscheduled', async () => {
  const scheduled = status({ state: 'scheduled', runOn: '2027-07-01' })
  api.current
    .on(`GET ${PATH}`, { body: status({}) })
    .on(`POST ${PATH}/r1/confirm`, { body: scheduled })
    .on(`POST ${PATH}/r1/hold`, { body: status({ version: 3 }) })
  const { person } = open('overview')
  await screen.findByText('1 email will be sent to new officers.')
  await person.click(screen.getByRole('button', { name: 'Schedule for July 1, 2027' }))
  expect(api.current.requestsTo(`POST ${PATH}/r1/confirm`)).toEqual([])
  await person.click(await screen.findByRole('button', { name: 'Schedule' }))
  await screen.findByText('The 2027-28 term is scheduled to start')
  expect(api.current.requestsTo(`POST ${PATH}/r1/confirm`)[0]?.body).toEqual({ version: 1, when: 'firstDay' })
  await person.click(screen.getByRole('button', { name: 'Unschedule' }))
  await screen.findByRole('button', { name: 'Discard plan' })
})

test('done: it can be undone after a question; what was changed since is named and stands in the way', async () => {
  const until = '2027-07-08T12:00:00.000Z'
  const done = { state: 'done' as const, doneAt: '2027-07-01T12:00:00.000Z' }
  api.current
    .on(`GET ${PATH}`, { body: status({ ...done, undo: { until, isPossible: true, changed: [] } }) })
    .on(`POST ${PATH}/r1/undo`, { body: status(null) })
  const { person } = open()
  await screen.findByText('The 2027-28 term has started')
  await person.click(screen.getByRole('button', { name: 'Undo' }))
  await person.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByRole('button', { name: 'Set up the 2027-28 term' })
  expect(screen.queryByText('The 2027-28 term has started')).toBeNull()
  cleanup()

  const changed = ['Notice']
  api.current.on(`GET ${PATH}`, { body: status({ ...done, undo: { until, isPossible: false, changed } }) })
  open()
  await screen.findByText('Notice')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a name that looks half-typed is asked about, and is taken as it is when the officer says so', async () => {
  const obstacles = [{ step: 'executive' as const, sentence: 'Is “Rekha” the whole name?', asksAbout: 'Rekha' }]
  api.current.on(`GET ${PATH}`, { body: status({ obstacles }) }).on(`PUT ${PATH}/r1`, { body: status({ version: 2 }) })
  const { person } = open('overview')
  await screen.findByText(/Is “Rekha” the whole name/)
  await person.click(screen.getByRole('button', { name: '“Rekha” is the full name' }))
  await waitFor(() => expect(screen.queryByText(/Is “Rekha” the whole name/)).toBeNull())
  expect(lastSent().wholeNames).toEqual(['Rekha'])
})
