import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const PROFILE = '/api/account/profile'

async function member(given: Record<string, unknown> = {}) {
  const browser = app().browser()
  const person = await browser.join({ levelKey: 'medical_student', ...given })
  const put = (body: unknown) => browser.call('PUT', PROFILE, body)
  return { browser, put, ...person }
}

const name = { first: 'Ana', last: 'Rao' }

test('stores username and name, and returns the profile', async () => {
  const { browser, put, email } = await member()
  const { status, body } = await put({ username: '  ana.new ', name: { first: ' Ana ', last: 'Rao-Iyer' } })
  expect(status).toBe(200)
  expect(body).toEqual({
    profile: {
      _id: expect.any(String) as string,
      username: 'ana.new',
      email,
      name: { first: 'Ana', last: 'Rao-Iyer' },
      createdAt: expect.any(String) as string,
    },
  })
  expect((await browser.get(PROFILE)).body.profile).toEqual(body.profile)
})

test('the new username logs in; the former one does not, and others can use it', async () => {
  const { put, username } = await member()
  const fresh = `${username}-new`
  await put({ username: fresh, name })
  expect((await app().browser().logIn(fresh)).status).toBe(200)
  expect((await app().browser().logIn(username)).status).toBe(401)
  const other = await member()
  expect((await other.put({ username, name })).status).toBe(200)
})

test('another spelling of the own username is not a new name', async () => {
  const { put, username } = await member()
  expect((await put({ username: username.toUpperCase(), name })).body.profile.username).toBe(username.toUpperCase())
  expect((await app().browser().logIn(username)).status).toBe(200)
})

describe('a taken username is reported under its field (409)', () => {
  const TAKEN = {
    message: 'This username is already taken. Please choose another.',
    code: 'USERNAME_TAKEN',
    errors: { username: 'This username is already taken. Please choose another.' },
  }

  test('taken by an account, in any spelling', async () => {
    const [ana, meera] = [await member(), await member()]
    const { status, body } = await ana.put({ username: meera.username.toUpperCase(), name })
    expect([status, body]).toEqual([409, TAKEN])
    expect((await ana.browser.get(PROFILE)).body.profile).toMatchObject({ username: ana.username })
  })

  test('taken by a pending registration, for its 24 hours', async () => {
    const { put } = await member()
    const { person } = await app().browser().register()
    expect((await put({ username: person.username, name })).body).toEqual(TAKEN)
    await app().advance(DAY_MS + 1)
    expect((await put({ username: person.username, name })).status).toBe(200)
  })

  test('of six concurrent requests for one username, one succeeds', async () => {
    const members = await Promise.all(Array.from({ length: 6 }, () => member()))
    const answers = await Promise.all(members.map(({ put }) => put({ username: 'wanted-by-all', name })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
  })
})

describe('a username that looks like an address (docs/product-rules.md#usernames)', () => {
  test('may be the own address, and logs in', async () => {
    const { put, email } = await member()
    expect((await put({ username: email, name })).body.profile.username).toBe(email)
    expect((await app().browser().logIn(email)).status).toBe(200)
    expect((await put({ username: 'plain-again-1', name })).status).toBe(200)
    expect((await app().browser().logIn(email)).status).toBe(200)
  })

  test('may not be another address, and does not reveal whether that address has an account', async () => {
    const [ana, meera] = [await member(), await member()]
    const answers = await Promise.all(
      [meera.email, 'unknown.person@example.com'].map((username) => ana.put({ username, name })),
    )
    expect(answers[0]?.status).toBe(400)
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    expect(answers[0]?.body.errors.username).toBe(
      'A username that looks like an email address must be your own email address.',
    )
  })
})

describe('what is rejected, with the fixed sentences', () => {
  const REQUIRED = 'Username is required'
  test.each([
    [{ username: '', name }, { username: REQUIRED }],
    [{ username: '   ', name }, { username: REQUIRED }],
    [{ name }, { username: REQUIRED }],
    [{ username: ' ab ', name }, { username: 'Username must be at least 3 characters long' }],
    [{ username: 'x'.repeat(31), name }, { username: 'Username cannot exceed 30 characters' }],
    [
      { username: '.dot', name },
      {
        username:
          'Username must contain only letters, numbers, hyphens, underscores, periods, and @ symbols, and must start with a letter or number',
      },
    ],
    [{ username: 'fine', name: { first: ' ', last: 'Rao' } }, { 'name.first': 'First name is required' }],
    [{ username: 'fine', name: { first: 'Ana' } }, { 'name.last': 'Last name is required' }],
    [
      { username: 'fine', name: { first: 'x'.repeat(51), last: 'y'.repeat(51) } },
      {
        'name.first': 'First name cannot exceed 50 characters',
        'name.last': 'Last name cannot exceed 50 characters',
      },
    ],
    [{ username: 'fine' }, { name: 'First name is required' }],
    [{}, { username: REQUIRED, name: 'First name is required' }],
  ])('%j', async (body, errors) => {
    const { put } = await member()
    const answer = await put(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ message: Object.values(errors)[0], code: 'INVALID_INPUT', errors })
  })

  test('ignores all other fields of a request', async () => {
    const { browser, put, email } = await member()
    const before = (await browser.get(PROFILE)).body
    const more = { _id: 'x', email: 'else@example.com', role: 'officer', isOfficer: true, createdAt: '1990-01-01' }
    await put({ username: 'no-more-1', name: { ...name, middle: 'x' }, ...more })
    expect((await browser.get(PROFILE)).body).toEqual({
      ...before,
      profile: { ...before.profile, username: 'no-more-1', name },
    })
    const row = await app().database.db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst()
    expect(row?.isOfficer).toBe(0)
  })
})

describe('two tabs that save different profiles', () => {
  test('with the previous values, the second save is rejected and nothing is lost', async () => {
    const { browser, put, username } = await member()
    const seen = { username, name: { first: 'Meera', last: 'Raghuvanshi' } }
    expect((await put({ username, name: { first: 'First', last: 'Tab' }, seen })).status).toBe(200)
    const second = await put({ username, name: { first: 'Second', last: 'Tab' }, seen })
    expect(second.status).toBe(409)
    expect(second.body).toEqual({
      message:
        'Your profile was changed elsewhere in the meantime. Check the current version, then save again to replace it.',
      code: 'PROFILE_CHANGED',
    })
    expect((await browser.get(PROFILE)).body.profile.name).toEqual({ first: 'First', last: 'Tab' })
  })

  test('of ten concurrent saves with the same previous values, one is stored', async () => {
    const { put, username } = await member()
    const seen = { username, name: { first: 'Meera', last: 'Raghuvanshi' } }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, tab) => put({ username, name: { first: `Tab ${tab}`, last: 'Rao' }, seen })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  })

  test('without them the last one wins, as the specification requires', async () => {
    const { put, username } = await member()
    await put({ username, name: { first: 'First', last: 'Tab' } })
    expect((await put({ username, name: { first: 'Second', last: 'Tab' } })).body.profile.name.first).toBe('Second')
  })
})
