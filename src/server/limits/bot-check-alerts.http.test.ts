import { expect, test } from 'vitest'
import { createTestApp } from '#tests/support/test-app.ts'

test('the officers get one letter a quarter of an hour, however often it rings', async () => {
  await using own = await createTestApp()
  await own.standins.control({ bot: 'error' })
  const alarms = () => own.standins.mails('office@example.org').map(({ subject }) => subject)
  for (let call = 0; call < 5; call++) await own.browser().logIn('nobody')
  await own.settle()
  expect(alarms()).toEqual(['Website alarm: The bot check does not answer'])
  await own.advance(15 * 60_000)
  for (let call = 0; call < 5; call++) await own.browser().logIn('nobody')
  await own.settle()
  expect(alarms()).toHaveLength(2)
})

test('our own wrong secret: log-in goes on, the officers are told and /readyz says the cure', async () => {
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
    reason: 'The provider refuses our key: correct RECAPTCHA_SECRET_KEY. Until then nobody can register.',
  }
  // Before anybody needed it.
  expect((await visitor.get('/readyz')).body.warnings).toEqual([warning])
  expect((await visitor.logIn('nobody')).status).toBe(401)
  expect((await visitor.register()).status).toBe(503)
  const ready = await visitor.get('/readyz')
  expect([ready.status, ready.body.warnings]).toEqual([200, [warning]])
  await own.settle()
  expect(own.standins.mails('office@example.org')[0]?.subject).toBe('Website alarm: The bot check refuses our key')
})
