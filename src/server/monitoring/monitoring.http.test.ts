import { expect, test } from 'vitest'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { testEffect } from '#tests/support/test-effect.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const TOKEN = 'a-token-for-the-metrics-of-tests'
const HOUR = 3_600_000
const DAY = 24 * HOUR
const app = useTestApp({ environment: { METRICS_TOKEN: TOKEN } })

/** The samples of /metrics, by name and labels. */
async function metrics(): Promise<Map<string, number>> {
  const response = await fetch(`${app().url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

test('/metrics uses the label “quantile” for summaries only, as Prometheus asks', async () => {
  const response = await fetch(`${app().url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const text = await response.text()
  const withQuantiles = [...text.matchAll(/^(\w+)\{[^}]*quantile=/gm)].map(([, name = '']) => name)
  expect(new Set(withQuantiles)).toEqual(new Set(['nodejs_eventloop_lag_seconds']))
  expect(text).toContain('# TYPE nodejs_eventloop_lag_seconds summary\n')
})

test('/metrics counts calls, log-ins, refusals, emails and memberships, and contains no personal data', async () => {
  const before = await metrics()
  const visitor = app().browser()
  await visitor.join({ email: 'counted@example.com', levelKey: 'medical_student' })
  await app().browser().logIn('counted@example.com')
  await app().browser().logIn('counted@example.com', 'not-the-password')
  const flood = app().browser()
  for (let message = 0; message < 6; message++) await flood.post('/api/contact', {})
  await flood.call('POST', '/api/stripe/webhook', '{}')
  const after = await metrics()
  const rise = (line: string) => (after.get(line) ?? 0) - (before.get(line) ?? 0)
  expect(rise('log_ins_total{outcome="accepted"}')).toBe(1)
  expect(rise('log_ins_total{outcome="refused"}')).toBe(1)
  expect(rise('rate_limited_total{call="/api/contact"}')).toBe(1)
  expect(rise('webhooks_refused_total')).toBe(1)
  expect(rise('http_requests_total{kind="webhook",status="4xx"}')).toBe(1)
  expect(rise('http_requests_total{kind="call",status="4xx"}')).toBe(7)
  expect(rise('http_request_duration_seconds_count{kind="call"}')).toBe(
    rise('http_request_duration_seconds_bucket{kind="call",le="+Inf"}'),
  )
  expect(after.get('database_up')).toBe(1)
  expect(after.get('outbox_waiting{lane="emails"}')).toBe(0)
  expect(after.get('job_failing{task="reconcile"}')).toBe(0)
  // Prometheus adds these two labels itself, and would rename ours.
  expect([...after.keys()].join('\n')).not.toMatch(/[{,](job|instance)=/)
  expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(1e7)
  expect([...after.keys()].join('\n')).not.toMatch(/counted|@|Meera/)
})

test('emails planned for later are not waiting; failed ones that are retried are', async () => {
  const { db } = app().database
  const waiting = async () => (await metrics()).get('outbox_waiting{lane="emails"}')
  const before = (await waiting()) ?? 0
  const effect = testEffect('email.unknown')
  await addToOutbox(db, { effect, payload: { planned: true }, dueAt: app().now() + DAY }, app().now())
  expect(await waiting()).toBe(before)
  await addToOutbox(db, { effect, payload: { planned: false } }, app().now())
  expect(await waiting()).toBe(before + 1)
  // A retry is planned for later too.
  await db
    .updateTable('outbox')
    .set({ attempts: 1, dueAt: app().now() + HOUR })
    .where('kind', '=', 'email.unknown')
    .execute()
  expect(await waiting()).toBe(before + 2)
  await db.deleteFrom('outbox').where('kind', '=', 'email.unknown').execute()
})

test.each([
  ['no token', {}],
  ['a wrong token', { authorization: 'Bearer not-the-token-for-the-metrics' }],
  ['a beginning of it', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
  ['the token as another scheme', { authorization: `Basic ${TOKEN}` }],
])('with a token set, %s is refused', async (_name, headers) => {
  const response = await fetch(`${app().url}/metrics`, { headers })
  expect(response.status).toBe(401)
  expect(await response.text()).not.toContain('process_')
})

test('a webhook disabled for nine days: memberships are repaired, officers alerted each day, and late events do no harm', async () => {
  await app().standins.control({ webhooks: 'drop' })
  const visitor = app().browser()
  const person = await visitor.join({ email: 'unheard@example.com' })
  for (let day = 0; day < 9; day++) {
    await app().advance(DAY)
    await app().drain()
  }
  const ready = await visitor.get('/readyz')
  expect([ready.status, ready.body.warnings]).toEqual([
    200,
    [{ check: 'webhook', reason: expect.stringContaining('in the Stripe dashboard whether the webhook') as string }],
  ])
  const alertEmails = app()
    .standins.mails('office@example.org')
    .filter(({ subject }) => subject === 'Website alert: Stripe webhooks are not arriving')
  expect(alertEmails.length).toBeGreaterThanOrEqual(8)
  expect(alertEmails.length).toBeLessThanOrEqual(10)
  expect(alertEmails[0]?.text).toContain('enable the endpoint again')

  const { db } = app().database
  const state = async () => ({
    memberships: await db
      .selectFrom('membership')
      .select(['accountId', 'stripeStatus', 'endsAt', 'isCurrent'])
      .execute(),
    payments: await db.selectFrom('payment').select(['reference', 'amount', 'amountRefunded']).execute(),
  })
  const before = await state()
  expect(before.memberships.some(({ stripeStatus: status }) => status === 'active')).toBe(true)
  await app().standins.control({ webhooks: 'double' })
  await app().standins.control({ flushWebhooks: true })
  // Triggers a webhook event.
  await app().browser().join({ email: 'heard@example.com' })
  await app().drain()
  const after = await state()
  expect(after.memberships).toEqual(expect.arrayContaining(before.memberships))
  expect(after.payments).toHaveLength(before.payments.length + 1)
  expect((await visitor.get('/readyz')).body.warnings).toEqual([])
  expect((await app().browser().logIn(person.email)).status).toBe(200)
  await app().standins.control({ webhooks: 'deliver' })
})
