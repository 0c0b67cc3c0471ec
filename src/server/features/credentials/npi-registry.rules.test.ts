import { expect, test } from 'vitest'
import { compareWithRegistry, readRegistryReply } from './npi-registry.rules.ts'

const provider = {
  number: '1234567893',
  enumeration_type: 'NPI-1',
  basic: { first_name: 'USHA', last_name: "D'SOUZA-RAO", credential: 'MD', status: 'A', last_updated: '2026-02-01' },
  addresses: [
    { address_purpose: 'MAILING', city: 'AIKEN', state: 'SC' },
    { address_purpose: 'LOCATION', city: 'DECATUR', state: 'GA' },
  ],
  taxonomies: [
    { desc: 'Internal Medicine', state: 'SC', license: '1', primary: false },
    { desc: 'Nephrology', state: 'GA', license: '057301', primary: true },
  ],
  other_names: [{ first_name: 'USHA', last_name: 'RAO' }],
}
const read = (more: object = {}) => {
  const record = readRegistryReply({ result_count: 1, results: [{ ...provider, ...more }] }, '1234567893')
  if (!record) throw new Error('no record')
  return record
}

test('a reply is read: the primary taxonomy first, the place of practice, what is unknown is empty', () => {
  expect(read()).toEqual({
    name: "USHA D'SOUZA-RAO",
    isOrganization: false,
    otherNames: ['USHA RAO'],
    degree: 'MD',
    isActive: true,
    taxonomies: [
      { name: 'Nephrology', state: 'GA', license: '057301' },
      { name: 'Internal Medicine', state: 'SC', license: '1' },
    ],
    place: 'DECATUR, GA',
    updatedOn: '2026-02-01',
  })
  expect(read({ basic: { first_name: 'Usha', last_name: 'Rao', credential: '--', status: 'D' } })).toMatchObject({
    degree: '',
    isActive: false,
    updatedOn: '',
  })
  expect(
    read({ enumeration_type: 'NPI-2', basic: { organization_name: 'CLINIC', status: 'A' }, other_names: [] }),
  ).toMatchObject({ name: 'CLINIC', isOrganization: true })
})

test.each([
  ['no one', { result_count: 0, results: [] }],
  ['someone else', { results: [{ ...provider, number: '1999999999' }] }],
])('%s has the number', (_, reply) => expect(readRegistryReply(reply, '1234567893')).toBeNull())

test.each([
  ['an error of the registry', { Errors: [{ description: 'CMS deactivated the service' }] }],
  ['a page', '<!doctype html>'],
  ['a list', []],
])('%s is no answer', (_, reply) => expect(() => readRegistryReply(reply, '1234567893')).toThrow())

test.each([
  ['Usha D’Souza Rao', 'GA', { name: true, state: true }],
  ['Rao, Ushá', 'sc', { name: true, state: true }],
  ['Usha K. Rao', 'AL', { name: true, state: false }],
  ['Usha Iyer', null, { name: false, state: null }],
  ['', 'GA', { name: false, state: true }],
])('%s of %s', (name, state, agreement) => expect(compareWithRegistry({ name, state }, read())).toEqual(agreement))

test('without a state at the registry nothing is said about it', () => {
  expect(compareWithRegistry({ name: 'Usha Rao', state: 'GA' }, read({ taxonomies: [] })).state).toBeNull()
})
