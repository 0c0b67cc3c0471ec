import { describe, expect, test } from 'vitest'
import type { Campaign } from '#contract/public/campaigns.ts'
import { DEFAULT_FILTER } from './archive-filter.rules.ts'
import {
  archiveReducer,
  createArchiveState,
  visibleCampaigns,
  type ArchiveEvent,
  type ArchiveState,
} from './archive-state.rules.ts'
import { sampleCampaign } from '#tests/support/web/sample-campaign.ts'

const DAY_MS = 86_400_000

/** A campaign sent this many days before the newest. */
function campaign(daysAgo: number, over: Partial<Campaign> = {}): Campaign {
  const sentAt = new Date(Date.parse('2026-11-18T14:00:00Z') - daysAgo * DAY_MS).toISOString()
  return sampleCampaign(`c${daysAgo}`, sentAt, over)
}

const answer = (hasMore: boolean, ...campaigns: Campaign[]): ArchiveEvent => ({
  is: 'answer',
  answer: { campaigns, hasMore },
})
const wish = (over: Partial<typeof DEFAULT_FILTER>): ArchiveEvent => ({
  is: 'wish',
  wish: { ...DEFAULT_FILTER, ...over },
})
const PAUSE_OVER: ArchiveEvent = { is: 'pause over' }
const MORE: ArchiveEvent = { is: 'more' }
const FAILURE: ArchiveEvent = { is: 'failure' }

function after(start: ArchiveState, ...events: ArchiveEvent[]): ArchiveState {
  let state = start
  for (const event of events) state = archiveReducer(state, event)
  return state
}

const shown = (state: ArchiveState) => visibleCampaigns(state).map(({ id }) => id)
const fromServer = (hasMore = true) =>
  createArchiveState({ firstPage: { campaigns: [campaign(0), campaign(1)], hasMore }, archiveAfter: null })
const EMPTY = { firstPage: null, archiveAfter: null }

describe('at first', () => {
  test('server-rendered campaigns are shown while the first page is reloaded', () => {
    const state = fromServer()
    expect(state).toMatchObject({ step: 'asking', page: 1, hasMore: true })
    expect(shown(state)).toEqual(['c0', 'c1'])
  })

  test('the fresh response replaces what was rendered', () => {
    const state = after(fromServer(), answer(false, campaign(2), campaign(0, { name: 'Renamed' })))
    expect(shown(state)).toEqual(['c0', 'c2'])
    expect(state.known.get('c0')?.name).toBe('Renamed')
    expect(state).toMatchObject({ step: 'ready', hasMore: false })
  })

  test('an empty fresh response empties the list', () => {
    expect(shown(after(fromServer(), answer(false)))).toEqual([])
  })

  test('a failure keeps what is shown', () => {
    const state = after(fromServer(), FAILURE)
    expect(state.step).toBe('failed')
    expect(shown(state)).toEqual(['c0', 'c1'])
  })

  test('without a server-rendered page nothing is known', () => {
    expect(shown(createArchiveState(EMPTY))).toEqual([])
    expect(createArchiveState(EMPTY)).toMatchObject({ step: 'asking', page: 1, hasMore: true })
  })
})

describe('more', () => {
  const ready = after(fromServer(), answer(true, campaign(0), campaign(1)))

  test('loads the next page and adds it', () => {
    const asking = after(ready, MORE)
    expect(asking).toMatchObject({ step: 'asking', page: 2 })
    expect(shown(after(asking, answer(false, campaign(2))))).toEqual(['c0', 'c1', 'c2'])
  })

  test('requested while a page is loading, loads right after it', () => {
    const state = after(fromServer(), MORE, answer(true, campaign(0)))
    expect(state).toMatchObject({ step: 'asking', page: 2, wantsMore: false })
  })

  test('requested twice, loads two pages one after the other', () => {
    const state = after(ready, MORE, MORE, answer(true, campaign(2)))
    expect(state).toMatchObject({ step: 'asking', page: 3 })
  })

  test.each<[string, ArchiveState]>([
    ['at the end', after(fromServer(), answer(false, campaign(0)))],
    ['after a failure', after(ready, MORE, FAILURE)],
  ])('is ignored %s', (_, state) => {
    expect(after(state, MORE)).toBe(state)
  })

  test('a page without visible campaigns does not end the list', () => {
    const state = after(fromServer(), answer(true))
    expect(state).toMatchObject({ step: 'asking', page: 2 })
    expect(shown(after(state, answer(false, campaign(2))))).toEqual(['c2'])
  })
})

