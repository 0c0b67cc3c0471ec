import { useId, type MouseEvent } from 'react'
import type { Campaign } from '#contract/campaigns.ts'
import { formatLongDate } from '#contract/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { preloadDialog } from '#web/ui/dialog.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { CopyLink } from './copy-link.tsx'
import { useOwnAddress } from './own-address.ts'

/** Stands in where a campaign has no picture of its own. */
const NO_PICTURE = '/art/spot-mail.svg'

interface CampaignEntryProps {
  campaign: Campaign
  first: boolean
  onRead(campaign: Campaign): void
}

/** A campaign as a card or a row, as its list decides. Its title is a plain link, so without script it can be read as well. */
export function CampaignEntry({ campaign, first, onRead }: CampaignEntryProps) {
  const { name, subject, sentAt, absoluteViewUrl, previewImageUrl, previewSnippet } = campaign
  const titleId = useId()
  const ownAddress = useOwnAddress()

  function read(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onRead(campaign)
  }

  return (
    <article className="card campaign" aria-labelledby={titleId}>
      <Picture
        src={previewImageUrl ? ownAddress(previewImageUrl) : NO_PICTURE}
        alt=""
        width={1200}
        height={900}
        first={first}
      />
      <div className="card-body">
        <p className="meta">
          <time dateTime={sentAt}>{formatLongDate(sentAt)}</time>
        </p>
        <h3 id={titleId}>
          {absoluteViewUrl ? (
            <a href={ownAddress(absoluteViewUrl)} onClick={read}>
              {name}
            </a>
          ) : (
            name
          )}
        </h3>
        <p className="campaign-subject">{subject}</p>
        <p className="soft">{previewSnippet}</p>
        {absoluteViewUrl ? (
          <div className="buttons campaign-actions needs-script">
            <Button
              variant="line"
              size="small"
              aria-describedby={titleId}
              onPointerEnter={() => void preloadDialog().catch(() => {})}
              onClick={() => onRead(campaign)}
            >
              Read
            </Button>
            <CopyLink address={absoluteViewUrl} describedBy={titleId} />
          </div>
        ) : (
          <div className="campaign-actions">
            <Badge tone="quiet">Unavailable</Badge>
          </div>
        )}
      </div>
    </article>
  )
}
