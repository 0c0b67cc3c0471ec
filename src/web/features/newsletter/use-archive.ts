import { useEffect, useMemo, useReducer } from 'react'
import type { CampaignPage } from '#contract/campaigns.ts'
import { yearsOf, type ArchiveWish } from './archive-choice.rules.ts'
import { nextArchiveState, openArchive, shownCampaigns } from './archive-state.rules.ts'
import { fetchCampaigns } from './campaign-calls.ts'

/** Typing pauses this long before the server is asked. */
const PAUSE_MS = 300

/** What came with the page. */
export interface ArchiveStart {
  /** null where it came through the site and nothing is known yet. */
  firstPage: CampaignPage | null
  /** Of all there is on the server; may come later. */
  years: number[]
  /** The last day that the archive leaves out; null as long as it is not known. */
  archiveAfter: string | null
}

/** The archive as the visitor wants to see it: what is known at once, and what the server adds to it. */
export function useArchive({ firstPage, years: fromServer, archiveAfter }: ArchiveStart) {
  const [state, tell] = useReducer(nextArchiveState, { firstPage, archiveAfter }, openArchive)
  const { step, wish, page } = state

  useEffect(() => {
    if (archiveAfter !== null) tell({ is: 'cut-off', archiveAfter })
  }, [archiveAfter])

  useEffect(() => {
    if (step !== 'pausing') return
    const timer = setTimeout(() => tell({ is: 'pause over' }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [step, wish])

  useEffect(() => {
    if (step !== 'asking') return
    let isCurrent = true
    fetchCampaigns(wish, page).then(
      (answer) => isCurrent && tell({ is: 'answer', answer }),
      () => isCurrent && tell({ is: 'failure' }),
    )
    return () => {
      isCurrent = false
    }
  }, [step, wish, page])

  const campaigns = useMemo(() => shownCampaigns(state), [state])
  const years = useMemo(() => yearsOf(state.known.values(), fromServer), [state.known, fromServer])
  return {
    state,
    campaigns,
    years,
    wishFor: (wanted: ArchiveWish) => tell({ is: 'wish', wish: wanted }),
    loadMore: () => tell({ is: 'more' }),
  }
}
