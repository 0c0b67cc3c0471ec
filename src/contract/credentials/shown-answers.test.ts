import { describe, expect, test } from 'vitest'
import { credentialKindsOfProfile } from '#tests/support/content/credential-kinds.ts'
import { isTraining, kindOf, nextCredentials, shortened, verifiedText } from './credential-kinds.ts'
import { answerTo, credentialSummary, shownAnswers } from './shown-answers.ts'

const physicians = credentialKindsOfProfile('physicians')
const engineers = credentialKindsOfProfile('engineers')
const licence = { kind: 'licence', npi: '1234567893', licenceState: 'GA', place: null, endsOn: null }
const student = { kind: 'student', npi: '', licenceState: '', place: 'Emory', endsOn: '2027-05-31' }

function rows(kinds: typeof physicians, submitted: Parameters<typeof shownAnswers>[1]) {
  return shownAnswers(kindOf(kinds, submitted.kind), submitted).map(({ label, text }) => [label, text])
}

describe('submitted answers', () => {
  test('have the labels of their kind', () => {
    expect(rows(physicians, licence)).toEqual([
      ['NPI', '1234567893'],
      ['License state', 'GA'],
    ])
    expect(rows(physicians, student)).toEqual([
      ['School', 'Emory'],
      ['Graduation', 'May 31, 2027'],
    ])
  })

  test('of a kind that this association never had stay readable', () => {
    expect(rows(engineers, { ...licence, answers: { since: '2019' } })).toEqual([
      ['Number', '1234567893'],
      ['Issued by', 'GA'],
      ['since', '2019'],
    ])
    expect(rows(engineers, student)).toEqual([
      ['School or program', 'Emory'],
      ['End of training', 'May 31, 2027'],
    ])
  })

  test('to a question that was removed stay readable', () => {
    const kind = kindOf(physicians, 'licence')
    const shorter = { ...kind, fields: kind.fields.filter(({ key }) => key === 'npi') }
    expect(shownAnswers(shorter, licence).map(({ label, text }) => [label, text])).toEqual([
      ['NPI', '1234567893'],
      ['Issued by', 'GA'],
    ])
  })

  test('lead to the registry of their question, with whatever they contain as one part of its address', () => {
    const [npi] = shownAnswers(kindOf(physicians, 'licence'), { ...licence, npi: '1/../2?' })
    expect(npi?.registryUrl).toBe('https://npiregistry.cms.hhs.gov/provider-view/1%2F..%2F2%3F')
    expect(shownAnswers(kindOf(engineers, 'licence'), licence).every(({ registryUrl }) => registryUrl === null)).toBe(
      true,
    )
  })

  test('in a few words begin with the number, or else with the kind', () => {
    const summary = (submitted: typeof student | typeof licence) =>
      credentialSummary(kindOf(physicians, submitted.kind), submitted).join(', ')
    expect(summary(licence)).toBe('NPI 1234567893, GA')
    expect(summary(student)).toBe('Medical student, Emory, until May 31, 2027')
  })
})

test('an answer fills in the same question of another kind', () => {
  const [school] = kindOf(engineers, 'engineering-student').fields
  expect(school && answerTo(school, student)).toBe('Emory')
})

test('sentences name what was verified, and what comes after the training', () => {
  expect(verifiedText(kindOf(physicians, 'licence'), null)).toBe('your NPI and your license')
  expect(shortened(verifiedText(kindOf(physicians, 'licence'), null))).toBe('your NPI and license')
  expect(verifiedText(kindOf(physicians, 'student'), 'Emory')).toBe('that you are in training at Emory')
  expect(nextCredentials(physicians)).toBe('your NPI and license')
  expect(nextCredentials(engineers)).toBe('your professional engineer license')
  expect(nextCredentials(engineers.filter(isTraining))).toBe('your new credentials')
})
