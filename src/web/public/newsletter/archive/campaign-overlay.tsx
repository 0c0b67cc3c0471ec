import { useState } from 'react'
import type { Campaign } from '#contract/campaigns.ts'
import { formatLongDate } from '#contract/dates.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Spinner } from '#web/ui/waiting.tsx'
import { useOwnAddress } from './own-address.ts'

interface CampaignOverlayProps {
  /** null while nothing is being read. */
  campaign: Campaign | null
  onClose(): void
}

/** A campaign above the page, as it was mailed; Escape, the backdrop and its button close it. */
export function CampaignOverlay({ campaign, onClose }: CampaignOverlayProps) {
  const address = useOwnAddress()(campaign?.absoluteViewUrl ?? '')
  return (
    <Dialog open={campaign !== null} onClose={onClose} title={campaign?.name ?? ''} width="62rem">
      {campaign && (
        <div className="campaign-overlay">
          <p className="meta">
            <span>Sent {formatLongDate(campaign.sentAt)}</span>
            {campaign.canEmbed && <OtherWays address={address} linkClass="alone" />}
          </p>
          {campaign.canEmbed ? (
            <CampaignFrame key={campaign.id} title={campaign.name} address={address} />
          ) : (
            <>
              <p>This newsletter cannot be shown in this window.</p>
              <div className="buttons">
                <OtherWays address={address} linkClass="button line" />
              </div>
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}

function OtherWays({ address, linkClass }: { address: string; linkClass: string }) {
  return (
    <>
      <a className={linkClass} href={address} target="_blank" rel="noreferrer">
        Open in a new tab
      </a>
      <a className={linkClass} href={`${address}.txt`} target="_blank" rel="noreferrer">
        Text version
      </a>
    </>
  )
}

/** Without scripts and without a share in this site (docs/product-rules.md#campaign-html); its links open beside it. */
function CampaignFrame({ title, address }: { title: string; address: string }) {
  const [isHere, setHere] = useState(false)
  return (
    <div className="campaign-frame" aria-busy={!isHere}>
      {!isHere && <Spinner text="Loading newsletter..." />}
      <iframe
        title={title}
        src={address}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        onLoad={() => setHere(true)}
      />
    </div>
  )
}
