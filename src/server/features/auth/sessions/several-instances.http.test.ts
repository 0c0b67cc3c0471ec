import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'

// Like running `npm start` twice on the same data folder: without SITE_URL, each instance derives it from its PORT.
let first: TestApp
let second: TestApp
beforeAll(async () => {
  const environment = (port: number) => ({ SITE_URL: '', PORT: String(port) })
  first = await createTestApp({ environment: environment(23_010) })
  const { database, standins } = first
  second = await createTestApp({ database, standins, environment: environment(23_020) })
})
afterAll(async () => {
  await second.app.close()
  await first[Symbol.asyncDispose]()
})

/** The same person on the other instance. */
function movedTo(app: TestApp, from: TestBrowser): TestBrowser {
  const browser = app.browser()
  browser.token = from.token
  for (const [name, value] of from.cookies) browser.cookies.set(name, value)
  return browser
}

test('each instance uses its own port in its address', () => {
  expect([first.config.siteUrl, second.config.siteUrl]).toEqual(['http://localhost:23010', 'http://localhost:23020'])
})

test('a session of one instance is valid on the other, both ways', async () => {
  const member = first.browser()
  const person = await member.join({ levelKey: 'medical_student' })
  expect((await movedTo(second, member).get('/api/account/profile')).status).toBe(200)
  const again = second.browser()
  expect((await again.logIn(person.email)).status).toBe(200)
  expect((await movedTo(first, again).get('/api/account/profile')).status).toBe(200)
})

test('a password changed on one instance ends older sessions on the other', async () => {
  const member = first.browser()
  const person = await member.join({ levelKey: 'medical_student' })
  const elsewhere = movedTo(second, member)
  const changed = await elsewhere.call('PUT', '/api/account/password', {
    currentPassword: person.password,
    newPassword: 'monsoon-in-savannah',
  })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  expect((await member.get('/api/account/profile')).status).toBe(401)
  member.token = changed.body.token as string
  expect((await member.get('/api/account/profile')).status).toBe(200)
})

test('a registration started on one instance is completed on the other', async () => {
  const visitor = first.browser()
  const { person } = await visitor.register({ levelKey: 'medical_student' })
  await visitor.verify(person.email)
  const { levelKey, email, firstName, lastName } = person
  const start = await movedTo(second, visitor).post('/api/stripe/checkout/start', {
    levelKey,
    email,
    firstName,
    lastName,
  })
  expect([start.status, start.body.completed]).toEqual([200, true])
  const member = first.browser()
  member.token = start.body.token as string
  expect((await member.get('/api/account/profile')).status).toBe(200)
})

test('a view opened on one instance is shown by the other', async () => {
  const member = first.browser()
  const { email } = await member.join({ levelKey: 'medical_student' })
  const { id } = await first.database.db
    .selectFrom('account')
    .select('id')
    .where('emailKey', '=', email)
    .executeTakeFirstOrThrow()
  const { browser: officer } = await newOfficer(first, ['president'])
  await recordSecondFactor(first, officer)
  const opened = await officer.post(`/api/console/members/${id}/view-as`, { reason: 'Cannot find the receipt' })
  expect(opened.status, JSON.stringify(opened.body)).toBe(201)
  const view = second.browser()
  view.token = opened.body.token as string
  const shown = await view.get('/api/account/profile')
  expect([shown.status, JSON.stringify(shown.body)]).toEqual([200, expect.stringContaining(email)])
})
