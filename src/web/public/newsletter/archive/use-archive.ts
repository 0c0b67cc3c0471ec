import { useEffect, useMemo, useReducer } from 'react'
import type { CampaignPage } from '#contract/public/campaigns.ts'
import { listYears, type ArchiveFilter } from './archive-filter.rules.ts'
import { archiveReducer, createArchiveState, visibleCampaigns } from './archive-state.rules.ts'
import { fetchCampaigns } from './campaign-calls.ts'

/** Wait this long after the last keystroke before searching on the server. */
const PAUSE_MS = 300

/** The data from the page's loader. */
export interface ArchiveInitialData {
  /** null after a client-side navigation, when nothing is known yet. */
  firstPage: CampaignPage | null
  /** All years on the server; may arrive later. */
  years: number[]
  /** The archive's cutoff day; null until known. */
  archiveAfter: string | null
}

/** The archive as the visitor filters it: what is known immediately, then what the server adds. */
export function useArchive({ firstPage, years: fromServer, archiveAfter }: ArchiveInitialData) {
  const [state, dispatch] = useReducer(archiveReducer, { firstPage, archiveAfter }, createArchiveState)
  const { step, filter: wish, page } = state

  useEffect(() => {
    if (archiveAfter !== null) dispatch({ is: 'cut-off', archiveAfter })
  }, [archiveAfter])

  useEffect(() => {
    if (step !== 'pausing') return
    const timer = setTimeout(() => dispatch({ is: 'pause over' }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [step, wish])

  useEffect(() => {
    if (step !== 'asking') return
    let isCurrent = true
    fetchCampaigns(wish, page).then(
      (answer) => isCurrent && dispatch({ is: 'answer', answer }),
      () => isCurrent && dispatch({ is: 'failure' }),
    )
    return () => {
      isCurrent = false
    }
  }, [step, wish, page])

  const campaigns = useMemo(() => visibleCampaigns(state), [state])
  const years = useMemo(() => listYears(state.known.values(), fromServer), [state.known, fromServer])
  return {
    state,
    campaigns,
    years,
    wishFor: (wanted: ArchiveFilter) => dispatch({ is: 'wish', wish: wanted }),
    loadMore: () => dispatch({ is: 'more' }),
  }
}
