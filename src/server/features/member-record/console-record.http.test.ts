import { beforeEach, describe, expect, test } from 'vitest'
import type { ConsoleRecord } from '#contract/console/people/member-record.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import type { ContentRecord } from '#contract/console/content.ts'
import type { AccountRecord } from '#contract/public/my-account/member-record.ts'
import { useMerging, type Person } from '#tests/support/merging.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { deactivate } from '#tests/support/people.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const desk = useMerging(app)
const FIELDS = [lineField('city'), lineField('phone'), lineField('number', { asked: 'officers' })]
beforeEach(() => publishFields(app(), FIELDS))

const pathOf = (id: string) => `/api/console/members/${id}/record`
const read = async (id: string) => (await desk.officers.secretary.get(pathOf(id))).body as ConsoleRecord
const edit = async (id: string, values: object, more: object = {}) =>
  desk.officers.secretary.call('PUT', pathOf(id), { version: (await read(id)).version, values, ...more })
const valuesOf = ({ fields }: { fields: { key: string; value: unknown }[] }) =>
  Object.fromEntries(fields.map(({ key, value }) => [key, value]))
const own = async ({ browser }: Person) => (await browser.get('/api/account/record')).body as AccountRecord
const enter = async (person: Person, body: object) => {
  const saved = await person.browser.call('PUT', '/api/account/record', {
    version: (await own(person)).version,
    ...body,
  })
  expect(saved.status).toBe(200)
}

describe('officers', () => {
  test('enter values, which are for officers and unconfirmed; the member reads who entered them', async () => {
    const person = await desk.join()
    const saved = await edit(person.id, { city: 'Macon', number: '0142' })
    expect(saved.status).toBe(200)
    expect(valuesOf(saved.body)).toEqual({ city: 'Macon', phone: null, number: '0142' })
    const { fields } = await own(person)
    expect(fields[0]).toMatchObject({ audience: 'officers', enteredBy: 'officer', confirmedOn: null, mayEdit: true })
    expect(fields[2]).toMatchObject({
      key: 'number',
      value: '0142',
      mayEdit: false,
      audiences: ['officers', 'members'],
    })
    await enter(person, { audiences: { number: 'members' } })
    expect((await own(person)).fields[2]).toMatchObject({ audience: 'members', enteredBy: 'officer' })
  })

  test('never widen an audience, whatever they send', async () => {
    const person = await desk.join()
    await enter(person, { values: { city: 'Macon' }, audiences: { city: 'officers' } })
    await edit(person.id, { city: 'Augusta' }, { audiences: { city: 'members' }, audience: 'everyone' })
    expect((await own(person)).fields[0]).toMatchObject({ value: 'Augusta', audience: 'officers', confirmedOn: null })
  })

  test('neither see nor replace nor delete what the member keeps private', async () => {
    const person = await desk.join()
    await enter(person, { values: { phone: 'secret-number' }, audiences: { phone: 'owner' } })
    const seen = await desk.officers.secretary.get(pathOf(person.id))
    expect(JSON.stringify(seen.body)).not.toContain('secret-number')
    expect(seen.body.fields[1]).toMatchObject({ value: null, isPrivate: true })
    for (const phone of ['x', null, '']) {
      const refused = await edit(person.id, { phone, city: 'Macon' })
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['values.phone']])
    }
    expect(valuesOf(await own(person))).toMatchObject({ city: null, phone: 'secret-number' })
  })

  test('are refused for unknown and retired fields, and with an outdated version', async () => {
    const person = await desk.join()
    expect((await edit(person.id, { shoe: '44' })).body.errors).toHaveProperty(['values.shoe'])
    await publishFields(app(), [...FIELDS.slice(1), { ...lineField('city'), isRetired: true }])
    expect((await edit(person.id, { city: 'Macon' })).body.errors).toHaveProperty(['values.city'])
    const { version } = await read(person.id)
    await enter(person, { values: { phone: '1' } })
    const late = await desk.officers.secretary.call('PUT', pathOf(person.id), { version, values: { phone: '2' } })
    expect(late.body.code).toBe('CHANGED_MEANWHILE')
    expect(valuesOf(await own(person))).toEqual({ phone: '1' })
  })

  test('need the permission, and change neither their own record nor one of a closed account', async () => {
    const person = await desk.join()
    const { viewer } = desk.officers
    expect((await viewer.get(pathOf(person.id))).body.mayEdit).toBe(false)
    const { version } = await read(person.id)
    const byViewer = await viewer.call('PUT', pathOf(person.id), { version, values: { city: 'Macon' } })
    expect(byViewer.body.code).toBe('NOT_ALLOWED')
    const editor = await officerWith(app(), ['editor'])
    expect((await editor.get(pathOf(person.id))).body.code).toBe('NOT_ALLOWED')
    expect((await person.browser.get(pathOf(person.id))).status).toBe(403)
    expect((await desk.officers.secretary.get(pathOf('unknown'))).status).toBe(404)
    const officer = await newOfficer(app(), ['membership'])
    await recordSecondFactor(app(), officer.browser)
    const mine = await officer.browser.get(pathOf(officer.accountId))
    const changed = await officer.browser.call('PUT', pathOf(officer.accountId), {
      version: mine.body.version,
      values: { city: 'Macon' },
    })
    expect([mine.body.mayEdit, changed.body.code]).toEqual([false, 'OWN_ACCOUNT'])
    await deactivate(app(), person.email, 'officer')
    expect((await read(person.id)).mayEdit).toBe(false)
    expect((await edit(person.id, { city: 'Macon' })).body.code).toBe('ACCOUNT_CLOSED')
  })

  test('leave their name and the fields in the audit log and the timeline, not the values', async () => {
    const person = await desk.join()
    await edit(person.id, { city: 'Quietville', phone: '478' })
    await edit(person.id, { city: 'Quietville' })
    const president = await officerWith(app(), ['president'])
    const { entries } = (await president.get(`/api/console/audit?person=${person.id}`)).body
    const changes = entries.filter(({ action }: { action: string }) => action === 'record.changed')
    expect(changes).toHaveLength(1)
    expect(changes[0].changes).toEqual([{ label: 'Fields', before: null, after: 'City; Phone' }])
    const timeline = await president.get(`/api/console/members/${person.id}/timeline`)
    expect(JSON.stringify(timeline.body)).toContain('changed the record')
    expect(JSON.stringify([entries, timeline.body])).not.toContain('Quietville')
  })
})

