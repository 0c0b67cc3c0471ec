import { beforeEach, describe, expect, test } from 'vitest'
import type { VisibleValue } from '#contract/public/my-account/member-record.ts'
import { joinForDirectory, type DirectoryMember } from '#tests/support/content/directory.ts'
import { officerWith } from '#tests/support/officers.ts'
import { DAY_MS, deactivate } from '#tests/support/people.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const FIELDS = [
  lineField('specialty', { kind: 'choice', choices: ['Cardiology', 'Urology'], widest: 'everyone' }),
  lineField('languages', { kind: 'choices', choices: ['Hindi', 'Odia'], widest: 'everyone' }),
  lineField('city', { widest: 'everyone' }),
  lineField('phone', { kind: 'phone' }),
  lineField('home', { kind: 'address', widest: 'officers' }),
]
const MEMBERS = { specialty: 'members', languages: 'members', city: 'members', phone: 'members' }
beforeEach(() => publishFields(app(), FIELDS))

const NAMES =
  'Patnaik Bhatt Desai Gill Iyer Krishnan Mathur Mukherjee Saxena Siddiqui Ahmed Joshi Varma Thakkar Fernandes Bose Wagle Quadri Zachariah Ojha Lobo Hegde Unni Ezhava Yohannan Acharya Nambiar Tripathi'.split(
    ' ',
  )
let number = 0
/** A listed member with a name of her own, so that the tests do not find each other's people. */
async function listed(given: Record<string, unknown> = {}): Promise<DirectoryMember & { lastName: string }> {
  const lastName = NAMES[number++] ?? ''
  const member = await joinForDirectory(app(), { firstName: 'Kadambari', lastName, ...given })
  await member.put({ specialty: 'Cardiology', languages: ['Odia'], city: 'Mâcon', phone: '478 555 0142' }, MEMBERS)
  await member.choose()
  return { ...member, lastName }
}

const search = async (by: DirectoryMember, query: Record<string, string>) =>
  by.browser.get(`/api/directory?${new URLSearchParams(query)}`)
const names = async (by: DirectoryMember, query: Record<string, string>) =>
  ((await search(by, query)).body.people as { lastName: string }[]).map(({ lastName }) => lastName)

describe('who may see it', () => {
  test('without a token: 401, without a name', async () => {
    const { lastName } = await listed()
    const { status, body } = await app().browser().get('/api/directory')
    expect(status).toBe(401)
    expect(JSON.stringify(body)).not.toContain(lastName)
  })

  test('a member whose membership ended gets 403 with a code, stays logged in, and is no longer found', async () => {
    const [reader, ended] = [await listed(), await listed()]
    await app()
      .database.db.updateTable('membership')
      .set({ endsAt: app().now() - 1 })
      .where('accountId', '=', ended.id)
      .execute()
    const { status, body } = await search(ended, {})
    expect([status, body.code]).toEqual([403, 'ACTIVE_MEMBERSHIP_REQUIRED'])
    expect((await ended.browser.get('/api/account/profile')).status).toBe(200)
    expect(await names(reader, { q: ended.lastName })).toEqual([])
  })

  test('one whose renewal failed neither sees nor is seen', async () => {
    const [reader, owing] = [await listed(), await listed()]
    await app()
      .database.db.updateTable('membership')
      .set({ stripeStatus: 'past_due', pastDueSince: app().now() - DAY_MS })
      .where('accountId', '=', owing.id)
      .execute()
    expect((await search(owing, {})).status).toBe(403)
    expect(await names(reader, { q: owing.lastName })).toEqual([])
  })

  test('responses are kept in no cache', async () => {
    const reader = await listed()
    expect((await search(reader, {})).headers.get('cache-control')).toBe('no-store')
  })
})

describe('who is listed', () => {
  test('no one who chose nothing', async () => {
    const reader = await listed()
    const silent = await joinForDirectory(app(), { lastName: 'Zzilent' })
    expect((await silent.browser.get('/api/account/directory')).body).toMatchObject({
      inMembers: false,
      inPublic: false,
    })
    expect(await names(reader, { q: 'Zzilent' })).toEqual([])
  })

  test.each<[string, (member: DirectoryMember) => Promise<unknown>]>([
    ['switches it off', (member) => member.choose({ inMembers: false })],
    ['is disabled', (member) => deactivate(app(), member.email, 'officer')],
    [
      'deletes the account',
      (member) => member.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' }),
    ],
    [
      'is taken out by an officer',
      async (member) => {
        const officer = await officerWith(app(), ['secretary'])
        const { status } = await officer.post(`/api/console/members/${member.id}/directory/remove`, {})
        expect(status).toBe(200)
      },
    ],
  ])('someone who %s is gone from search and entry at once', async (_name, leave) => {
    const [reader, member] = [await listed(), await listed()]
    const { entryId } = (await member.browser.get('/api/account/directory')).body
    expect(await names(reader, { q: member.lastName })).toEqual([member.lastName])
    await leave(member)
    expect(await names(reader, { q: member.lastName })).toEqual([])
    expect((await reader.browser.get(`/api/directory/${entryId}`)).status).toBe(404)
  })

  test('a deletion leaves nothing in the directory’s tables', async () => {
    const member = await listed()
    await member.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
    const { db } = app().database
    for (const table of ['directoryListing', 'directoryWord'] as const)
      expect(await db.selectFrom(table).select('accountId').where('accountId', '=', member.id).execute()).toEqual([])
    expect(
      await db
        .selectFrom('directorySpelling')
        .select('word')
        .where('word', '=', member.lastName.toLowerCase())
        .execute(),
    ).toEqual([])
  })
})

