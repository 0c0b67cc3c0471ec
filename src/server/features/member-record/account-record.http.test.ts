import { beforeEach, describe, expect, test } from 'vitest'
import type { AccountRecord, VisibleValue } from '#contract/public/my-account/member-record.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { officerWith } from '#tests/support/officers.ts'
import { DAY_MS } from '#tests/support/people.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const RECORD = '/api/account/record'
const address = { lines: ['12 Pecan Street'], city: 'Macon', region: 'GA', postalCode: '31201', country: '' }
const today = () => dayOf(app().now(), app().config.timeZone)

const FIELDS = [
  lineField('specialty', { asked: 'joining', kind: 'choice', choices: ['Cardiology', 'Urology'], widest: 'everyone' }),
  lineField('phone', { kind: 'phone' }),
  lineField('home', { kind: 'address', widest: 'officers' }),
  lineField('number', { asked: 'officers' }),
  lineField('program', { levels: ['resident_fellow'], asked: 'joining', isRequired: true }),
]
beforeEach(() => publishFields(app(), FIELDS))

async function member(given: Record<string, unknown> = {}) {
  const browser = app().browser()
  const { email } = await browser.join({ levelKey: 'medical_student', ...given })
  const { id } = await app()
    .database.db.selectFrom('account')
    .select('id')
    .where('emailKey', '=', email)
    .executeTakeFirstOrThrow()
  const read = async () => (await browser.get(RECORD)).body as AccountRecord
  const put = async (body: object) => browser.call('PUT', RECORD, { version: (await read()).version, ...body })
  const seenAs = async (viewer: string) =>
    ((await browser.get(`${RECORD}/seen-as/${viewer}`)).body as { values: VisibleValue[] }).values
  return { browser, id, email, read, put, seenAs }
}

const valuesOf = ({ fields }: AccountRecord) => Object.fromEntries(fields.map(({ key, value }) => [key, value]))

