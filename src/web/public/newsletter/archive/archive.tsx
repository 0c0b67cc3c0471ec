import { useRef, useState, type ReactNode } from 'react'
import type { Campaign } from '#contract/public/campaigns.ts'
import { reloadPage } from '#web/api/reload.ts'
import { Announcer } from '#web/ui/announcer.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spot } from '#web/ui/picture.tsx'
import { useNearEnd } from '#web/ui/use-near-end.ts'
import { DEFAULT_FILTER, isSameFilter } from './archive-filter.rules.ts'
import { ArchiveFilters, FILTERS_ID } from './archive-filters.tsx'
import { CampaignList, CampaignSkeleton } from './campaign-list.tsx'
import { CampaignOverlay } from './campaign-overlay.tsx'
import { useArchiveView } from './use-archive-view.ts'
import { useArchive, type ArchiveInitialData } from './use-archive.ts'

/** Load the next page when the end of the list is this close to the viewport. */
const NEAR_END_PX = 800

/** The invitation to subscribe comes after so many newsletters: a multiple of every number of columns. */
const BEFORE_INVITATION = 6

interface ArchiveProps {
  start: ArchiveInitialData
  /** How to get the next one; shown among the newsletters, because their end is far away. */
  invitation: ReactNode
}

/** The newsletter archive: filters, list and reader. */
export function Archive({ start, invitation }: ArchiveProps) {
  const { state, campaigns, years, wishFor, loadMore } = useArchive(start)
  const [view, setView] = useArchiveView()
  const [isReading, setReading] = useState<Campaign | null>(null)
  const end = useRef<HTMLDivElement | null>(null)
  const { step, page, hasMore, filter: wish } = state
  const isComplete = step === 'ready' || step === 'failed'
  const canLoadMore = hasMore && step !== 'failed' && campaigns.length > 0

  useNearEnd({ end, marginPx: NEAR_END_PX, isEnabled: canLoadMore && step === 'ready', onNear: loadMore })

  return (
    <>
      <ArchiveFilters years={years} view={view} onView={setView} onFilter={wishFor} />
      {/* For later pages the failure is shown after the loaded ones. */}
      {step === 'failed' && page === 1 && <ArchiveFailure />}
      <h2 className="visually-hidden">Newsletters</h2>
      <Announcer message={isComplete ? countLabel(campaigns) : ''} />
      {campaigns.length > 0 && (
        <CampaignList
          label="Newsletters"
          campaigns={campaigns.slice(0, BEFORE_INVITATION)}
          view={view}
          onRead={setReading}
        />
      )}
      {campaigns.length === 0 && !isComplete && <CampaignSkeleton view={view} />}
      {campaigns.length === 0 && step === 'ready' && <NothingFound isFiltered={!isSameFilter(wish, DEFAULT_FILTER)} />}
      {invitation}
      {campaigns.length > BEFORE_INVITATION && (
        <CampaignList
          label="More newsletters"
          campaigns={campaigns.slice(BEFORE_INVITATION)}
          view={view}
          onRead={setReading}
        />
      )}
      {step === 'failed' && page > 1 && <ArchiveFailure />}
      {canLoadMore && (
        <div className="load-more needs-script" ref={end}>
          <Button
            variant="line"
            busy={state.wantsMore || (step === 'asking' && page > 1)}
            busyLabel="Loading"
            onClick={loadMore}
          >
            Load more
          </Button>
        </div>
      )}
      <CampaignOverlay campaign={isReading} onClose={() => setReading(null)} />
    </>
  )
}

function ArchiveFailure() {
  return (
    <Banner tone="bad" title="Something went wrong" role="alert">
      <p>We couldn't load newsletters right now. Please try again shortly.</p>
      <Button variant="line" size="small" onClick={reloadPage}>
        Try again
      </Button>
    </Banner>
  )
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="empty">
      <Spot name="empty" />
      <p className="empty-text">
        {isFiltered
          ? 'No newsletters match your current filters. Try adjusting your search or year selection.'
          : 'No newsletters available'}
      </p>
      {isFiltered && (
        <Button type="reset" form={FILTERS_ID} variant="line">
          Show all newsletters
        </Button>
      )}
    </div>
  )
}

function countLabel(campaigns: readonly Campaign[]): string {
  return campaigns.length === 1 ? '1 newsletter' : `${campaigns.length} newsletters`
}
