import type { AppContext } from '#server/app-context.ts'
import { partialContext } from '#tests/support/partial-context.ts'
import { beforeEach, expect, test } from 'vitest'
import { createSecrets } from '#server/lib/secrets.ts'
import { mailingLists, mailingsFor, createCampaign, setSubscribers, startMailing } from '#tests/support/newsletter.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { createBouncesService } from './bounces.service.ts'
import { saveDeliveryOutcomes } from '../sending/delivery.repository.ts'
import type { BounceReport } from './bounce-report.service.ts'

const db = useTestDatabase()
const LIMITS = { hardBounces: 2, softBounces: 3 }

beforeEach(async () => {
  await setSubscribers(db(), 2)
  for (const id of ['may', 'june', 'july']) await startMailing(db(), createCampaign({ id }))
})

function bounces(bounceLimits: () => typeof LIMITS = () => LIMITS) {
  const secrets = createSecrets('a secret for tests, and for tests only, of fair length')
  const settings = () => ({ newsletter: bounceLimits() }) as ReturnType<AppContext['settings']>
  const ctx = partialContext({
    db: db(),
    clock: { now: () => NOW, close() {} },
    secrets,
    settings,
    siteUrl: 'http://localhost:3000',
    association: () => Promise.reject(new Error('No email is rendered here.')),
  })
  return createBouncesService(ctx, { lists: mailingLists(ctx) })
}

function bounce(kind: 'hard' | 'soft', campaignId: string, subscriber = 0): BounceReport {
  const email = `reader${subscriber}@example.com`
  return { deliveryId: `${campaignId}.s-reader${subscriber}`, email, kind, reason: '550 no such user' }
}

async function countsOf(index = 0) {
  return db()
    .selectFrom('subscriber')
    .select(['state', 'hardBounces', 'softBounces'])
    .where('id', '=', `s-reader${index}`)
    .executeTakeFirstOrThrow()
}

test.each([
  ['hard', { hardBounces: 1, softBounces: 0 }, ['june']],
  ['soft', { hardBounces: 0, softBounces: 1 }, ['june', 'july']],
] as const)('a bounced copy (%s) counts once, however often it is reported', async (kind, once, others) => {
  for (let turn = 0; turn < 6; turn++) expect(await bounces().recordAll([bounce(kind, 'may')])).toBe(1)
  expect(await countsOf()).toEqual({ state: 'subscribed', ...once })
  for (const other of others) await bounces().recordAll([bounce(kind, other)])
  expect((await countsOf()).state).toBe('bounced')
})

test('a webhook that is retried because it failed halfway counts each bounce once', async () => {
  let isAway = true
  const failing = bounces(() => {
    if (isAway) throw new Error('the database is away')
    return LIMITS
  })
  await bounces().recordAll([bounce('hard', 'may')])
  const whole = [bounce('hard', 'may'), bounce('hard', 'may', 1)]
  await expect(failing.recordAll(whole)).rejects.toThrow('away')
  isAway = false
  await failing.recordAll(whole)
  expect([await countsOf(0), await countsOf(1)]).toMatchObject([{ hardBounces: 1 }, { hardBounces: 1 }])
})

test('a copy that bounces before it is recorded as accepted stays bounced', async () => {
  await bounces().recordAll([bounce('hard', 'may')])
  await saveDeliveryOutcomes(db(), [{ id: 'may.s-reader0', state: 'accepted', reason: '' }], NOW)
  await bounces().recordAll([bounce('hard', 'may')])
  expect((await countsOf()).hardBounces).toBe(1)
  expect((await mailingsFor(db()).status('may'))?.counts).toMatchObject({ bounced: 1, accepted: 0 })
})

test('only the first complaint about a copy changes anything', async () => {
  await bounces().recordAll([bounce('hard', 'may')])
  const complaint = { ...bounce('hard', 'may'), kind: 'complaint' as const }
  for (let turn = 0; turn < 2; turn++) await bounces().recordAll([complaint])
  expect(await countsOf()).toMatchObject({ state: 'complained', hardBounces: 1 })
})
