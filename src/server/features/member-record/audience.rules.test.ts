import { describe, expect, test } from 'vitest'
import { audiencesOf, RECORD_AUDIENCES, type RecordAudience } from '#contract/member-record/record-fields.ts'
import { visibleTo, type RecordViewer } from './audience.rules.ts'

const field = { widest: 'everyone', levels: [] as string[], isRetired: false } as const
const VIEWERS: RecordViewer[] = ['owner', 'officer', 'member', 'stranger']
const seenBy = (shown: Parameters<typeof visibleTo>[1]) => VIEWERS.filter((viewer) => visibleTo(viewer, shown))

describe('who sees a value', () => {
  test.each<[RecordAudience, RecordViewer[]]>([
    ['owner', ['owner']],
    ['officers', ['owner', 'officer']],
    ['members', ['owner', 'officer', 'member']],
    ['everyone', ['owner', 'officer', 'member', 'stranger']],
  ])('%s: %j', (audience, viewers) => {
    expect(seenBy({ field, audience, level: null })).toEqual(viewers)
  })

  test('a field that allows less now narrows what was chosen before', () => {
    expect(seenBy({ field: { ...field, widest: 'members' }, audience: 'everyone', level: null })).toEqual([
      'owner',
      'officer',
      'member',
    ])
    expect(seenBy({ field: { ...field, widest: 'officers' }, audience: 'members', level: null })).toEqual([
      'owner',
      'officer',
    ])
    expect(seenBy({ field: { ...field, widest: 'officers' }, audience: 'owner', level: null })).toEqual(['owner'])
  })

  test.each([
    ['retired', { ...field, isRetired: true }, 'annual_member'],
    ['of another level', { ...field, levels: ['resident_fellow'] }, 'annual_member'],
    ['of some levels, without a membership', { ...field, levels: ['resident_fellow'] }, null],
  ])('a field that is %s is seen by its owner alone', (_why, shown, level) => {
    for (const audience of RECORD_AUDIENCES) expect(seenBy({ field: shown, audience, level })).toEqual(['owner'])
  })

  test('a field of some levels is seen with one of them', () => {
    const levels = ['student', 'resident']
    const shown = { field: { ...field, levels }, audience: 'members', level: 'resident' } as const
    expect(seenBy(shown)).toEqual(['owner', 'officer', 'member'])
  })
})

test.each([
  ['account', 'officers', ['owner', 'officers']],
  ['joining', 'members', ['owner', 'officers', 'members']],
  ['account', 'everyone', ['owner', 'officers', 'members', 'everyone']],
  ['officers', 'members', ['officers', 'members']],
  ['officers', 'officers', ['officers']],
] as const)(
  'for a field entered by %s and shown to %s at most, its owner chooses from %j',
  (asked, widest, choices) => {
    expect(audiencesOf({ asked, widest })).toEqual(choices)
  },
)
