import { expect, test } from 'vitest'
import { PROFILES } from '#server/config/profiles.ts'
import { Problem } from '#server/lib/problem.ts'
import { parseContentValue } from '#server/features/content/content-value.rules.ts'
import { credentialKindsOfProfile } from '#tests/support/content/credential-kinds.ts'
import { credentialKindsKind } from './credential-kinds.kinds.ts'

const license = {
  name: 'Bar license',
  statement: 'A lawyer',
  verified: 'your license',
  fields: [{ label: 'Bar number', check: 'number' }],
}

function problemsOf(over: object): Record<string, string> | null {
  return parseContentValue(credentialKindsKind, { ...license, ...over }, 'bar-license').problems
}

test.each(PROFILES)('%s begins with at least one kind in use', (profile) => {
  expect(credentialKindsOfProfile(profile).some(({ isRetired }) => !isRetired)).toBe(true)
})

test('a new kind and its questions get keys of their own', () => {
  const { value } = parseContentValue(credentialKindsKind, license, 'bar-license')
  expect(value).toMatchObject({ key: 'bar-license', fields: [{ key: 'bar-number', check: 'number' }] })
})

test.each([
  ['two numbers', { fields: [...license.fields, { label: 'NPI', check: 'npi' }] }, 'fields', /one number/],
  [
    'two questions with one label',
    { fields: [license.fields[0], { label: 'bar Number', check: 'text' }] },
    'fields',
    /same label/,
  ],
  [
    'a registry that is a script',
    { fields: [{ ...license.fields[0], registry: 'javascript:x' }] },
    'fields.0.registry',
    /https/,
  ],
])('is refused: %s', (_what, over, name, sentence) => expect(problemsOf(over)?.[name]).toMatch(sentence))

test('once published, a question can become one that is kept in the same way, and no other', () => {
  const of = (check: string) => ({ ...license, key: 'bar', fields: [{ key: 'no', label: 'Number', check }] })
  expect(credentialKindsKind.onPublish?.(of('digits'), of('number'))).toEqual(of('digits'))
  expect(() => credentialKindsKind.onPublish?.(of('text'), of('number'))).toThrow(Problem)
})

test('is not published with nothing to enter', () => {
  expect(() => credentialKindsKind.onPublish?.({ ...license, fields: [] }, null)).toThrow('what members enter')
})
