import { beforeAll, describe, expect, test } from 'vitest'
import type { PaidSponsor, RunOfShow } from '#contract/console/sponsors.ts'
import { newId } from '#server/lib/ids.ts'
import { officerWith } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { recordSponsorshipPayment, reserveSponsorship, sponsorships } from './orders/sponsorship.commands.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const SPONSORS = '/api/console/sponsors'
let treasurer: TestBrowser

beforeAll(async () => {
  treasurer = await officerWith(app(), ['treasurer'])
})

/** A paid sponsorship with the given benefits. */
async function sponsorWith(over: { company?: string; remarksMinutes?: number | null; reservedTable?: boolean } = {}) {
  const { db } = app().database
  const now = app().now()
  const id = newId(now)
  const promised = { remarksMinutes: null, reservedTable: false, logoMonths: null }
  const who = { name: 'Leela', email: `${id}@example.com`, company: 'Kaveri Labs', phone: null, message: null }
  const order = { id, ...who, tierName: 'Gold', amount: 200_000, currency: 'usd', nonceHash: id, createdAt: now }
  await reserveSponsorship(db, { ...order, expiresAt: now, openKey: id, leasedUntil: now, ...promised, ...over })
  const paid = { paymentReference: null, receiptNumber: `R-${id}`, logoUntil: null }
  await sponsorships.markPaid(db, id, { stripeSessionId: id, paidAt: now, now })
  await recordSponsorshipPayment(db, id, paid, now)
  return { id, email: who.email, receiptNumber: paid.receiptNumber }
}

async function listed(query: string): Promise<PaidSponsor[]> {
  return (await treasurer.get(`${SPONSORS}?${query}`)).body.sponsorships as PaidSponsor[]
}

describe('sponsor benefits', () => {
  test('a benefit is marked delivered and undone, once each, with before and after in the audit log', async () => {
    const { id } = await sponsorWith({ company: 'Tamarind Table', reservedTable: true })
    const keep = (isKept: boolean, kind = 'table') =>
      treasurer.call('PUT', `${SPONSORS}/${id}/promises/${kind}`, { isKept })
    expect((await listed('q=tamarind'))[0]?.promises).toEqual([
      { kind: 'table', words: 'Reserved table', keptAt: null, dueOn: null, isOverdue: false },
    ])
    expect((await keep(true)).body.promises[0].keptAt).not.toBeNull()
    expect((await keep(true)).status).toBe(200)
    expect(await listed('show=open&q=tamarind')).toEqual([])
    expect(await listed('show=all&q=tamarind')).toHaveLength(1)
    expect((await keep(false)).body.promises[0].keptAt).toBeNull()
    expect((await keep(true, 'remarks')).status).toBe(404)
    const { entries } = (await treasurer.get(`/api/console/audit?q=${id}`)).body as { entries: { action: string }[] }
    expect(entries.map(({ action }) => action)).toEqual(['promise.reopened', 'promise.kept'])
    const viewer = await officerWith(app(), ['viewer'])
    const refused = await viewer.call('PUT', `${SPONSORS}/${id}/promises/table`, { isKept: true })
    expect(refused.body.code).toBe('NOT_ALLOWED')
  })

  test('the receipt is emailed again with its PDF', async () => {
    const { id, email, receiptNumber } = await sponsorWith()
    for (let turn = 0; turn < 2; turn++) {
      expect((await treasurer.post(`${SPONSORS}/${id}/receipt`, {})).body).toEqual({ email })
      await app().drain()
    }
    const emails = app().standins.mails(email)
    expect(emails.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => `Thank you for your sponsorship (receipt ${receiptNumber})`),
    )
    expect((await treasurer.post(`${SPONSORS}/${newId(app().now())}/receipt`, {})).status).toBe(404)
  })
})

test('a benefit may have a deadline, which is overdue the day after and audited', async () => {
  const { id } = await sponsorWith({ company: 'Deadline & Co', remarksMinutes: 3 })
  const path = `${SPONSORS}/${id}/promises/remarks/deadline`
  const set = async (dueOn: string | null) => (await treasurer.call('PUT', path, { dueOn })).body.promises
  const [benefit] = await set('2020-01-05')
  expect(benefit).toMatchObject({ kind: 'remarks', dueOn: '2020-01-05', isOverdue: true })
  expect(await set('2099-01-05')).toMatchObject([{ dueOn: '2099-01-05', isOverdue: false }])
  expect(await set(null)).toMatchObject([{ dueOn: null, isOverdue: false }])
  const { db } = app().database
  const rows = await db.selectFrom('audit').selectAll().where('action', '=', 'promise.deadline_set').execute()
  expect(rows).toHaveLength(3)
  expect((await treasurer.call('PUT', `${SPONSORS}/${id}/promises/table/deadline`, { dueOn: null })).status).toBe(404)
})

test('a run of show keeps its order; the second of two concurrent edits is rejected; a sponsor is listed once', async () => {
  const [first, second] = [
    await sponsorWith({ company: 'First', remarksMinutes: 3 }),
    await sponsorWith({ company: 'Second', remarksMinutes: 5 }),
  ]
  const silent = await sponsorWith({ company: 'Silent' })
  const path = '/api/console/run-of-show/2031-02-14'
  const empty = (await treasurer.get(path)).body as RunOfShow
  expect([empty.version, empty.items]).toEqual([0, []])
  const waiting = new Map(empty.waiting.map((item) => [item.sponsorshipId, item]))
  expect([waiting.get(first.id)?.minutes, waiting.get(second.id)?.minutes, waiting.has(silent.id)]).toEqual([
    3,
    5,
    false,
  ])

  const welcome = { sponsorshipId: null, title: 'Welcome', minutes: 10 }
  // Minutes sent by the client are ignored in favor of the sponsorship's benefit.
  const speaker = (id: string) => ({ sponsorshipId: id, title: 'Made up', minutes: 99 })
  const save = (items: unknown[], version: number) => treasurer.call('PUT', path, { startsAt: '19:00', items, version })
  const saved = await save([speaker(second.id), welcome, speaker(first.id)], 0)
  expect(saved.body).toMatchObject({
    startsAt: '19:00',
    version: 1,
    items: [{ title: 'Second, Leela', minutes: 5 }, welcome, { title: 'First, Leela', minutes: 3 }],
  })
  expect(saved.body.waiting.map((item: { sponsorshipId: string }) => item.sponsorshipId)).not.toContain(first.id)
  expect((await save([welcome], 0)).body.code).toBe('CHANGED_MEANWHILE')
  expect((await save([speaker(first.id), speaker(first.id)], 1)).body.errors.items).toMatch(/can be listed only once/)
  expect((await save([speaker(silent.id)], 1)).status).toBe(400)
  const { days } = (await treasurer.get('/api/console/run-of-show')).body as { days: unknown[] }
  expect(days).toEqual([{ day: '2031-02-14', items: 3 }])
  expect((await save([], 1)).body).toMatchObject({ version: 0, items: [] })
  expect((await treasurer.get('/api/console/run-of-show/2031-02-31')).status).toBe(400)
})
