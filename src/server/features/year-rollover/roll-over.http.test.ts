import { beforeAll, describe, expect, test } from 'vitest'
import type { RollOver, RollOverPlan, RollOverStatus } from '#contract/console/roll-over.ts'
import type { ContentRecord } from '#contract/console/content.ts'
import { newOfficer, OFFICER_PASSWORD, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const DAY_MS = 86_400_000
const PATH = '/api/console/roll-over'

/** A separate site on a given day, with a president in the console. */
function siteOn(day: string) {
  const app = useTestApp({
    environment: { RATE_LIMITS: 'x100' },
    samples: true,
    aheadMs: Date.parse(`${day}T16:00:00Z`) - Date.now(),
  })
  let officer: Awaited<ReturnType<typeof newOfficer>> | null = null
  let successor: Awaited<ReturnType<typeof newOfficer>> | null = null
  beforeAll(async () => {
    officer = await newOfficer(app(), ['president'])
    await recordSecondFactor(app(), officer.browser)
    successor = await newOfficer(app(), [])
  })
  const me = () => officer as NonNullable<typeof officer>
  const president = () => me().browser

  async function save({ id, version }: RollOver, plan: RollOverPlan) {
    return president().call('PUT', `${PATH}/${id}`, { version, plan })
  }

  async function begin(): Promise<RollOver> {
    const begun = await president().post(PATH, {})
    expect([begun.status, begun.body.message]).toEqual([201, undefined])
    return begun.body.current as RollOver
  }

  async function record(path: string): Promise<ContentRecord> {
    return (await president().get(`/api/console/content/${path}`)).body as ContentRecord
  }

  return {
    app,
    me,
    president,
    begin,
    save,
    record,
    open: async () => (await president().get(PATH)).body as RollOverStatus,

    /** A plan without obstacles: another member becomes president. */
    async ready(change: (plan: RollOverPlan) => RollOverPlan = (plan) => plan): Promise<RollOver> {
      const begun = await begin()
      const grants = begun.plan.grants
        .filter(({ role }) => role === 'president')
        .map((grant) => ({ ...grant, name: 'Any Name', accountId: successor?.accountId ?? '' }))
      const saved = await save(begun, change({ ...begun.plan, grants }))
      const { current } = saved.body as RollOverStatus
      expect([saved.status, current?.obstacles]).toEqual([200, []])
      return current as RollOver
    },

    async confirm({ id, version }: RollOver, when: 'now' | 'firstDay' = 'now') {
      return president().post(`${PATH}/${id}/confirm`, { version, when })
    },

    /** An announcement that may mention the year. */
    async notice(title: string) {
      const { value, version } = await record('notice/all')
      const saved = await president().call('PUT', '/api/console/content/notice/all', {
        value: { isOn: true, linkLabel: 'More', linkPath: '/events', ...value, title, text: 'Come.' },
        version,
        action: 'publish',
      })
      expect(saved.status).toBe(200)
    },
  }
}

/** A month before the year ends. */
const JUNE = '2027-06-01'

describe('a plan', () => {
  const { app, me, president, begin, save, record, ready, confirm } = siteOn(JUNE)

  test('is created once, saved half filled in, and shared by presidents; a concurrent save is rejected', async () => {
    const [one, two] = await Promise.all([begin(), begin()])
    expect(two.id).toBe(one.id)
    expect([one.term, one.firstDay, one.state]).toEqual(['2027-28', '2027-07-01', 'draft'])
    expect(one.plan.executive.map(({ office, name }) => [office, name])).toEqual([
      ['President', 'Dr. Tejas Amin'],
      ['President Elect', ''],
      ['Vice President', ''],
      ['Secretary', ''],
      ['Treasurer', ''],
      ['Past President', 'Dr. Meera Raghuvanshi'],
    ])
    expect(one.obstacles.map(({ step }) => step)).toContain('roles')

    const half = { ...one.plan, newLastDay: '', pastPresident: { isAdded: true, name: '', year: 2027 } }
    const saved = await save(one, half)
    expect([saved.status, saved.body.current.plan]).toEqual([200, half])
    const { browser: other } = await newOfficer(app(), ['president'])
    await recordSecondFactor(app(), other)
    expect((await other.get(PATH)).body.current.plan).toEqual(half)
    const late = await other.call('PUT', `${PATH}/${one.id}`, { version: one.version, plan: one.plan })
    expect([late.status, late.body.code]).toEqual([409, 'CHANGED_MEANWHILE'])
    const blocked = await confirm(saved.body.current as RollOver)
    expect([blocked.status, blocked.body.code]).toEqual([409, 'ROLL_OVER_BLOCKED'])
    expect(blocked.body.message).toContain('Enter the last day of this year')

    const gone = await president().call('DELETE', `${PATH}/${one.id}`)
    expect([gone.status, gone.body.current]).toEqual([200, null])
    expect((await save(one, one.plan)).status).toBe(404)
  })

  test('presidents cannot assign a role to themselves, now or later; another president can', async () => {
    const plan = await ready((proposal) => ({
      ...proposal,
      grants: proposal.grants.map((grant) => ({ ...grant, accountId: me().accountId })),
    }))
    for (const when of ['now', 'firstDay'] as const) {
      const { status, body } = await confirm(plan, when)
      expect([status, body.code]).toEqual([409, 'ROLL_OVER_BLOCKED'])
      expect(body.message).toMatch(/assigns you the role of president.*another president/)
    }
    const { browser: other } = await newOfficer(app(), ['president'])
    await recordSecondFactor(app(), other)
    const { body } = await other.post(`${PATH}/${plan.id}/confirm`, { version: plan.version, when: 'firstDay' })
    expect(body.current.state).toBe('scheduled')
    await president().call('DELETE', `${PATH}/${plan.id}`)
  })

  test('and the form of a leadership term call the bodies what the association calls them', async () => {
    const { value, version } = await record('menu/all')
    const pages = (value['pages'] as { page: string }[]).map((entry) =>
      entry.page === '/board-trustees' ? { ...entry, label: 'Council' } : entry,
    )
    const action = 'publish'
    const saved = await president().call('PUT', '/api/console/content/menu/all', { value: { pages }, version, action })
    expect(saved.status).toBe(200)
    const rollOver = await begin()
    expect(rollOver.present.names).toEqual({
      'executive-committee': 'Executive Committee',
      'board-directors': 'Board of Directors',
      'board-trustees': 'Council',
      committees: 'Committees',
    })
    const { fields } = await record('leaders/board-trustees.2024-25')
    expect(fields.find(({ name }) => name === 'body')?.options).toContainEqual({
      value: 'board-trustees',
      label: 'Council',
    })
    await president().call('DELETE', `${PATH}/${rollOver.id}`)
  })

  test('requires the president role, and a fresh code for the last step', async () => {
    const editor = await officerWith(app(), ['editor'])
    expect((await editor.get(PATH)).body.code).toBe('NOT_ALLOWED')
    const rollOver = await ready()
    await app().advance(11 * 60_000)
    expect((await confirm(rollOver)).body.code).toBe('SECOND_FACTOR_AGAIN')
    await recordSecondFactor(app(), president())
    await president().call('DELETE', `${PATH}/${rollOver.id}`)
  })
})

describe('executed now', () => {
  const { app, me, president, record, ready, confirm, open, notice: announcement } = siteOn(JUNE)

  test('everything changes together and once; each record keeps its revisions; later changes prevent undoing', async () => {
    await announcement('The year 2026-27')
    const next = await newOfficer(app(), [])
    const plan = await ready((proposal) => ({
      ...proposal,
      executive: proposal.executive.map((seat) =>
        seat.office === 'Treasurer' ? { ...seat, name: 'Dr. Ana Rao', accountId: next.accountId } : seat,
      ),
      boards: proposal.boards.map((board) => ({ ...board, isRenewed: board.body === 'board-directors' })),
      grants: [
        ...proposal.grants,
        { role: 'treasurer', name: 'Ana', accountId: next.accountId, startsOn: '2027-07-01', endsOn: '2028-06-30' },
      ],
    }))
    expect(plan.labels.map(({ where, before: old, after }) => [where, old, after])).toEqual([
      ['Executive Committee, Heading', 'Executive Committee 2025-26', 'Executive Committee 2027-28'],
      [
        'Executive Committee, Under the heading',
        'Six volunteers, elected by the members. They see …',
        'Three volunteers, elected by the members. They …',
      ],
      ['Announcement, Title', 'The year 2026-27', 'The year 2027-28'],
    ])
    expect(plan.content.map(({ title, isNew }) => [title, isNew])).toEqual([
      ['Executive Committee 2027-28', true],
      ['Board of Directors 2027-28', true],
      ['Committees', false],
      ['Past presidents', false],
      ['Announcement', false],
    ])

    const [first, second] = await Promise.all([confirm(plan), confirm(plan)])
    expect([first.status, second.status].toSorted()).toEqual([200, expect.any(Number)])
    const { current } = await open()
    expect([current?.state, current?.undo?.isPossible]).toEqual(['done', true])
    expect((await confirm(plan)).status).toBe(200)

    const executive = await record('leaders/executive-committee.2027-28')
    // Those who stay keep their portraits and biographies.
    expect(executive.value['members']).toEqual([
      expect.objectContaining({
        name: 'Dr. Tejas Amin',
        role: 'President',
        location: 'Marietta, Georgia',
        portrait: 'portrait-night-suit',
      }),
      { name: 'Dr. Ana Rao', role: 'Treasurer' },
      expect.objectContaining({
        name: 'Dr. Meera Raghuvanshi',
        role: 'Past President',
        location: 'Macon, Georgia',
        portrait: 'portrait-marigold-sari',
        bio: expect.arrayContaining([]),
      }),
    ])
    expect((await record('past-presidents/all')).value['presidents']).toContainEqual({
      name: 'Dr. Meera Raghuvanshi',
      year: 2027,
    })
    expect((await record('notice/all')).revisions.map(({ action }) => action).slice(0, 2)).toEqual([
      'published',
      'published',
    ])
    expect((await president().get('/api/console/content/leaders/board-trustees.2027-28')).status).toBe(404)
    const audit = (await president().get('/api/console/audit?q=roll_over.done')).body.entries
    expect(audit).toHaveLength(1)
    expect(audit[0].details.after.content).toContain('Executive Committee 2027-28')
    await app().drain()
    expect(
      app()
        .standins.mails(next.email)
        .filter(({ subject }) => /^You are treasurer/.test(subject ?? '')),
    ).toHaveLength(1)
    const terms = (await president().get('/api/console/officers')).body.terms as { email: string; endsOn: string }[]
    expect(
      terms
        .filter(({ email }) => email === me().email)
        .map(({ endsOn }) => endsOn)
        .toSorted(),
    ).toEqual(['2027-06-30'])

    // Later changes prevent undoing the roll-over.
    await announcement('Another year')
    const { current: touched } = await open()
    expect(touched?.undo).toMatchObject({ isPossible: false, changed: ['Announcement'] })
    const refused = await president().post(`${PATH}/${plan.id}/undo`, {})
    expect([refused.status, refused.body.code]).toEqual([409, 'ROLL_OVER_CHANGED'])
    expect(refused.body.message).toContain('Announcement')
    const { revisions, version } = await record('notice/all')
    await president().post('/api/console/content/notice/all/restore', { number: revisions[1]?.number, version })
    expect((await open()).current?.undo?.isPossible).toBe(false)
  })
})

describe('undone', () => {
  const { app, me, president, record, ready, confirm, open } = siteOn(JUNE)

  test('everything is as before, roles included; after a week it cannot be undone', async () => {
    const before = await Promise.all(['past-presidents/all', 'committees/all'].map(record))
    const plan = await ready(withPresident)
    expect((await confirm(plan)).status).toBe(200)
    expect((await record('committees/all')).value['term']).toBe('2027-28')

    const undone = await president().post(`${PATH}/${plan.id}/undo`, {})
    expect([undone.status, undone.body.current]).toEqual([200, null])
    expect((await president().post(`${PATH}/${plan.id}/undo`, {})).status).toBe(404)
    const after = await Promise.all(['past-presidents/all', 'committees/all'].map(record))
    expect(after.map(({ value }) => value)).toEqual(before.map(({ value }) => value))
    const executive = await record('leaders/executive-committee.2027-28')
    expect(executive.state).toBe('deleted')
    const { terms } = (await president().get('/api/console/officers')).body as {
      terms: { accountId: string; endsOn: string; state: string }[]
    }
    const own = terms.filter(({ accountId, state }) => accountId === me().accountId && state !== 'over')
    expect(own.map(({ endsOn }) => endsOn).toSorted()).toEqual(['2028-05-31'])

    const again = await ready(withPresident)
    expect((await confirm(again)).status).toBe(200)
    await app().advance(8 * DAY_MS)
    await president().logIn(me().email, OFFICER_PASSWORD)
    await recordSecondFactor(app(), president())
    expect(await open()).toMatchObject({ current: null, next: { term: '2028-29', firstDay: '2028-07-01' } })
    expect((await president().post(`${PATH}/${again.id}/undo`, {})).body.code).toBe('ROLL_OVER_CHANGED')
  })
})

describe('scheduled', () => {
  const { app, president, record, ready, save, confirm, open } = siteOn('2027-06-28')

  test('runs automatically on the first day; a conflicting change returns it to draft with the reason', async () => {
    const plan = await ready(withPresident)
    const scheduled = await confirm(plan, 'firstDay')
    expect([scheduled.status, scheduled.body.current.state]).toEqual([200, 'scheduled'])
    expect((await save(scheduled.body.current as RollOver, plan.plan)).body.code).toBe('CHANGED_MEANWHILE')
    const held = await president().post(`${PATH}/${plan.id}/hold`, {})
    expect([held.status, held.body.current.state]).toEqual([200, 'draft'])
    expect((await confirm(held.body.current as RollOver, 'firstDay')).status).toBe(200)
    await app().drain()
    expect((await open()).current?.state).toBe('scheduled')

    // An unpublished change of the committees blocks the scheduled roll-over.
    const { value, version } = await record('committees/all')
    await president().call('PUT', '/api/console/content/committees/all', { value, version, action: 'draft' })
    await app().advance(3 * DAY_MS)
    await recordSecondFactor(app(), president())
    await app().drain()
    const { current } = await open()
    expect([current?.state, current?.runOn]).toEqual(['draft', null])
    expect(current?.failure[0]).toMatch(/^“Committees” has unpublished changes/)

    const waiting = await record('committees/all')
    const published = waiting.revisions.find(({ action }) => action === 'published' || action === 'found')
    await president().post('/api/console/content/committees/all/restore', {
      number: published?.number,
      version: waiting.version,
    })
    const begun = await confirm(current as RollOver, 'firstDay')
    expect(begun.body.errors).toEqual({ when: 'The new year has already begun. Start it now instead.' })
    const { current: still } = await open()
    expect((await confirm(still as RollOver)).body.current.state).toBe('done')
  })
})

function withPresident(plan: RollOverPlan): RollOverPlan {
  const name = 'Dr. Ela Rao'
  return { ...plan, executive: plan.executive.map((seat) => (seat.office === 'President' ? { ...seat, name } : seat)) }
}
