import { expect, test } from 'vitest'
import { PARTS } from '#contract/parts.ts'
import { type Profile, profileDirectory } from '#server/config/profiles.ts'
import { readContentFiles } from '#server/features/seed/content-files.service.ts'
import { editableKinds } from './content-kinds.registry.ts'
import { unfinishedRecords } from './unfinished.rules.ts'

const unfinished = (profile: Profile, partsOff = [...PARTS].filter((part) => part !== 'events')) =>
  unfinishedRecords(editableKinds, readContentFiles(profileDirectory(profile)).records, partsOff)

test('the sample association is finished', () => {
  expect(unfinished('physicians-georgia', [])).toEqual([])
})

test('a starter profile names what is left to write, and not what belongs to a part that is off', () => {
  expect(unfinished('neutral')).toEqual([
    'Home page',
    'Our Mission',
    'Privacy policy',
    'Terms and conditions',
    'Questions and answers',
    'The association',
  ])
  expect(unfinished('neutral', [])).toEqual(
    expect.arrayContaining(['Free clinic', 'Forum for those in training', 'Scholarships and Awards']),
  )
})
