import { describe, expect, test } from 'vitest'
import type { Campaign } from '#contract/public/campaigns.ts'
import {
  filterCampaigns,
  DEFAULT_FILTER,
  findLast,
  takeUntil,
  listYears,
  type ArchiveFilter,
} from './archive-filter.rules.ts'
import { sampleCampaign } from '#tests/support/web/sample-campaign.ts'

const clinic = sampleCampaign('clinic', '2026-11-18T14:00:00Z', { subject: 'Six more hands' })
const holi = sampleCampaign('holi', '2026-03-04T13:00:00Z', { name: 'Colors at the CLINIC' })
// Still December 31, 2025 in Georgia, already 2026 in London.
const eve = sampleCampaign('eve', '2026-01-01T03:00:00Z', { name: 'Fête of lights' })
const early = sampleCampaign('early', '2024-11-01T13:00:00Z')
const all = [holi, early, clinic, eve]

const idsOf = (campaigns: Campaign[]) => campaigns.map(({ id }) => id)

describe('matching campaigns', () => {
  test.each<[string, Partial<ArchiveFilter>, string[], string[]]>([
    ['everything, the newest first', {}, [], ['clinic', 'holi', 'eve', 'early']],
    ['the oldest first', { sort: 'oldest' }, [], ['early', 'eve', 'holi', 'clinic']],
    ['a word of the title, in any case', { q: 'clinic' }, [], ['clinic', 'holi']],
    ['a part of the subject, with spaces around it', { q: '  more ha ' }, [], ['clinic']],
    ['a title with accents, typed without', { q: 'fete' }, [], ['eve']],
    ['only spaces', { q: '   ' }, [], ['clinic', 'holi', 'eve', 'early']],
    ['nothing of the snippet', { q: 'in short' }, [], []],
    ['what the server found in the text', { q: 'in short' }, ['holi'], ['holi']],
    ['a year', { year: 2026 }, [], ['clinic', 'holi']],
    ['a year of the association’s calendar', { year: 2025 }, [], ['eve']],
    ['what was found, of the year alone', { q: 'mango', year: 2026 }, ['holi', 'early'], ['holi']],
  ])('%s', (_, wish, found, expected) => {
    expect(idsOf(filterCampaigns(all, { ...DEFAULT_FILTER, ...wish }, new Set(found)))).toEqual(expected)
  })
})

test.each([
  ['newest' as const, 'early', ['clinic', 'holi', 'eve']],
  ['oldest' as const, 'clinic', ['early', 'eve']],
])('campaigns beyond the last loaded one are left out, %s first', (sort, last, kept) => {
  expect(findLast(all, sort)?.id).toBe(last)
  expect(idsOf(takeUntil(eve, filterCampaigns(all, { ...DEFAULT_FILTER, sort }, new Set()), sort))).toEqual(kept)
})

test('an empty list has no last campaign', () => {
  expect(findLast([], 'newest')).toBeNull()
})

test.each([
  ['what the server knows and what was found, the latest first', all, [2027, 2026], [2027, 2026, 2025]],
  ['none before 2025', [early], [], []],
  ['none for none', [], [], []],
])('the years of the filter: %s', (_, campaigns, fromServer, expected) => {
  expect(listYears(campaigns, fromServer)).toEqual(expected)
})