describe('what is found', () => {
  test('by name, value and filter, in any spelling, and only by what members see', async () => {
    const reader = await listed()
    const member = await listed({ firstName: 'Zubeïda' })
    const { lastName } = member
    for (const query of [
      { q: `zubeida ${lastName}` },
      { q: `${lastName} macon` },
      { q: `Zubaida ${lastName} cardiolgy` },
      { q: lastName, 'field.specialty': 'Cardiology' },
      { q: lastName, 'field.languages': 'Odia', 'field.city': 'macon' },
    ] as Record<string, string>[])
      expect(await names(reader, query)).toEqual([lastName])
    for (const query of [
      { q: lastName, 'field.specialty': 'Urology' },
      { q: lastName, 'field.phone': 'x' },
      { q: `${lastName} nowhere` },
    ] as Record<string, string>[])
      expect(await names(reader, query)).toEqual([])
    await member.put({}, { specialty: 'officers' })
    expect(await names(reader, { q: `${lastName} cardiology` })).toEqual([])
    expect(await names(reader, { q: lastName, 'field.specialty': 'Cardiology' })).toEqual([])
  })

  test('a value whose field officers narrowed is neither shown nor found, without a change of the member', async () => {
    const [reader, member] = [await listed(), await listed()]
    await publishFields(app(), [
      lineField('city', { widest: 'officers' }),
      ...FIELDS.filter(({ key }) => key !== 'city'),
    ])
    expect(await names(reader, { q: `${member.lastName} macon` })).toEqual([])
    const { body } = await search(reader, { q: member.lastName })
    expect(JSON.stringify(body)).not.toContain('Mâcon')
  })

  test('stored words that are outdated show no one', async () => {
    const [reader, member] = [await listed(), await listed()]
    const row = { accountId: member.id, fieldKey: 'city', word: 'athens' }
    await app().database.db.insertInto('directoryWord').values(row).execute()
    await app().database.db.insertInto('directorySpelling').values({ spelling: 'athens*', word: 'athens' }).execute()
    expect(await names(reader, { q: `${member.lastName} athens` })).toEqual([])
  })

  test('a new name is found at once, the former one is not', async () => {
    const [reader, member] = [await listed(), await listed()]
    const { username } = (await member.browser.get('/api/account/profile')).body.profile
    const body = { username, name: { first: 'Kadambari', last: 'Xerxesson' } }
    expect((await member.browser.call('PUT', '/api/account/profile', body)).status).toBe(200)
    expect(await names(reader, { q: 'xerxesson' })).toEqual(['Xerxesson'])
    expect(await names(reader, { q: member.lastName })).toEqual([])
  })
})

test('an entry is byte for byte what its owner sees as “another member”, and has no address', async () => {
  const [reader, member] = [await listed(), await listed()]
  await member.put(
    { home: { lines: ['1 Hidden St'], city: 'Rome', region: '', postalCode: '', country: '' } },
    { home: 'owner' },
  )
  const { entryId } = await member.choose()
  const { body } = await reader.browser.get(`/api/directory/${entryId}`)
  const text = JSON.stringify(body)
  const own = (await member.browser.get('/api/account/record/seen-as/member')).body.values as VisibleValue[]
  expect(JSON.stringify(body.values)).toBe(JSON.stringify(own))
  expect(text).not.toContain(member.email)
  expect(text).not.toContain('Hidden')
  expect(text).not.toContain(member.id)
  expect((await member.browser.get(`/api/directory/${entryId}`)).body).toMatchObject({
    isOwn: true,
    takesMessages: false,
  })
})

test('officers see the choice and take out, not in; the audit log says who', async () => {
  const member = await listed()
  const officer = await officerWith(app(), ['secretary'])
  const path = `/api/console/members/${member.id}/directory`
  expect((await officer.get(path)).body).toEqual({
    inMembers: true,
    inPublic: false,
    isShownToMembers: true,
    isShownToPublic: false,
    mayRemove: true,
  })
  for (let time = 0; time < 2; time++)
    expect((await officer.post(`${path}/remove`, {})).body).toMatchObject({ inMembers: false, mayRemove: false })
  const rows = await app()
    .database.db.selectFrom('audit')
    .select('details')
    .where('action', '=', 'directory.removed')
    .where('subjectId', '=', member.id)
    .execute()
  expect(rows).toHaveLength(1)
  expect((await (await officerWith(app(), ['viewer'])).post(`${path}/remove`, {})).body.code).toBe('NOT_ALLOWED')
})

test('the download of personal data has the choice', async () => {
  const member = await listed()
  const { body } = await member.browser.get('/api/account/data')
  expect(body.directory).toEqual({ inMembers: true, inPublic: false, takesMessages: true })
})
