import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

test('members get all data stored about them, without secrets or data of others', async () => {
  const browser = app().browser()
  const person = await browser.join({ levelKey: 'annual_member' })
  const { email } = person
  await app().browser().join({ levelKey: 'life_member' })
  const visitor = app().browser()
  await visitor.post('/api/contact', {
    name: 'Meera',
    email: email.toUpperCase(),
    subject: 'Parking',
    message: 'Where may one park at the gala?',
    recaptchaToken: await visitor.botToken('contact_form'),
  })
  await visitor.post('/api/newsletter/subscribe', {
    email,
    source: 'homepage',
    recaptchaToken: await visitor.botToken('newsletter_subscribe'),
  })
  await app().drain()

  const { status, body } = await browser.get('/api/account/data')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    account: { email, username: person.username },
    memberships: [{ level: 'annual_member', kind: 'RECURRING', isCurrent: true, endedAt: null }],
    payments: [{ level: 'annual_member', amount: 10_000, currency: 'usd' }],
    consents: [{ kind: 'terms', version: '2026-11-01' }],
    sessions: [{ browser: 'Chrome on Linux', endedAt: null }],
    newsletter: { email, state: 'pending', source: 'homepage' },
    messages: [{ subject: 'Parking', message: 'Where may one park at the gala?', answeredAt: null }],
    sponsorships: [],
    events: [],
  })
  expect(body.history.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['account.created', 'membership.started']),
  )
  expect(JSON.stringify(body)).not.toMatch(/argon2|password_hash|token|life_member/)
})

test('a person with only an account gets just that', async () => {
  const browser = app().browser()
  await browser.join({ levelKey: 'medical_student' })
  expect((await browser.get('/api/account/data')).body).toMatchObject({ payments: [], newsletter: null, messages: [] })
})