describe('a merge', () => {
  test('brings the values that the remaining account lacks, with their audience, and its undo takes them back', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    await enter(kept, { values: { city: 'Macon' } })
    await enter(merged, { values: { city: 'Augusta', phone: '478' }, audiences: { phone: 'members' } })
    const plan = await desk.planOf(kept, merged)
    expect(plan.moves).toContain('1 value of the member record')
    expect(plan.notes.join(' ')).toContain('the one of this account is kept')
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    await kept.browser.logIn(kept.email)
    const { fields } = await own(kept)
    expect(valuesOf({ fields })).toMatchObject({ city: 'Macon', phone: '478' })
    expect(fields[1]).toMatchObject({ audience: 'members', enteredBy: 'owner' })
    expect((await desk.undo(kept.id, merges[0]?.id ?? '')).status).toBe(200)
    await kept.browser.logIn(kept.email)
    await merged.browser.logIn(merged.email)
    expect(valuesOf(await own(kept))).toMatchObject({ city: 'Macon', phone: null })
    expect(valuesOf(await own(merged))).toMatchObject({ city: 'Augusta', phone: '478' })
  })

  test('can be undone after the member changed or deleted what it brought; that stays as it is', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    await enter(merged, { values: { city: 'Augusta', phone: '478' } })
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    await kept.browser.logIn(kept.email)
    await enter(kept, { values: { city: 'Savannah', phone: null } })
    expect((await desk.undo(kept.id, merges[0]?.id ?? '')).status).toBe(200)
    await kept.browser.logIn(kept.email)
    await merged.browser.logIn(merged.email)
    expect(valuesOf(await own(kept))).toMatchObject({ city: 'Savannah', phone: null })
    expect(valuesOf(await own(merged))).toMatchObject({ city: null, phone: null })
  })
})

describe('the fields', () => {
  const PATH = '/api/console/content/record-fields/all'
  const publish = async (fields: object[], action = 'publish') => {
    const secretary = await officerWith(app(), ['secretary'])
    const { version } = (await secretary.get(PATH)).body as ContentRecord
    return secretary.call('PUT', PATH, { value: { fields }, version, action })
  }
  const form = { label: 'Languages', kind: 'choices', choices: ['Hindi', 'Tamil'], asked: 'account', widest: 'members' }

  test('are added, renamed, ordered and retired in the console, and asked at once', async () => {
    const person = await desk.join()
    const added = await publish([form, ...FIELDS])
    expect(added.status).toBe(200)
    const [languages] = added.body.value.fields
    expect(languages.key).toBe('languages')
    await enter(person, { values: { languages: ['Tamil'] } })
    await publish([...FIELDS, { ...languages, label: 'Spoken languages' }])
    expect((await own(person)).fields.map(({ label }) => label)).toEqual(['City', 'Phone', 'Spoken languages'])
    // A removed field is retired: its values are kept.
    const removed = await publish(FIELDS)
    expect(removed.body.value.fields.at(-1)).toMatchObject({ key: 'languages', isRetired: true })
    expect((await own(person)).fields.map(({ key }) => key)).toEqual(['city', 'phone'])
    await publish([...FIELDS, languages])
    expect(valuesOf(await own(person))).toMatchObject({ languages: ['Tamil'] })
  })

  test('offer the membership levels, and are limited to them', async () => {
    const secretary = await officerWith(app(), ['secretary'])
    const { fields } = (await secretary.get(PATH)).body as ContentRecord
    const levels = fields[0]?.fields.find(({ name }) => name === 'levels')?.options.map(({ value }) => value)
    expect(levels).toContain('resident_fellow')
  })

  test.each<[string, object[], string]>([
    ['another kind than published', [lineField('city', { kind: 'phone' })], 'fields.0.kind'],
    ['two of one name', [lineField('city'), { ...form, label: 'CITY' }], 'fields'],
    ['a choice without options', [{ ...form, choices: [] }], 'fields.0.choices'],
  ])('are refused with %s', async (_what, fields, at) => {
    await publishFields(app(), FIELDS)
    const refused = await publish(fields)
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([400, [at]])
  })

  test('are published by officers who may change members; an editor writes drafts', async () => {
    const editor = await officerWith(app(), ['editor'])
    const { version, value } = (await editor.get(PATH)).body as ContentRecord
    const wanted = { fields: [...(value['fields'] as object[]), form] }
    const refused = await editor.call('PUT', PATH, { value: wanted, version, action: 'publish' })
    expect(refused.body.errors).toHaveProperty('fields')
    expect((await editor.call('PUT', PATH, { value: wanted, version, action: 'draft' })).status).toBe(200)
    const person = await desk.join()
    expect((await own(person)).fields.map(({ key }) => key)).not.toContain('languages')
  })
})
