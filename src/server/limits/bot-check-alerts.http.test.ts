import { expect, test } from 'vitest'
import { createTestApp } from '#tests/support/test-app.ts'

test('the officers get one email per 15 minutes, however often the check fails', async () => {
  await using own = await createTestApp()
  await own.standins.control({ bot: 'error' })
  const alertSubjects = () => own.standins.mails('office@example.org').map(({ subject }) => subject)
  for (let call = 0; call < 5; call++) await own.browser().logIn('unknown')
  await own.drain()
  expect(alertSubjects()).toEqual(['Website alert: The bot check is not responding'])
  await own.advance(15 * 60_000)
  for (let call = 0; call < 5; call++) await own.browser().logIn('unknown')
  await own.drain()
  expect(alertSubjects()).toHaveLength(2)
})

test('with a wrong secret of ours log-in still works, the officers are alerted, and /readyz names the fix', async () => {
  await using own = await createTestApp({
    environment: ({ url }) => ({
      RECAPTCHA_URL: `${url}/recaptcha`,
      RECAPTCHA_SITE_KEY: 'standin-site-key',
      RECAPTCHA_SECRET_KEY: 'the-secret-of-another-site',
    }),
  })
  const visitor = own.browser()
  const warning = {
    check: 'bot-check',
    reason: 'The provider refuses our key. Correct RECAPTCHA_SECRET_KEY. Until then, no one can register.',
  }
  // Before any visitor needed it.
  expect((await visitor.get('/readyz')).body.warnings).toEqual([warning])
  expect((await visitor.logIn('unknown')).status).toBe(401)
  expect((await visitor.register()).status).toBe(503)
  const ready = await visitor.get('/readyz')
  expect([ready.status, ready.body.warnings]).toEqual([200, [warning]])
  await own.drain()
  expect(own.standins.mails('office@example.org')[0]?.subject).toBe('Website alert: The bot check rejects our key')
})
