import { afterEach, describe, expect, test } from 'vitest'
import { openEvent, RSVP_SETTINGS } from '#tests/support/events.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { treasury } from '#tests/support/orders/treasury.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'off' } })
const { join, subscriptionOf, subjectsTo } = membershipLife(app)
const { treasurer, row, check, record, list, expectSound, newKey, today } = treasury(app)
afterEach(expectSound)

const student = () => join({ levelKey: 'medical_student' })

describe('one payment', () => {
  test('of dues starts the term, with a receipt by email and a line in the list', async () => {
    const { email } = await student()
    const dues = row({ kind: 'dues', email, levelKey: 'annual_member', method: 'zelle', reference: 'ZX9' })
    const { verdicts } = (await check([dues])).body
    expect(verdicts).toMatchObject([{ faults: [], amount: 10_000, price: 10_000, payer: 'Meera Raghuvanshi' }])
    expect(verdicts[0].sentences[0]).toMatch(/^Starts Annual Member until .* replacing the current level\.$/)
    const { receipts } = (await record([dues])).body
    expect(receipts).toMatchObject([{ kind: 'dues', receiptNumber: expect.stringMatching(/^R-\d{4}-/) as string }])
    const again = (await check([{ ...dues, reference: ' zx9' }])).body.verdicts
    expect(again[0].faults[0].message).toMatch(/^This is already recorded, with receipt R-/)
    expect(await subscriptionOf({ email })).toMatchObject({ status: 'ACTIVE', levelKey: 'annual_member' })
    expect(subjectsTo(email).some((subject) => subject.includes(receipts[0].receiptNumber))).toBe(true)
    const { lines } = await list(`q=${receipts[0].receiptNumber}`)
    expect(lines).toMatchObject([{ type: 'payment', amount: 10_000, paidBy: 'Zelle ZX9', state: 'paid', email }])
  })

  test('of seats makes the RSVP and its receipt; added guests pay the difference', async () => {
    const eventId = await openEvent(app(), { price: 5_000, capacity: 4 })
    const email = 'gala@example.com'
    const party = { kind: 'seats', email, eventId, name: 'Gala Guest' } as const
    expect((await record([row({ ...party, guests: '1' })])).status).toBe(200)
    expect(subjectsTo(email).some((subject) => subject.startsWith('Your receipt R-'))).toBe(true)
    expect((await check([row(party)])).body.verdicts[0].faults).toEqual([
      { field: 'email', message: 'The seats of this party are paid' },
    ])
    const more = row({ ...party, guests: '2', amount: '50' })
    expect((await record([more])).status).toBe(200)
    const full = row({ kind: 'seats', email: 'late@example.com', eventId, guests: '1' })
    expect((await check([full])).body.verdicts[0].faults).toEqual([{ field: 'guests', message: 'Only 1 seat is left' }])
    const rsvps = await app().database.db.selectFrom('rsvp').selectAll().where('eventId', '=', eventId).execute()
    expect(rsvps).toMatchObject([{ status: 'coming', guests: 2, email }])
  })

  test('of seats has the member price for a member', async () => {
    const eventId = await openEvent(app(), { price: 5_000, memberPrice: 3_000 })
    const { email } = await student()
    const party = row({ kind: 'seats', email, eventId, guests: '1', amount: '80' })
    expect((await check([party])).body.verdicts).toMatchObject([{ faults: [], price: 8_000 }])
    expect((await record([party])).status).toBe(200)
  })

  test('of tickets is for those that the guest has: an officer adds them first', async () => {
    const kind = { memberPrice: null, seats: 1, limit: 2, levels: [] }
    const kinds = [{ ...kind, key: 'adult', name: 'Adult', price: 8_000 }]
    const eventId = await openEvent(app(), { kinds })
    const email = 'tickets@example.com'
    const party = row({ kind: 'seats', email, eventId, amount: '160' })
    expect((await check([party])).body.verdicts[0].faults).toMatchObject([{ field: 'email' }])
    const officer = await newOfficer(app(), ['president'])
    await recordSecondFactor(app(), officer.browser)
    const tickets = [{ kind: 'adult', count: 2 }]
    const guest = { id: crypto.randomUUID(), name: 'Gala Guest', email, guests: 0, meals: [], seat: 'payment', tickets }
    const added = await officer.browser.post(`/api/console/events/${eventId}/attendees`, guest)
    expect(added.body).toEqual({ status: 'paying' })
    expect((await check([party])).body.verdicts).toMatchObject([{ faults: [], price: 16_000 }])
    expect((await record([party])).status).toBe(200)
    const { db } = app().database
    const rsvps = await db.selectFrom('rsvp').selectAll().where('eventId', '=', eventId).execute()
    const orders = await db.selectFrom('rsvpOrder').selectAll().where('eventId', '=', eventId).execute()
    expect(rsvps).toMatchObject([{ status: 'coming', guests: 1, email }])
    expect(JSON.parse(orders.find(({ state }) => state === 'paid')?.lines ?? '')).toEqual([
      { name: 'Adult', amount: 8_000, quantity: 2 },
    ])
    const again = row({ kind: 'seats', email, eventId, amount: '160' })
    expect((await check([again])).body.verdicts[0].faults).toEqual([
      { field: 'email', message: 'The seats of this party are paid' },
    ])
  })

  test('of seats from before the event had kinds of tickets has the agreed price', async () => {
    const eventId = await openEvent(app(), { price: 5_000 })
    const officer = await newOfficer(app(), ['president'])
    await recordSecondFactor(app(), officer.browser)
    const email = 'before-kinds@example.com'
    const guest = { id: crypto.randomUUID(), name: 'Guest', email, guests: 0, meals: [], seat: 'payment' }
    expect((await officer.browser.post(`/api/console/events/${eventId}/attendees`, guest)).status).toBe(200)
    const kind = { memberPrice: null, seats: 1, limit: null, levels: [] }
    const kinds = [{ ...kind, key: 'adult', name: 'Adult', price: 8_000 }]
    const settings = { ...RSVP_SETTINGS, kinds, version: 1 }
    expect((await officer.browser.call('PUT', `/api/console/rsvp/${eventId}`, settings)).status).toBe(200)
    const party = row({ kind: 'seats', email, eventId, amount: '50' })
    expect((await check([party])).body.verdicts).toMatchObject([{ faults: [], price: 5_000 }])
    expect((await record([party])).status).toBe(200)
  })

  test('of tickets keeps to the limit of a kind, also within one request', async () => {
    const kind = { memberPrice: null, seats: 1, limit: 1, levels: [] }
    const eventId = await openEvent(app(), { kinds: [{ ...kind, key: 'child', name: 'Child', price: 3_000 }] })
    const officer = await newOfficer(app(), ['president'])
    await recordSecondFactor(app(), officer.browser)
    const tickets = [{ kind: 'child', count: 1 }]
    const emails = ['first-child@example.com', 'second-child@example.com']
    for (const email of emails) {
      const guest = { id: crypto.randomUUID(), name: 'Guest', email, guests: 0, meals: [], seat: 'waitlist', tickets }
      await officer.browser.post(`/api/console/events/${eventId}/attendees`, guest)
    }
    const rows = emails.map((email) => row({ kind: 'seats', email, eventId, amount: '30' }))
    expect((await check(rows)).body.verdicts).toMatchObject([{ faults: [] }, { faults: [{ field: 'email' }] }])
    expect((await record(rows.slice(0, 1))).status).toBe(200)
    expect((await check(rows.slice(1))).body.verdicts).toMatchObject([{ faults: [{ field: 'email' }] }])
  })

  test('of a sponsorship has the benefits of its tier, also for another amount with its reason', async () => {
    const email = 'sponsor@example.com'
    const gold = row({
      kind: 'sponsorship',
      email,
      tierName: 'Gold',
      company: 'Kaveri Labs',
      amount: '1,500',
      reference: 'Wire 7A',
    })
    expect((await check([gold])).body.verdicts[0].faults).toEqual([
      { field: 'note', message: 'Please say why the amount is not the price' },
    ])
    const { receipts } = (await record([{ ...gold, note: 'Agreed with the board' }])).body
    const twice = (await check([{ ...gold, reference: 'wire 7a', note: 'Agreed with the board' }])).body.verdicts
    expect(twice[0].faults).toMatchObject([{ field: 'reference' }])
    const stored = await app()
      .database.db.selectFrom('sponsorship')
      .selectAll()
      .where('id', '=', receipts[0].id)
      .executeTakeFirstOrThrow()
    expect(stored).toMatchObject({
      tierName: 'Gold',
      amount: 150_000,
      remarksMinutes: 3,
      reservedTable: 1,
      state: 'paid',
    })
    expect(subjectsTo(email).some((subject) => subject.startsWith('Thank you for your sponsorship'))).toBe(true)
  })

  test.each([
    [{ amount: 'ten' }, 'amount'],
    [{ amount: '0' }, 'amount'],
    [{ paidOn: '2026-02-30' }, 'paidOn'],
    [{ paidOn: '2999-01-01' }, 'paidOn'],
    [{ reference: '' }, 'reference'],
    [{ email: 'nobody@example.com' }, 'email'],
    [{ email: 'nonsense' }, 'email'],
    [{ levelKey: '' }, 'levelKey'],
  ])('with %j has a fault in %s and is not recorded', async (wrong, field) => {
    const { email } = await student()
    const dues = row({ kind: 'dues', email, levelKey: 'annual_member', ...wrong })
    const { verdicts, version, total } = (await check([dues])).body
    expect([verdicts[0].faults[0].field, total]).toEqual([field, 0])
    const body = { rows: [dues], version, key: newKey() }
    expect((await (await treasurer()).post('/api/console/payments/record', body)).body.code).toBe('CHANGED_MEANWHILE')
  })
})

