import { describe, expect, test } from 'vitest'
import type { Campaign } from '#contract/campaigns.ts'
import { EVERYTHING } from './archive-choice.rules.ts'
import {
  nextArchiveState,
  openArchive,
  shownCampaigns,
  type ArchiveEvent,
  type ArchiveState,
} from './archive-state.rules.ts'
import { sampleCampaign } from './sample-campaign.ts'

const DAY_MS = 86_400_000

/** The one of so many days before the newest. */
function campaign(daysAgo: number, over: Partial<Campaign> = {}): Campaign {
  const sentAt = new Date(Date.parse('2026-11-18T14:00:00Z') - daysAgo * DAY_MS).toISOString()
  return sampleCampaign(`c${daysAgo}`, sentAt, over)
}

const answer = (hasMore: boolean, ...campaigns: Campaign[]): ArchiveEvent => ({
  is: 'answer',
  answer: { campaigns, hasMore },
})
const wish = (over: Partial<typeof EVERYTHING>): ArchiveEvent => ({ is: 'wish', wish: { ...EVERYTHING, ...over } })
const PAUSE_OVER: ArchiveEvent = { is: 'pause over' }
const MORE: ArchiveEvent = { is: 'more' }
const FAILURE: ArchiveEvent = { is: 'failure' }

function after(start: ArchiveState, ...events: ArchiveEvent[]): ArchiveState {
  let state = start
  for (const event of events) state = nextArchiveState(state, event)
  return state
}

const shown = (state: ArchiveState) => shownCampaigns(state).map(({ id }) => id)
const fromServer = (hasMore = true) =>
  openArchive({ firstPage: { campaigns: [campaign(0), campaign(1)], hasMore }, archiveAfter: null })
const EMPTY = { firstPage: null, archiveAfter: null }

describe('at first', () => {
  test('what came with the page is shown while its first page is asked for anew', () => {
    const state = fromServer()
    expect(state).toMatchObject({ step: 'asking', page: 1, hasMore: true })
    expect(shown(state)).toEqual(['c0', 'c1'])
  })

  test('the fresh answer wins over what was rendered', () => {
    const state = after(fromServer(), answer(false, campaign(2), campaign(0, { name: 'Renamed' })))
    expect(shown(state)).toEqual(['c0', 'c2'])
    expect(state.known.get('c0')?.name).toBe('Renamed')
    expect(state).toMatchObject({ step: 'ready', hasMore: false })
  })

  test('an empty fresh answer empties the list', () => {
    expect(shown(after(fromServer(), answer(false)))).toEqual([])
  })

  test('a failure leaves what there is', () => {
    const state = after(fromServer(), FAILURE)
    expect(state.step).toBe('failed')
    expect(shown(state)).toEqual(['c0', 'c1'])
  })

  test('nothing is known of a page that brought nothing', () => {
    expect(shown(openArchive(EMPTY))).toEqual([])
    expect(openArchive(EMPTY)).toMatchObject({ step: 'asking', page: 1, hasMore: true })
  })
})

describe('more', () => {
  const ready = after(fromServer(), answer(true, campaign(0), campaign(1)))

  test('asks for the next page and adds it', () => {
    const asking = after(ready, MORE)
    expect(asking).toMatchObject({ step: 'asking', page: 2 })
    expect(shown(after(asking, answer(false, campaign(2))))).toEqual(['c0', 'c1', 'c2'])
  })

  test('wanted while the page before is on its way comes right after it', () => {
    const state = after(fromServer(), MORE, answer(true, campaign(0)))
    expect(state).toMatchObject({ step: 'asking', page: 2, wantsMore: false })
  })

  test('wanted twice is asked for twice, one after the other', () => {
    const state = after(ready, MORE, MORE, answer(true, campaign(2)))
    expect(state).toMatchObject({ step: 'asking', page: 3 })
  })

  test.each<[string, ArchiveState]>([
    ['at the end', after(fromServer(), answer(false, campaign(0)))],
    ['after a failure', after(ready, MORE, FAILURE)],
  ])('is not to be had %s', (_, state) => {
    expect(after(state, MORE)).toBe(state)
  })

  test('a page of which nothing can be shown is no end', () => {
    const state = after(fromServer(), answer(true))
    expect(state).toMatchObject({ step: 'asking', page: 2 })
    expect(shown(after(state, answer(false, campaign(2))))).toEqual(['c2'])
  })
})

