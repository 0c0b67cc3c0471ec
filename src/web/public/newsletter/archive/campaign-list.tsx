import type { Campaign } from '#contract/public/campaigns.ts'
import { Skeleton, Spinner } from '#web/ui/loading.tsx'
import { CampaignEntry } from './campaign-entry.tsx'
import type { ArchiveView } from './use-archive-view.ts'

/** Fixed by the specification. */
const SKELETONS = { list: 6, grid: 9 } as const

interface CampaignListProps {
  label: string
  campaigns: readonly Campaign[]
  view: ArchiveView
  onRead(campaign: Campaign): void
}

export function CampaignList({ label, campaigns, view, onRead }: CampaignListProps) {
  return (
    <ul className={listClass(view)} aria-label={label}>
      {campaigns.map((campaign, index) => (
        <li key={campaign.id}>
          <CampaignEntry campaign={campaign} first={index === 0} onRead={onRead} />
        </li>
      ))}
    </ul>
  )
}

/** Placeholders while newsletters load. */
export function CampaignSkeleton({ view }: { view: ArchiveView }) {
  return (
    <>
      <div className="visually-hidden">
        <Spinner text="Loading newsletters..." />
      </div>
      <ul className={listClass(view)} aria-hidden="true">
        {Array.from({ length: SKELETONS[view] }, (_, index) => (
          <li key={index}>
            <div className="preview-card campaign">
              <div className="campaign-blank">
                <Skeleton height="100%" />
              </div>
              <div className="preview-card-body">
                <Skeleton width="35%" />
                <Skeleton width="75%" height="1.6em" />
                <Skeleton width="55%" />
                <Skeleton width="90%" />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function listClass(view: ArchiveView): string {
  return view === 'grid' ? 'campaigns grid' : 'campaigns campaign-rows'
}
