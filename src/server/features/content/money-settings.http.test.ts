import { beforeAll, describe, expect, test } from 'vitest'
import type { ContentRecord } from '#contract/console/content.ts'
import { officerWith } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' }, samples: true })
let editor: TestBrowser
beforeAll(async () => {
  editor = await officerWith(app(), ['editor'])
})

async function save(path: string, body: Record<string, unknown>) {
  return editor.call('PUT', `/api/console/content/${path}`, { version: '', action: 'publish', ...body })
}

describe('content that affects money', () => {
  const readRecord = async (path: string) => (await editor.get(`/api/console/content/${path}`)).body as ContentRecord

  async function withPriceOverTheLimit() {
    const { value, version } = await readRecord('tiers/all')
    const tiers = value['tiers'] as Record<string, unknown>[]
    const changed = tiers.map((tier, index) => (index ? tier : { ...tier, unitAmount: 10_000_001 }))
    return { value: { tiers: changed }, action: 'publish', version }
  }

  test('grace period: needs the money permission; an editor can change the other settings', async () => {
    const at = 'settings-membership/all'
    const before = await readRecord(at)
    const refused = await save(at, { value: { ...before.value, graceDays: 30 }, version: before.version })
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { graceDays: 'Only an officer with permission to change payments can change the grace period' },
    ])
    const later = { value: { ...before.value, graceDays: 30 }, action: 'schedule', publishAt: '2099-01-01T10:00' }
    expect((await save(at, { ...later, version: before.version })).status).toBe(400)
    const beside = await save(at, { value: { ...before.value, recheckMonths: 6 }, version: before.version })
    expect([beside.status, beside.body.value]).toEqual([200, { graceDays: 14, recheckMonths: 6 }])

    const president = await officerWith(app(), ['president'])
    const value = { graceDays: 30, recheckMonths: 6 }
    const body = { value, action: 'publish', version: beside.body.version }
    expect((await president.call('PUT', `/api/console/content/${at}`, body)).status).toBe(200)
    const now = await readRecord(at)
    const first = now.revisions.findLast(({ action }) => action === 'found')
    const restored = await editor.post(`/api/console/content/${at}/restore`, {
      number: first?.number,
      version: now.version,
    })
    expect([restored.status, Object.keys(restored.body.errors)]).toEqual([400, ['graceDays']])
  })

  test('currency: needs the money permission, and is what prices are shown in from then on', async () => {
    const at = 'settings-region/all'
    const before = await readRecord(at)
    const inPounds = { ...before.value, currency: 'gbp' }
    const refused = await save(at, { value: inPounds, version: before.version })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['currency']])
    const elsewhere = await save(at, { value: { ...before.value, country: 'GB' }, version: before.version })
    expect(elsewhere.status).toBe(200)

    const president = await officerWith(app(), ['president'])
    const body = { value: inPounds, action: 'publish', version: elsewhere.body.version }
    expect((await president.call('PUT', `/api/console/content/${at}`, body)).status).toBe(200)
    const tooMuch = await president.call('PUT', '/api/console/content/tiers/all', await withPriceOverTheLimit())
    expect(tooMuch.body.errors).toEqual({ 'tiers.0.unitAmount': 'Please enter an amount up to £100,000' })

    const now = await readRecord(at)
    const back = { value: before.value, action: 'publish', version: now.version }
    expect((await president.call('PUT', `/api/console/content/${at}`, back)).status).toBe(200)
  })

  test('the price of a tier, also of a new one; its text is free to change', async () => {
    const at = 'tiers/all'
    const before = await readRecord(at)
    const tiers = before.value['tiers'] as Record<string, unknown>[]
    const withFirst = (change: object) => ({
      tiers: tiers.map((tier, index) => (index ? tier : { ...tier, ...change })),
    })
    const send = (value: object) => save(at, { value, version: before.version })
    expect((await send(withFirst({ unitAmount: 100 }))).body.errors).toEqual({
      tiers: 'Only an officer with permission to change payments can change the price of a tier',
    })
    expect((await send({ tiers: [...tiers, { name: 'Tin', amountLabel: '$1', unitAmount: 100 }] })).status).toBe(400)
    expect((await send(withFirst({ amountLabel: 'From $1,000' }))).status).toBe(200)
  })

  test.each([
    ['settings-membership/all', 'graceDays', 91],
    ['settings-membership/all', 'graceDays', 1_000_000],
    ['settings-membership/all', 'recheckMonths', 121],
    ['settings-sponsorship/all', 'logoMonths', 61],
    ['settings-association/all', 'foundedYear', 99_999],
    ['settings-association/all', 'mapLink', 'javascript:alert(1)'],
    ['settings-association/all', 'mapLink', '//example.org'],
    ['settings-clinic/all', 'mapLink', 'data:text/html,x'],
    ['settings-association/all', 'mapEmbed', 'javascript:alert(1)'],
    ['settings-region/all', 'timeZone', 'Georgia'],
    ['settings-region/all', 'currency', 'jpy'],
    ['settings-region/all', 'country', 'Georgia'],
    ['notice/all', 'linkPath', '/\\example.org'],
  ])('%s %s: %s is rejected on the field', async (at, name, value) => {
    const president = await officerWith(app(), ['president'])
    const before = await readRecord(at)
    const body = { value: { ...before.value, [name]: value }, action: 'publish', version: before.version }
    const refused = await president.call('PUT', `/api/console/content/${at}`, body)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [name]])
  })

  test.each([
    ['settings-membership/all', { graceDays: 91 }, { graceDays: 'Please enter a number up to 90' }],
    ['settings-sponsorship/all', { logoMonths: 0 }, { logoMonths: 'Please enter a number of at least 1' }],
  ])('%s: %o is rejected with a message that names the limit', async (at, change, errors) => {
    const president = await officerWith(app(), ['president'])
    const before = await readRecord(at)
    const body = { value: { ...before.value, ...change }, action: 'publish', version: before.version }
    expect((await president.call('PUT', `/api/console/content/${at}`, body)).body.errors).toEqual(errors)
  })

  test('a tier price over the limit is rejected in dollars', async () => {
    const president = await officerWith(app(), ['president'])
    const { errors } = (await president.call('PUT', '/api/console/content/tiers/all', await withPriceOverTheLimit()))
      .body
    expect(errors).toEqual({ 'tiers.0.unitAmount': 'Please enter an amount up to $100,000' })
  })
})
