import { beforeEach, expect, test } from 'vitest'
import { SINGLE_RECORD_ID } from '#server/features/content-store/content-kind.rules.ts'
import { findRecord } from '#server/features/content-store/content.queries.ts'
import { joinPageKind } from '#server/features/content-store/kinds/join.kinds.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'off' } })
let treasurer: TestBrowser
beforeEach(async () => {
  treasurer = await officerWith(app(), ['treasurer'])
  await recordSecondFactor(app(), treasurer)
})

const couple = {
  name: 'Couple',
  key: 'couple',
  description: 'For two physicians of one household.',
  price: '150',
  interval: 'year',
  intervalCount: 1,
  audiences: ['practice'],
  benefits: ['Two votes', 'Two member prices'],
  isOnSale: true,
}
const add = (over: object = {}) => treasurer.post('/api/console/dues', { ...couple, ...over })

test('a level that was added is on the page, can be joined, and has one price at the provider', async () => {
  const added = await add()
  expect(added.body.level).toMatchObject({ key: 'couple', unitAmount: 15_000, isOnSale: true, holders: 0 })
  const levels = (await app().browser().get('/api/membership-levels')).body as { key: string }[]
  expect(levels.at(-1)).toMatchObject({ key: 'couple', name: 'Couple', unitAmount: 15_000, isRecurring: true })
  const page = await findRecord(app().database.db, joinPageKind, SINGLE_RECORD_ID)
  expect(page?.value.levels.at(-1)).toMatchObject({
    level: 'Couple',
    benefits: couple.benefits,
    audiences: ['practice'],
  })
  await app().drain()
  const browser = app().browser()
  const { start } = await browser.registerAndStart({ levelKey: 'couple' })
  const { body } = await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
  browser.token = body.token as string
  expect((await browser.get('/api/account/profile')).body.subscription.membershipLevel).toMatchObject({ key: 'couple' })
  const prices = app()
    .standins.stripe.account.prices.all()
    .filter(({ lookup_key: key }) => key?.startsWith('couple:'))
  expect(prices).toHaveLength(1)
  const { entries } = (await treasurer.get('/api/console/audit?q=dues.level_added')).body
  expect(entries[0].details.after).toMatchObject({ name: 'Couple', price: 15_000 })
})

test.each([
  [{ key: 'annual_member', name: 'Another' }, 'key'],
  [{ key: 'another', name: 'annual member' }, 'name'],
  [{ key: 'With Spaces', name: 'Another' }, 'key'],
  [{ key: 'another', name: 'Another', price: '0.10' }, 'price'],
  [{ key: 'another', name: 'Another', price: '0', interval: null }, 'price'],
  [{ key: 'another', name: 'Another', price: 'ten' }, 'price'],
])('%j is refused, with a message for %s', async (wrong, field) => {
  const { status, body } = await add(wrong)
  expect([status, Object.keys((body.errors ?? {}) as object)]).toEqual([400, [field]])
})

test('of two officers who add the same level, one does', async () => {
  const both = await Promise.all([
    add({ key: 'retired_member', name: 'Retired' }),
    add({ key: 'retired_member', name: 'Retired' }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
})