describe('the last day that is left out', () => {
  const LAST_DAY = '2026-11-16'

  test('holds for every answer', () => {
    const state = after(
      openArchive({ firstPage: null, archiveAfter: LAST_DAY }),
      answer(false, campaign(0), campaign(1), campaign(2)),
    )
    expect(shown(state)).toEqual(['c0', 'c1'])
  })

  test('known later, it takes away what is shown, and the next page is asked for where nothing stays', () => {
    const ready = after(fromServer(), answer(true, campaign(2), campaign(3)))
    const state = after(ready, { is: 'cut-off', archiveAfter: LAST_DAY })
    expect(shown(state)).toEqual([])
    expect(state).toMatchObject({ step: 'asking', page: 2 })
  })
})

describe('another wish', () => {
  const ready = after(fromServer(), answer(true, campaign(0), campaign(1, { name: 'The clinic' })))

  test('shows at once what is known, and asks after a pause from the first page on', () => {
    const state = after(ready, wish({ q: 'clinic' }))
    expect(state).toMatchObject({ step: 'pausing', page: 1, hasMore: true })
    expect(shown(state)).toEqual(['c1'])
    expect(after(state, PAUSE_OVER)).toMatchObject({ step: 'asking', page: 1 })
  })

  test('the same wish changes nothing', () => {
    expect(after(ready, wish({}))).toBe(ready)
  })

  test('the answer to the wish before is not taken for it', () => {
    const state = after(ready, MORE, wish({ q: 'clinic' }))
    expect(after(state, answer(false, campaign(9)))).toBe(state)
    expect(after(state, FAILURE)).toBe(state)
  })

  test('what the server found in the letters’ text is shown, until the search changes', () => {
    const searched = after(ready, wish({ q: 'mango' }), PAUSE_OVER, answer(false, campaign(5)))
    expect(shown(searched)).toEqual(['c5'])
    expect(shown(after(searched, wish({ q: 'mangos' })))).toEqual([])
  })

  test('what is known stays known', () => {
    const back = after(ready, wish({ q: 'mango' }), PAUSE_OVER, answer(false, campaign(5)), wish({}))
    expect(shown(back)).toEqual(['c0', 'c1', 'c5'])
  })

  test('beyond the server’s answers nothing is shown that may have gaps before it', () => {
    const oldest = after(ready, wish({ sort: 'oldest' }), PAUSE_OVER, answer(true, campaign(400), campaign(390)))
    expect(shown(oldest)).toEqual(['c400', 'c390'])
    expect(shown(after(oldest, MORE, answer(false, campaign(380))))).toEqual(['c400', 'c390', 'c380', 'c1', 'c0'])
  })

  test('as long as nothing fits and there is more, the next page is asked for', () => {
    const sought = after(ready, wish({ year: 2025 }), PAUSE_OVER)
    const second = after(sought, answer(true, campaign(2)))
    expect(second).toMatchObject({ step: 'asking', page: 2 })
    expect(after(second, answer(true, campaign(400)))).toMatchObject({ step: 'ready', page: 2 })
    expect(after(second, answer(false, campaign(3)))).toMatchObject({ step: 'ready', hasMore: false })
  })

  test('after a failure is a new try', () => {
    expect(after(ready, MORE, FAILURE, wish({ q: 'clinic' }))).toMatchObject({ step: 'pausing', page: 1 })
  })
})