describe('the cutoff day', () => {
  const LAST_DAY = '2026-11-16'

  test('applies to every response', () => {
    const state = after(
      createArchiveState({ firstPage: null, archiveAfter: LAST_DAY }),
      answer(false, campaign(0), campaign(1), campaign(2)),
    )
    expect(shown(state)).toEqual(['c0', 'c1'])
  })

  test('when it arrives later, it removes campaigns and loads the next page if none are left', () => {
    const ready = after(fromServer(), answer(true, campaign(2), campaign(3)))
    const state = after(ready, { is: 'cut-off', archiveAfter: LAST_DAY })
    expect(shown(state)).toEqual([])
    expect(state).toMatchObject({ step: 'asking', page: 2 })
  })
})

describe('a new search', () => {
  const ready = after(fromServer(), answer(true, campaign(0), campaign(1, { name: 'The clinic' })))

  test('shows known matches immediately, and loads the first page after a pause', () => {
    const state = after(ready, wish({ q: 'clinic' }))
    expect(state).toMatchObject({ step: 'pausing', page: 1, hasMore: true })
    expect(shown(state)).toEqual(['c1'])
    expect(after(state, PAUSE_OVER)).toMatchObject({ step: 'asking', page: 1 })
  })

  test('the same search changes nothing', () => {
    expect(after(ready, wish({}))).toBe(ready)
  })

  test('ignores the response to the previous search', () => {
    const state = after(ready, MORE, wish({ q: 'clinic' }))
    expect(after(state, answer(false, campaign(9)))).toBe(state)
    expect(after(state, FAILURE)).toBe(state)
  })

  test('shows what the server found in the newsletters’ text until the search changes', () => {
    const searched = after(ready, wish({ q: 'mango' }), PAUSE_OVER, answer(false, campaign(5)))
    expect(shown(searched)).toEqual(['c5'])
    expect(shown(after(searched, wish({ q: 'mangos' })))).toEqual([])
  })

  test('keeps known campaigns', () => {
    const back = after(ready, wish({ q: 'mango' }), PAUSE_OVER, answer(false, campaign(5)), wish({}))
    expect(shown(back)).toEqual(['c0', 'c1', 'c5'])
  })

  test('shows nothing beyond the loaded pages, where there may be gaps', () => {
    const oldest = after(ready, wish({ sort: 'oldest' }), PAUSE_OVER, answer(true, campaign(400), campaign(390)))
    expect(shown(oldest)).toEqual(['c400', 'c390'])
    expect(shown(after(oldest, MORE, answer(false, campaign(380))))).toEqual(['c400', 'c390', 'c380', 'c1', 'c0'])
  })

  test('loads further pages while nothing matches and there are more', () => {
    const sought = after(ready, wish({ year: 2025 }), PAUSE_OVER)
    const second = after(sought, answer(true, campaign(2)))
    expect(second).toMatchObject({ step: 'asking', page: 2 })
    expect(after(second, answer(true, campaign(400)))).toMatchObject({ step: 'ready', page: 2 })
    expect(after(second, answer(false, campaign(3)))).toMatchObject({ step: 'ready', hasMore: false })
  })

  test('retries after a failure', () => {
    expect(after(ready, MORE, FAILURE, wish({ q: 'clinic' }))).toMatchObject({ step: 'pausing', page: 1 })
  })
})