describe('the own record', () => {
  test('has the fields of the level, empty and for officers at first', async () => {
    const { read } = await member()
    const { fields } = await read()
    expect(fields.map(({ key }) => key)).toEqual(['specialty', 'phone', 'home'])
    expect(fields[1]).toMatchObject({
      label: 'Phone',
      value: null,
      audience: 'officers',
      audiences: ['owner', 'officers', 'members'],
      confirmedOn: null,
      enteredBy: null,
      mayEdit: true,
    })
  })

  test('stores values and who sees them, and shows each viewer no more', async () => {
    const { put, seenAs } = await member()
    const values = { specialty: 'Cardiology', phone: '478 555 0142', home: address }
    const saved = await put({ values, audiences: { specialty: 'everyone', phone: 'members', home: 'owner' } })
    expect(saved.status).toBe(200)
    expect(valuesOf(saved.body)).toEqual(values)
    expect(saved.body.fields[2]).toMatchObject({ audience: 'owner', enteredBy: 'owner', confirmedOn: today() })
    const keys = async (viewer: string) => (await seenAs(viewer)).map(({ key }) => key)
    expect(await keys('stranger')).toEqual(['specialty'])
    expect(await keys('member')).toEqual(['specialty', 'phone'])
    expect(await keys('officer')).toEqual(['specialty', 'phone'])
    expect((await seenAs('stranger'))[0]).toEqual({
      key: 'specialty',
      label: 'Specialty',
      kind: 'choice',
      value: 'Cardiology',
    })
  })

  test('a field that officers narrow, retire or limit to other levels is no longer shown; its value comes back with it', async () => {
    const { put, read, seenAs } = await member()
    await put({ values: { specialty: 'Urology' }, audiences: { specialty: 'everyone' } })
    const [specialty, ...others] = FIELDS
    if (!specialty) throw new Error('There is a first field.')
    await publishFields(app(), [{ ...specialty, widest: 'officers' }, ...others])
    expect([await seenAs('stranger'), (await seenAs('officer')).length]).toEqual([[], 1])
    for (const hidden of [{ isRetired: true as const }, { levels: ['life_member'] }]) {
      await publishFields(app(), [{ ...specialty, ...hidden }, ...others])
      expect([await seenAs('stranger'), await seenAs('member'), await seenAs('officer')]).toEqual([[], [], []])
    }
    expect((await read()).fields[0]).toMatchObject({ key: 'specialty', value: 'Urology' })
    await publishFields(app(), FIELDS)
    expect(await seenAs('stranger')).toHaveLength(1)
  })

  test('can be confirmed as a whole, later', async () => {
    const { browser, email, put, read } = await member()
    await put({ values: { phone: '478 555 0142', specialty: 'Urology' } })
    await app().advance(40 * DAY_MS)
    await browser.logIn(email)
    const { version } = await read()
    const confirmed = await browser.post(`${RECORD}/confirm`, { version })
    expect(confirmed.body.fields.map(({ confirmedOn }: { confirmedOn: string | null }) => confirmedOn)).toEqual([
      today(),
      today(),
      null,
    ])
    expect((await browser.post(`${RECORD}/confirm`, { version })).body.code).toBe('PROFILE_CHANGED')
  })

  test('of two tabs the second one is refused, also after officers changed the fields', async () => {
    const { browser, put, read } = await member()
    const { version } = await read()
    expect((await put({ values: { phone: '478 555 0142' } })).status).toBe(200)
    const late = await browser.call('PUT', RECORD, { version, values: { phone: '478 555 0199' } })
    expect([late.status, late.body.code]).toEqual([409, 'PROFILE_CHANGED'])
    const { version: newer } = await read()
    await publishFields(app(), [...FIELDS, lineField('fax')])
    expect((await browser.call('PUT', RECORD, { version: newer, values: {} })).body.code).toBe('PROFILE_CHANGED')
    expect(valuesOf(await read())).toMatchObject({ phone: '478 555 0142' })
  })

  test.each<[string, object, string]>([
    ['wider than allowed', { audiences: { phone: 'everyone' } }, 'audiences.phone'],
    ['for an unknown audience', { audiences: { phone: 'all' } }, 'audiences.phone'],
    ['in a field of officers', { values: { number: '7' } }, 'values.number'],
    ['in a field of another level', { values: { program: 'Emory' } }, 'values.program'],
    ['in an unknown field', { values: { __proto__x: '7' } }, 'values.__proto__x'],
    ['half of an address', { values: { home: { ...address, city: '' } } }, 'values.home.city'],
  ])('%s: refused under its field, and nothing is stored', async (_what, sent, at) => {
    const { put, read } = await member()
    await put({ values: { phone: '478 555 0142' } })
    const body = { ...sent, values: { specialty: 'Urology', ...(sent as { values?: object }).values } }
    const refused = await put(body)
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [at]])
    expect(valuesOf(await read())).toEqual({ specialty: null, phone: '478 555 0142', home: null })
  })

  test('is for its owner: without a token there is nothing, and an id in the body is ignored', async () => {
    const [ana, ravi] = [await member(), await member()]
    expect((await app().browser().get(RECORD)).status).toBe(401)
    expect((await app().browser().get(`${RECORD}/seen-as/stranger`)).status).toBe(401)
    await ana.put({ values: { phone: '478 555 0142' }, accountId: ravi.id, id: ravi.id })
    expect(valuesOf(await ravi.read())).toMatchObject({ phone: null })
    expect((await ana.browser.get(`${RECORD}/seen-as/owner`)).status).toBe(400)
  })

  test('is in the download of the personal data, and gone with the account', async () => {
    const { browser, id, put } = await member()
    await put({ values: { phone: '478 555 0142', home: address }, audiences: { phone: 'members' } })
    await publishFields(app(), [lineField('home', { kind: 'address', isRetired: true })])
    expect((await browser.get('/api/account/data')).body.record).toMatchObject([
      { field: 'Home', value: address, audience: 'officers', enteredBy: 'owner', confirmedOn: today() },
      { field: 'phone', value: '478 555 0142', audience: 'members' },
    ])
    expect((await browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })).status).toBe(200)
    const { db } = app().database
    expect(await db.selectFrom('recordValue').select('id').where('accountId', '=', id).execute()).toEqual([])
  })

  test('an officer who views the site as the member sees what officers see, and changes nothing', async () => {
    const { id, put } = await member()
    await put({ values: { phone: '478 555 0142', specialty: 'Urology' }, audiences: { phone: 'owner' } })
    const secretary = await officerWith(app(), ['secretary'])
    const view = await secretary.post(`/api/console/members/${id}/view-as`, { reason: 'A call' })
    const viewer = app().browser()
    viewer.token = view.body.token as string
    const seen = (await viewer.get(RECORD)).body as AccountRecord
    expect(valuesOf(seen)).toEqual({ specialty: 'Urology', phone: null, home: null })
    expect(JSON.stringify(seen)).not.toContain('0142')
    const change = await viewer.call('PUT', RECORD, { version: seen.version, values: { phone: '478 555 0199' } })
    expect(change.body.code).toBe('VIEW_READ_ONLY')
    expect((await viewer.get(`${RECORD}/seen-as/member`)).body.code).toBe('VIEW_HIDES')
  })
})

describe('joining', () => {
  test('stores what was entered, confirmed on that day and for officers', async () => {
    const { read } = await member({ record: { specialty: 'Cardiology', phone: '478 555 0142', shoe: 44 } })
    const { fields } = await read()
    expect(fields[0]).toMatchObject({
      value: 'Cardiology',
      audience: 'officers',
      enteredBy: 'owner',
      confirmedOn: today(),
    })
    // Asked in the account only.
    expect(fields[1]).toMatchObject({ key: 'phone', value: null })
  })

  test('is the same for a paid level, and without the fields', async () => {
    const paid = await member({ levelKey: 'annual_member', record: { specialty: 'Urology' } })
    expect(valuesOf(await paid.read())).toMatchObject({ specialty: 'Urology' })
    const old = await member({ levelKey: 'annual_member' })
    expect(valuesOf(await old.read())).toMatchObject({ specialty: null })
  })

  test('needs what is required of the level alone', async () => {
    const refused = await app().browser().register({ levelKey: 'resident_fellow' })
    expect([refused.status, refused.body.errors]).toEqual([400, { 'record.program': 'Please fill in this field' }])
    const wrong = await app()
      .browser()
      .register({ levelKey: 'resident_fellow', record: { program: 'Emory', specialty: 'Phrenology' } })
    expect(wrong.body.errors).toEqual({ 'record.specialty': 'Please choose one of the options' })
    const fine = await app()
      .browser()
      .register({ levelKey: 'resident_fellow', record: { program: 'Emory' } })
    expect(fine.status).toBe(201)
    expect((await app().browser().register({ levelKey: 'medical_student' })).status).toBe(201)
  })
})
