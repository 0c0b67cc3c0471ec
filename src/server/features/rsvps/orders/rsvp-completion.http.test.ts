import { expect, test } from 'vitest'
import { openEvent } from '#tests/support/events.ts'
import { MINUTE_MS, paidSeats, PRICE } from '#tests/support/paid-seats.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { countsOf, say } = paidSeats(app)

test('an unresponsive provider is called once per run, and the next run checks another order', async () => {
  const id = await openEvent(app(), PRICE)
  for (const email of ['one@example.com', 'two@example.com', 'three@example.com']) {
    await say(app().browser(), id, email)
  }
  const asked = () =>
    app()
      .logLines.filter((line) => line.includes('could not be completed'))
      .map((line) => (JSON.parse(line) as { order: string }).order)
  await app().standins.control({ stripe: 'refuse', webhooks: 'drop' })
  for (let turn = 1; turn <= 3; turn++) {
    await app().advance(turn === 1 ? 32 * MINUTE_MS : MINUTE_MS)
    await app().app.jobs.runDue()
    expect(new Set(asked()).size).toBe(turn)
    expect(asked()).toHaveLength(turn)
  }
  await app().standins.control({ stripe: 'ok' })
  await app().advance(MINUTE_MS)
  await app().drain()
  expect(await countsOf(id)).toMatchObject({ paying: 0 })
})
