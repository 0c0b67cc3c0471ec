import type { Campaign, CampaignPage } from '#contract/public/campaigns.ts'
import {
  filterCampaigns,
  DEFAULT_FILTER,
  isInArchive,
  isSameFilter,
  findLast,
  takeUntil,
  type ArchiveFilter,
} from './archive-filter.rules.ts'

/** The parts of an archive page that the state needs. */
export type CampaignResult = Pick<CampaignPage, 'campaigns' | 'hasMore'>

export interface ArchiveState {
  /** The archive's cutoff day, once it is known. */
  archiveAfter: string | null
  /** Every campaign loaded so far, by id. */
  known: ReadonlyMap<string, Campaign>
  filter: ArchiveFilter
  /** `pausing`: the visitor may still be typing. `asking`: `page` is being loaded. */
  step: 'pausing' | 'asking' | 'ready' | 'failed'
  /** The page of this search being loaded, or the last one loaded. */
  page: number
  hasMore: boolean
  /** The last campaign of the loaded pages in the given order; null before the first page. */
  lastLoaded: Campaign | null
  /** The campaigns that the server found for the search text, which may be in the newsletter itself. */
  foundByServer: ReadonlySet<string>
  /** Load the next page as soon as the current one is here. */
  wantsMore: boolean
  /** Only server-rendered campaigns are known; the first fresh response replaces them. */
  isInitial: boolean
}

export type ArchiveEvent =
  | { is: 'wish'; wish: ArchiveFilter }
  /** The visitor stopped typing. */
  | { is: 'pause over' }
  | { is: 'more' }
  | { is: 'answer'; answer: CampaignResult }
  | { is: 'failure' }
  | { is: 'cut-off'; archiveAfter: string }

/** Starts with the server-rendered page, if any; the first page is loaded immediately. */
export function createArchiveState({
  firstPage: fromServer,
  archiveAfter,
}: {
  firstPage: CampaignResult | null
  archiveAfter: string | null
}): ArchiveState {
  const campaigns = fromServer?.campaigns ?? []
  return {
    archiveAfter,
    known: byId(campaigns),
    filter: DEFAULT_FILTER,
    step: 'asking',
    page: 1,
    hasMore: fromServer?.hasMore ?? true,
    lastLoaded: findLast(campaigns, DEFAULT_FILTER.sort),
    foundByServer: new Set(),
    wantsMore: false,
    isInitial: true,
  }
}

/**
 * The campaigns to show: before the server has responded, all known ones that match; afterwards none beyond the loaded
 * pages.
 */
export function visibleCampaigns({
  known,
  filter: wish,
  foundByServer: found,
  lastLoaded: reach,
  hasMore,
}: ArchiveState): Campaign[] {
  const chosen = filterCampaigns(known.values(), wish, found)
  return reach && hasMore ? takeUntil(reach, chosen, wish.sort) : chosen
}

export function archiveReducer(state: ArchiveState, event: ArchiveEvent): ArchiveState {
  switch (event.is) {
    case 'wish':
      if (isSameFilter(event.wish, state.filter)) return state
      return {
        ...state,
        filter: event.wish,
        step: 'pausing',
        page: 1,
        hasMore: true,
        lastLoaded: null,
        foundByServer: new Set(),
        wantsMore: false,
        isInitial: false,
      }
    case 'pause over':
      return state.step === 'pausing' ? { ...state, step: 'asking' } : state
    case 'more':
      if (!state.hasMore || state.step === 'failed') return state
      return state.step === 'ready' ? requestNextPage(state) : { ...state, wantsMore: true }
    case 'answer':
      return state.step === 'asking' ? loadMoreIfNeeded(addPage(state, event.answer)) : state
    case 'failure':
      return state.step === 'asking' ? { ...state, step: 'failed', wantsMore: false } : state
    case 'cut-off':
      return applyCutoff(state, event.archiveAfter)
  }
}

function addPage(state: ArchiveState, { campaigns: received, hasMore }: CampaignResult): ArchiveState {
  const {
    archiveAfter,
    known,
    filter: wish,
    page,
    lastLoaded: reach,
    foundByServer: found,
    isInitial: isOpening,
  } = state
  const campaigns = received.filter((campaign) => isInArchive(campaign, archiveAfter))
  return {
    ...state,
    known: new Map([...(isOpening ? [] : known), ...byId(campaigns)]),
    step: 'ready',
    hasMore,
    lastLoaded: findLast([...(reach && page > 1 ? [reach] : []), ...campaigns], wish.sort),
    foundByServer: wish.q.trim() === '' ? found : new Set([...found, ...campaigns.map(({ id }) => id)]),
    isInitial: false,
  }
}

function applyCutoff(state: ArchiveState, archiveAfter: string): ArchiveState {
  const known = byId([...state.known.values()].filter((campaign) => isInArchive(campaign, archiveAfter)))
  const next = { ...state, archiveAfter, known }
  return state.step === 'ready' ? loadMoreIfNeeded(next) : next
}

/** If nothing is shown, the next page may still have matches (docs/product-rules.md#newsletter-archive). */
function loadMoreIfNeeded(state: ArchiveState): ArchiveState {
  const isNeeded = state.wantsMore || visibleCampaigns(state).length === 0
  return isNeeded && state.hasMore ? requestNextPage(state) : { ...state, wantsMore: false }
}

function requestNextPage(state: ArchiveState): ArchiveState {
  return { ...state, step: 'asking', page: state.page + 1, wantsMore: false }
}

function byId(campaigns: readonly Campaign[]): Map<string, Campaign> {
  return new Map(campaigns.map((campaign) => [campaign.id, campaign]))
}
