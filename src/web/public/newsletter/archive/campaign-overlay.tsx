import { useState } from 'react'
import type { Campaign } from '#contract/public/campaigns.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { useSameOriginUrl } from './same-origin-url.ts'

interface CampaignOverlayProps {
  /** null while closed. */
  campaign: Campaign | null
  onClose(): void
}

/** A campaign as it was mailed, in a dialog; Escape, the backdrop and the button close it. */
export function CampaignOverlay({ campaign, onClose }: CampaignOverlayProps) {
  const address = useSameOriginUrl()(campaign?.absoluteViewUrl ?? '')
  return (
    <Dialog open={campaign !== null} onClose={onClose} title={campaign?.name ?? ''} width="62rem">
      {campaign && (
        <div className="campaign-overlay">
          <p className="meta">
            <span>Sent {formatLongDate(campaign.sentAt)}</span>
            {campaign.canEmbed && <AlternativeLinks address={address} linkClass="alone" />}
          </p>
          {campaign.canEmbed ? (
            <CampaignFrame key={campaign.id} title={campaign.name} address={address} />
          ) : (
            <>
              <p>This newsletter can't be shown here.</p>
              <div className="buttons">
                <AlternativeLinks address={address} linkClass="button line" />
              </div>
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}

function AlternativeLinks({ address, linkClass }: { address: string; linkClass: string }) {
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

/** Sandboxed: no scripts and no access to this site (docs/product-rules.md#campaign-html). Links open in a new tab. */
function CampaignFrame({ title, address }: { title: string; address: string }) {
  const [isLoaded, setLoaded] = useState(false)
  return (
    <div className="campaign-frame" aria-busy={!isLoaded}>
      {!isLoaded && <Spinner text="Loading newsletter..." />}
      <iframe
        title={title}
        src={address}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        onLoad={() => setLoaded(true)}
      />
    </div>
  )
}
