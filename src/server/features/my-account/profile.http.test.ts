import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ samples: true })

test('returns profile and membership, with ISO 8601 timestamps, and nothing else', async () => {
  const browser = app().browser()
  const person = await browser.join({ levelKey: 'annual_member', firstName: 'Meera', lastName: "D'Souza" })
  const { status, body } = await browser.get('/api/account/profile')
  expect(status).toBe(200)
  const iso = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as string
  expect(body).toEqual({
    profile: {
      _id: expect.any(String) as string,
      username: person.username,
      email: person.email,
      name: { first: 'Meera', last: "D'Souza" },
      createdAt: iso,
    },
    subscription: {
      kind: 'RECURRING',
      status: 'ACTIVE',
      startDate: iso,
      nextBillDate: iso,
      cancelDate: null,
      renewal: 'automatic',
      membershipLevel: {
        _id: expect.any(String) as string,
        key: 'annual_member',
        name: 'Annual Member',
        description: expect.any(String) as string,
        unitAmount: 10_000,
        currency: 'usd',
        interval: 'year',
        intervalCount: 1,
        isRecurring: true,
      },
    },
  })
})

test('a level that is no longer sold is still shown to its members', async () => {
  const browser = app().browser()
  await browser.join({ levelKey: 'resident_fellow' })
  await app()
    .database.db.updateTable('membershipLevel')
    .set({ isOnSale: 0 })
    .where('key', '=', 'resident_fellow')
    .execute()
  expect((await browser.get('/api/account/profile')).body.subscription).toMatchObject({
    membershipLevel: { key: 'resident_fellow' },
  })
  await app()
    .database.db.updateTable('membershipLevel')
    .set({ isOnSale: 1 })
    .where('key', '=', 'resident_fellow')
    .execute()
})

test('query and body have no effect: only the bearer token counts', async () => {
  const [ana, other] = [app().browser(), app().browser()]
  const person = await ana.join({ levelKey: 'medical_student' })
  await other.join({ levelKey: 'medical_student' })
  const { body: others } = await other.get('/api/account/profile')
  const { body } = await ana.get(
    `/api/account/profile?userId=${others.profile._id as string}&_id=${others.profile._id as string}&fields=password_hash`,
  )
  expect(body.profile.email).toBe(person.email)
  expect(JSON.stringify(body)).not.toMatch(/argon2|hash|token_version|cus_|is_officer/)
})

test.each([
  ['annual@example.org', 'RECURRING', 'ACTIVE', 'annual_member'],
  ['life@example.org', 'ONE_TIME', 'ACTIVE', 'life_member'],
  ['lapsed@example.org', 'RECURRING', 'EXPIRED', 'annual_member'],
  ['student@example.org', 'RECURRING', 'ACTIVE', 'medical_student'],
  ['officer@example.org', 'ONE_TIME', 'ACTIVE', 'life_member'],
])('the sample member %s logs in and is %s, %s, %s', async (email, kind, status, key) => {
  const answer = await app().browser().logIn(email, 'Peachtree-1987')
  expect(answer.status).toBe(200)
  expect(answer.body.subscription).toMatchObject({ kind, status, membershipLevel: { key } })
  if (kind === 'ONE_TIME') expect(answer.body.subscription).toMatchObject({ nextBillDate: null, cancelDate: null })
  if (status === 'EXPIRED') expect(Date.parse(answer.body.subscription.cancelDate as string)).toBeLessThan(app().now())
})
