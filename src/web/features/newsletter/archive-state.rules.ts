import type { Campaign, CampaignPage } from '#contract/campaigns.ts'
import {
  chooseCampaigns,
  EVERYTHING,
  isInArchive,
  isSameWish,
  lastOf,
  upTo,
  type ArchiveWish,
} from './archive-choice.rules.ts'

/** Of a page of the archive, what counts here. */
export type CampaignAnswer = Pick<CampaignPage, 'campaigns' | 'hasMore'>

export interface ArchiveState {
  /** The last day that the archive leaves out, once it is known. */
  archiveAfter: string | null
  /** Every campaign of the archive seen so far, by id. */
  known: ReadonlyMap<string, Campaign>
  wish: ArchiveWish
  /** `pausing`: the visitor may still be typing. Whoever is `asking` asks for `page`. */
  step: 'pausing' | 'asking' | 'ready' | 'failed'
  /** Of the server's answers for this wish: the one asked for, or the last one that came. */
  page: number
  hasMore: boolean
  /** How far those answers reach, in the order asked for; null before the first of them. */
  reach: Campaign | null
  /** What those answers named while there was a search text: it may stand in the letter itself. */
  found: ReadonlySet<string>
  /** The visitor wants the next page as soon as this one is here. */
  wantsMore: boolean
  /** What is known is what the server's page held: the first fresh answer takes its place. */
  isOpening: boolean
}

export type ArchiveEvent =
  | { is: 'wish'; wish: ArchiveWish }
  /** The visitor has stopped typing. */
  | { is: 'pause over' }
  | { is: 'more' }
  | { is: 'answer'; answer: CampaignAnswer }
  | { is: 'failure' }
  | { is: 'cut-off'; archiveAfter: string }

/** With what the server's page held, if anything; the first page is asked for at once. */
export function openArchive({
  firstPage: fromServer,
  archiveAfter,
}: {
  firstPage: CampaignAnswer | null
  archiveAfter: string | null
}): ArchiveState {
  const campaigns = fromServer?.campaigns ?? []
  return {
    archiveAfter,
    known: byId(campaigns),
    wish: EVERYTHING,
    step: 'asking',
    page: 1,
    hasMore: fromServer?.hasMore ?? true,
    reach: lastOf(campaigns, EVERYTHING.sort),
    found: new Set(),
    wantsMore: false,
    isOpening: true,
  }
}

/** What there is to see now. Before the server has answered that is whatever fits of what is known; then nothing beyond its answers. */
export function shownCampaigns({ known, wish, found, reach, hasMore }: ArchiveState): Campaign[] {
  const chosen = chooseCampaigns(known.values(), wish, found)
  return reach && hasMore ? upTo(reach, chosen, wish.sort) : chosen
}

export function nextArchiveState(state: ArchiveState, event: ArchiveEvent): ArchiveState {
  switch (event.is) {
    case 'wish':
      if (isSameWish(event.wish, state.wish)) return state
      return {
        ...state,
        wish: event.wish,
        step: 'pausing',
        page: 1,
        hasMore: true,
        reach: null,
        found: new Set(),
        wantsMore: false,
        isOpening: false,
      }
    case 'pause over':
      return state.step === 'pausing' ? { ...state, step: 'asking' } : state
    case 'more':
      if (!state.hasMore || state.step === 'failed') return state
      return state.step === 'ready' ? askNext(state) : { ...state, wantsMore: true }
    case 'answer':
      return state.step === 'asking' ? goOn(takeAnswer(state, event.answer)) : state
    case 'failure':
      return state.step === 'asking' ? { ...state, step: 'failed', wantsMore: false } : state
    case 'cut-off':
      return cutOff(state, event.archiveAfter)
  }
}

function takeAnswer(state: ArchiveState, { campaigns: answered, hasMore }: CampaignAnswer): ArchiveState {
  const { archiveAfter, known, wish, page, reach, found, isOpening } = state
  const campaigns = answered.filter((campaign) => isInArchive(campaign, archiveAfter))
  return {
    ...state,
    known: new Map([...(isOpening ? [] : known), ...byId(campaigns)]),
    step: 'ready',
    hasMore,
    reach: lastOf([...(reach && page > 1 ? [reach] : []), ...campaigns], wish.sort),
    found: wish.q.trim() === '' ? found : new Set([...found, ...campaigns.map(({ id }) => id)]),
    isOpening: false,
  }
}

function cutOff(state: ArchiveState, archiveAfter: string): ArchiveState {
  const known = byId([...state.known.values()].filter((campaign) => isInArchive(campaign, archiveAfter)))
  const next = { ...state, archiveAfter, known }
  return state.step === 'ready' ? goOn(next) : next
}

/** With nothing to show there may still be something on the next page (docs/product-rules.md#newsletter-archive). */
function goOn(state: ArchiveState): ArchiveState {
  const isNeeded = state.wantsMore || shownCampaigns(state).length === 0
  return isNeeded && state.hasMore ? askNext(state) : { ...state, wantsMore: false }
}

function askNext(state: ArchiveState): ArchiveState {
  return { ...state, step: 'asking', page: state.page + 1, wantsMore: false }
}

function byId(campaigns: readonly Campaign[]): Map<string, Campaign> {
  return new Map(campaigns.map((campaign) => [campaign.id, campaign]))
}
