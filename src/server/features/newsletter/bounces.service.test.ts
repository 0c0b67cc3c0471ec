import { beforeEach, expect, test } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { mailingsOf, makeCampaign, setReaders, startMailing } from '#tests/support/newsletter.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { createBouncesService, type BounceLimits } from './bounces.service.ts'
import { settleDeliveries } from './delivery.repository.ts'
import type { ReturnedLetter } from './returned-mail.ts'

const db = useTestDatabase()
const LIMITS = { hardBounces: 2, softBounces: 3 }

beforeEach(async () => {
  await setReaders(db(), 2)
  for (const id of ['may', 'june', 'july']) await startMailing(db(), makeCampaign({ id }))
})

function bounces(bounceLimits: () => BounceLimits = () => LIMITS) {
  const secrets = createSecrets('a secret for tests, and for tests only, of fair length')
  return createBouncesService({ db: db(), clock: { now: () => NOW, close() {} }, secrets, bounceLimits })
}

function notice(kind: 'hard' | 'soft', campaignId: string, reader = 0): ReturnedLetter {
  const email = `reader${reader}@example.com`
  return { deliveryId: `${campaignId}.s-reader${reader}`, email, kind, reason: '550 no such user' }
}

async function reader(index = 0) {
  return db()
    .selectFrom('subscriber')
    .select(['state', 'hard_bounces', 'soft_bounces'])
    .where('id', '=', `s-reader${index}`)
    .executeTakeFirstOrThrow()
}

test.each([
  ['hard', { hard_bounces: 1, soft_bounces: 0 }, ['june']],
  ['soft', { hard_bounces: 0, soft_bounces: 1 }, ['june', 'july']],
] as const)('a copy that came back (%s) counts once, however often that is told', async (kind, once, others) => {
  for (let turn = 0; turn < 6; turn++) expect(await bounces().take([notice(kind, 'may')])).toBe(1)
  expect(await reader()).toEqual({ state: 'subscribed', ...once })
  for (const other of others) await bounces().take([notice(kind, other)])
  expect((await reader()).state).toBe('bounced')
})

test('a notice that is told again since it was only half taken counts once', async () => {
  let isAway = true
  const failing = bounces(() => {
    if (isAway) throw new Error('the database is away')
    return LIMITS
  })
  await bounces().take([notice('hard', 'may')])
  const whole = [notice('hard', 'may'), notice('hard', 'may', 1)]
  await expect(failing.take(whole)).rejects.toThrow('away')
  isAway = false
  await failing.take(whole)
  expect([await reader(0), await reader(1)]).toMatchObject([{ hard_bounces: 1 }, { hard_bounces: 1 }])
})

test('a copy that is back before it was noted as accepted stays one that came back', async () => {
  await bounces().take([notice('hard', 'may')])
  await settleDeliveries(db(), [{ id: 'may.s-reader0', state: 'accepted', reason: '' }], NOW)
  await bounces().take([notice('hard', 'may')])
  expect((await reader()).hard_bounces).toBe(1)
  expect((await mailingsOf(db()).status('may'))?.counts).toMatchObject({ bounced: 1, accepted: 0 })
})

test('a second complaint about the same copy changes nothing, the first does', async () => {
  await bounces().take([notice('hard', 'may')])
  const complaint = { ...notice('hard', 'may'), kind: 'complaint' as const }
  for (let turn = 0; turn < 2; turn++) await bounces().take([complaint])
  expect(await reader()).toMatchObject({ state: 'complained', hard_bounces: 1 })
})
