import { describe, expect, test } from 'vitest'
import type { StoredRecordField } from '#contract/member-record/record-fields.ts'
import { planOfficerChange, planOwnChange, readJoiningValues } from './record-change.rules.ts'
import type { RecordEntry } from './record-value.queries.ts'

const TODAY = '2026-11-27'

function field(key: string, given: Partial<StoredRecordField> = {}): StoredRecordField {
  const label = key.charAt(0).toUpperCase() + key.slice(1)
  const base = { hint: null, kind: 'line', asked: 'account', widest: 'members' } as const
  return { ...base, choices: [], levels: [], key, label, isRequired: false, isRetired: false, ...given }
}

function entry(fieldKey: string, given: Partial<RecordEntry> = {}): RecordEntry {
  const base = { id: fieldKey, accountId: 'ana', value: 'before', audience: 'members', changedAt: 1 } as const
  return { ...base, fieldKey, changedBy: 'import', confirmedOn: '2025-01-01', ...given }
}

const fields = [
  field('city'),
  field('phone', { kind: 'phone', isRequired: true }),
  field('number', { asked: 'officers' }),
  field('program', { levels: ['resident'] }),
  field('fax', { isRetired: true }),
  field('constructor'),
  field('specialty', { kind: 'choice', choices: ['Cardiology'] }),
]
const own = (
  entries: readonly RecordEntry[],
  { values = {}, audiences = {} }: { values?: Record<string, unknown>; audiences?: Record<string, never> },
) => planOwnChange({ fields, entries, level: 'annual' }, { values, audiences }, TODAY)
const officer = (entries: readonly RecordEntry[], values: Record<string, unknown>) =>
  planOfficerChange({ fields, entries, level: 'annual' }, values, 'mohan')

describe('what a member sends about the own record', () => {
  test('a new value is for officers, entered by the owner and confirmed today', () => {
    expect(own([], { values: { city: ' Macon ' } })).toMatchObject({
      problems: null,
      changes: [{ value: 'Macon', audience: 'officers', changedBy: 'owner', confirmedOn: TODAY }],
    })
  })

  test('another value keeps its audience; the same one keeps who entered it and is confirmed', () => {
    expect(own([entry('city')], { values: { city: 'Macon' } })).toMatchObject({
      changes: [{ value: 'Macon', audience: 'members', changedBy: 'owner' }],
    })
    expect(own([entry('city')], { values: { city: 'before' } })).toMatchObject({
      changes: [{ value: 'before', audience: 'members', changedBy: 'import', confirmedOn: TODAY }],
    })
  })

  test('an audience alone changes neither the value nor the day on which it was confirmed', () => {
    expect(own([entry('city')], { audiences: { city: 'owner' as never } })).toMatchObject({
      changes: [{ value: 'before', audience: 'owner', changedBy: 'import', confirmedOn: '2025-01-01' }],
    })
    expect(own([], { audiences: { city: 'owner' as never } })).toMatchObject({ changes: [] })
  })

  test('an empty value is deleted; one that is required is not', () => {
    expect(own([entry('city')], { values: { city: null } })).toMatchObject({ changes: [{ value: null }] })
    expect(own([], { values: { city: '' } })).toMatchObject({ changes: [] })
    expect(own([entry('phone')], { values: { phone: '' } }).problems).toEqual({
      'values.phone': 'Please fill in this field',
    })
  })

  test('an option that is gone since may stay, and is not chosen again', () => {
    const kept = entry('specialty', { value: 'Phrenology' })
    expect(own([kept], { values: { specialty: 'Phrenology' } })).toMatchObject({ changes: [{ value: 'Phrenology' }] })
    expect(own([], { values: { specialty: 'Phrenology' } }).problems).toEqual({
      'values.specialty': 'Please choose one of the options',
    })
  })

  test('a value left from another level can only be deleted', () => {
    expect(own([entry('program')], { values: { program: null } })).toMatchObject({ changes: [{ value: null }] })
    expect(own([entry('program')], { values: { program: 'Emory' } }).problems).toHaveProperty(['values.program'])
    expect(own([], { values: { program: null } }).problems).toHaveProperty(['values.program'])
  })

  test.each<[string, object, string]>([
    ['an audience wider than the field allows', { audiences: { city: 'everyone' } }, 'audiences.city'],
    ['hiding from officers what they enter', { audiences: { number: 'owner' } }, 'audiences.number'],
    ['a value that officers enter', { values: { number: '7' } }, 'values.number'],
    ['a retired field', { values: { fax: '1' } }, 'values.fax'],
    ['an unknown field', { values: { shoe: '44' } }, 'values.shoe'],
    ['the audience of an unknown field', { audiences: { shoe: 'owner' } }, 'audiences.shoe'],
    ['a property of every object', { values: { toString: '44' } }, 'values.toString'],
    ['a value of another kind', { values: { phone: 'none' } }, 'values.phone'],
  ])('%s is refused, with everything sent beside it', (_what, sent, at) => {
    const { values = {}, audiences = {} } = sent as Parameters<typeof own>[1]
    const plan = own([entry('city'), entry('number')], { values: { specialty: 'Cardiology', ...values }, audiences })
    expect(Object.keys(plan.problems ?? {})).toEqual([at])
  })

  test('a field may be named like a property of every object', () => {
    expect(own([], { values: { constructor: 'Ana' } })).toMatchObject({
      changes: [{ value: 'Ana', audience: 'officers' }],
    })
  })
})

describe('what an officer enters', () => {
  test('is for officers, and unconfirmed', () => {
    expect(officer([], { city: 'Macon', number: '7' })).toMatchObject({
      changes: [
        { value: 'Macon', audience: 'officers', changedBy: 'mohan', confirmedOn: null },
        { value: '7', audience: 'officers', changedBy: 'mohan' },
      ],
    })
  })

  test.each(['officers', 'members', 'everyone'] as const)('keeps the audience %s', (audience) => {
    expect(officer([entry('city', { audience })], { city: 'Macon' })).toMatchObject({ changes: [{ audience }] })
  })

  test('changes nothing if it is the same, also not the day on which the owner confirmed it', () => {
    expect(officer([entry('city')], { city: 'before' })).toMatchObject({ changes: [] })
  })

  test.each<[string, string]>([
    ['city', 'The member keeps this private, so only the member changes it'],
    ['fax', 'This field is no longer in use. Please reload the page'],
    ['program', 'This field is no longer in use. Please reload the page'],
    ['shoe', 'This field is no longer in use. Please reload the page'],
  ])('is refused for %s', (key, sentence) => {
    const kept = [entry('city', { audience: 'owner' })]
    expect(officer(kept, { [key]: 'x' }).problems).toEqual({ [`values.${key}`]: sentence })
    expect(officer(kept, { [key]: null }).problems).toEqual({ [`values.${key}`]: sentence })
  })
})

describe('what is entered while joining', () => {
  const asked = [field('city', { asked: 'joining' }), field('school', { asked: 'joining', isRequired: true })]

  test('has the values of its fields; others are ignored', () => {
    expect(readJoiningValues(asked, { school: ' KMC ', fax: '1', toString: 'x' })).toEqual({
      values: { school: 'KMC' },
      problems: null,
    })
  })

  test('lacks what is required, or has what is wrong', () => {
    expect(readJoiningValues(asked, {}).problems).toEqual({ 'record.school': 'Please fill in this field' })
    expect(readJoiningValues(asked, { school: 'KMC', city: 4 }).problems).toHaveProperty(['record.city'])
  })
})
