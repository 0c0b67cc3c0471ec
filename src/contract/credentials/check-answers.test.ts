import { describe, expect, test } from 'vitest'
import { checkAnswers, toStored } from './check-answers.ts'
import type { CredentialCheck, CredentialField, CredentialKind } from './credential-kinds.ts'

function ask(check: CredentialCheck, over: Partial<CredentialField> = {}): CredentialField {
  const empty = { shownAs: null, hint: null, length: null, registry: null, isOptional: false }
  return { key: check, label: 'License number', check, ...empty, ...over }
}
const errorOf = (field: CredentialField, value: string) =>
  checkAnswers({ fields: [field] }, { [field.key]: value }).errors[field.key] ?? null

describe('an answer', () => {
  test.each<[CredentialCheck, string, string | null]>([
    ['npi', '1234567893', null],
    ['npi', '1234567890', 'Please enter the ten digits of your NPI. The check digit does not match.'],
    ['us-state', ' ga ', null],
    ['us-state', 'XX', 'Please enter the two letters of the state, such as GA.'],
    ['number', 'PE-4711/b 2', null],
    ['number', 'Ä 12', null],
    ['number', '-12', 'Please use letters, digits, spaces and hyphens only.'],
    ['number', '<b>', 'Please use letters, digits, spaces and hyphens only.'],
    ['digits', '0042', null],
    ['digits', '42a', 'Please use digits only.'],
    ['issuer', 'State Board (Ohio)', null],
    ['place', 'Clemson', null],
    ['place', 'x'.repeat(121), 'Please use ordinary characters only.'],
    ['text', 'one\ntwo', 'Please use ordinary characters only.'],
    ['text', 'turned \u202e', 'Please use ordinary characters only.'],
    ['end', '2027-05-31', null],
    ['end', '2027-02-30', 'Please enter the expected end date'],
    ['year', '2024', null],
    ['year', '24', 'Please enter a year, such as 2024.'],
  ])('to %s: %j', (check, value, sentence) => expect(errorOf(ask(check), value)).toBe(sentence))

  test.each<[CredentialCheck, string]>([
    ['npi', 'License number is required'],
    ['number', 'License number is required'],
    ['text', 'License number is required'],
    ['place', 'Please enter your school or program'],
    ['end', 'Please enter the expected end date'],
  ])('that is missing to %s: %s', (check, sentence) => {
    expect(errorOf(ask(check), '  ')).toBe(sentence)
    expect(errorOf(ask(check, { isOptional: true }), ' ')).toBeNull()
  })

  test('has the length that the kind asks for', () => {
    expect(errorOf(ask('digits', { length: 5 }), '12345')).toBeNull()
    expect(errorOf(ask('digits', { length: 5 }), '1234')).toBe('Please check the number: it has 5 characters.')
  })
})

test('answers are kept where each kind of answer has its place', () => {
  const kind: CredentialKind = {
    key: 'engineer',
    name: 'Engineer',
    statement: 'An engineer',
    levels: [],
    verified: 'your license',
    proof: null,
    isRetired: false,
    fields: [
      ask('number', { key: 'license' }),
      ask('us-state', { key: 'state' }),
      ask('year', { key: 'since' }),
      ask('text', { key: 'discipline', isOptional: true }),
    ],
  }
  const { values, errors } = checkAnswers(kind, { license: ' PE 1 ', state: 'oh', since: '2019', npi: '1234567893' })
  expect(errors).toEqual({})
  expect(toStored(kind, values)).toEqual({
    kind: 'engineer',
    npi: 'PE 1',
    licenceState: 'OH',
    place: null,
    endsOn: null,
    answers: { since: '2019' },
  })
})