describe('many payments', () => {
  test('are recorded together or not at all, and doubles are refused', async () => {
    const eventId = await openEvent(app(), { price: 5_000, capacity: 2 })
    const [one, two] = [await student(), await student()]
    const rows = [
      row({ kind: 'dues', email: one.email, levelKey: 'annual_member' }),
      row({ kind: 'dues', email: two.email, levelKey: 'life_member', amount: '1000', paidOn: formatUs(today()) }),
      row({ kind: 'seats', email: 'table@example.com', eventId, amount: '50' }),
      row({ kind: 'sponsorship', email: 'table@example.com', tierName: 'Custom Amount', amount: '250' }),
    ]
    const twice = { ...rows[0]! }
    const seats = row({ kind: 'seats', email: 'more@example.com', eventId, guests: '1', amount: '100' })
    const { verdicts } = (await check([...rows, twice, seats])).body
    expect(verdicts.map(({ faults }: { faults: { field: string }[] }) => faults.map(({ field }) => field))).toEqual([
      [],
      [],
      [],
      [],
      ['email'],
      ['guests'],
    ])
    const before = (await list()).total
    const { receipts } = (await record(rows)).body
    expect(receipts).toHaveLength(4)
    expect((await list()).total).toBe(before + 4)
    expect(
      (await check(rows.slice(2))).body.verdicts.map(({ faults }: { faults: unknown[] }) => faults.length),
    ).toEqual([1, 1])
  })

  test('sent twice, or by twenty clicks at once, are recorded once', async () => {
    const rows = [row({ kind: 'sponsorship', email: 'twice@example.com', tierName: 'Silver', amount: '1000' })]
    const officer = await treasurer()
    const { version } = (await officer.post('/api/console/payments/check', { rows })).body
    const body = { rows, version, key: newKey() }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => officer.post('/api/console/payments/record', body)),
    )
    const numbers = answers.map(({ body: { receipts } }) => receipts?.[0]?.receiptNumber)
    expect(new Set(numbers).size).toBe(1)
    expect((await list(`q=${numbers[0]}`)).total).toBe(1)
    const { version: later } = (await officer.post('/api/console/payments/check', { rows })).body
    const other = await officer.post('/api/console/payments/record', { rows, version: later, key: newKey() })
    expect(other.body.code).toBe('CHANGED_MEANWHILE')
  })

  test('of two officers for the last seats: one is recorded', async () => {
    const eventId = await openEvent(app(), { price: 5_000, capacity: 1 })
    const { browser } = await newOfficer(app(), ['treasurer'])
    await recordSecondFactor(app(), browser)
    const send = async (officer: Awaited<ReturnType<typeof treasurer>>, email: string) => {
      const rows = [row({ kind: 'seats', email, eventId, amount: '50' })]
      const { version } = (await officer.post('/api/console/payments/check', { rows })).body
      return () => officer.post('/api/console/payments/record', { rows, version, key: newKey() })
    }
    const sends = [await send(await treasurer(), 'first@example.com'), await send(browser, 'second@example.com')]
    const answers = await Promise.all(sends.map((go) => go()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

test('no officer records a payment on their own account, and a viewer records none', async () => {
  const { browser, email } = await newOfficer(app(), ['treasurer'])
  await recordSecondFactor(app(), browser)
  const rows = [
    row({ kind: 'dues', email, levelKey: 'annual_member' }),
    row({ kind: 'sponsorship', email, tierName: 'Silver', amount: '1000' }),
  ]
  const { verdicts, version } = (await browser.post('/api/console/payments/check', { rows })).body
  expect(verdicts.map(({ faults }: { faults: { field: string }[] }) => faults[0]?.field)).toEqual(['email', 'email'])
  const recorded = await browser.post('/api/console/payments/record', { rows, version, key: newKey() })
  expect([recorded.status, recorded.body.code]).toEqual([409, 'CHANGED_MEANWHILE'])
  const viewer = (await newOfficer(app(), ['viewer'])).browser
  await recordSecondFactor(app(), viewer)
  expect((await viewer.post('/api/console/payments/check', { rows })).status).toBe(403)
})

function formatUs(day: string): string {
  return `${Number(day.slice(5, 7))}/${Number(day.slice(8))}/${day.slice(0, 4)}`
}
