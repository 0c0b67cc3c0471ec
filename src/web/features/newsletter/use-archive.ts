import { useEffect, useMemo, useReducer } from 'react'
import type { CampaignPage } from '#contract/campaigns.ts'
import { yearsOf, type ArchiveWish } from './archive-choice.rules.ts'
import { nextArchiveState, openArchive, shownCampaigns } from './archive-state.rules.ts'

/** Typing pauses this long before the server is asked. */
const PAUSE_MS = 300

/** What the server's page knew. */
export interface ArchiveStart {
  firstPage: CampaignPage
  years: number[]
}

/** The archive as the visitor wants to see it: what is known at once, and what the server adds to it. */
export function useArchive(start: ArchiveStart | null) {
  const [state, tell] = useReducer(nextArchiveState, start?.firstPage ?? null, openArchive)
  const { step, wish, page } = state

  useEffect(() => {
    if (step !== 'pausing') return
    const timer = setTimeout(() => tell({ is: 'pause over' }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [step, wish])

  useEffect(() => {
    if (step !== 'asking') return
    let isCurrent = true
    // On demand: it brings the contract's checks along.
    import('./campaign-calls.ts')
      .then(({ fetchCampaigns }) => fetchCampaigns(wish, page))
      .then(
        (answer) => isCurrent && tell({ is: 'answer', answer }),
        () => isCurrent && tell({ is: 'failure' }),
      )
    return () => {
      isCurrent = false
    }
  }, [step, wish, page])

  const campaigns = useMemo(() => shownCampaigns(state), [state])
  const years = useMemo(() => yearsOf(state.known.values(), start?.years ?? []), [state.known, start])
  return {
    state,
    campaigns,
    years,
    wishFor: (wanted: ArchiveWish) => tell({ is: 'wish', wish: wanted }),
    loadMore: () => tell({ is: 'more' }),
  }
}
