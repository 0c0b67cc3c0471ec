import { expect, test } from 'vitest'
import { PARTS } from '#contract/parts.ts'
import { type Profile, profileDirectory } from '#server/config/profiles.ts'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import { editableKinds } from './content-kinds.registry.ts'
import { unfinishedRecords } from './unfinished.rules.ts'

const unfinished = (profile: Profile, partsOff = [...PARTS].filter((part) => part !== 'events')) =>
  unfinishedRecords(editableKinds, readContentFiles(profileDirectory(profile)).records, partsOff)

const names = (...asked: Parameters<typeof unfinished>) => unfinished(...asked).map(({ name }) => name)

test('the sample association is finished', () => {
  expect(unfinished('physicians-georgia', [])).toEqual([])
})

test('a starter profile names what is left to write, and not what belongs to a part that is off', () => {
  expect(names('neutral')).toEqual([
    'Home page',
    'Our Mission',
    'Privacy policy',
    'Terms and conditions',
    'Questions and answers',
    'The association',
  ])
  expect(names('neutral', [])).toEqual(
    expect.arrayContaining(['Free clinic', 'Forum for those in training', 'Scholarships and Awards']),
  )
})

test('each says where its gaps are, and whether it is a draft', () => {
  const found = new Map(
    unfinished('neutral').map(({ name, kind, id, fields, isDraft }) => [name, { kind, id, fields, isDraft }]),
  )
  expect(found.get('The association')).toEqual({
    kind: 'settings-association',
    id: 'all',
    fields: ['Street', 'City'],
    isDraft: false,
  })
  expect(found.get('Privacy policy')).toMatchObject({ kind: 'pages', fields: [], isDraft: true })
  expect(found.get('Questions and answers')?.fields).toEqual([expect.stringContaining('Who can become a member?')])
})
