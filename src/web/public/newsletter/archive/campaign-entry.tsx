import { useId, type MouseEvent } from 'react'
import type { Campaign } from '#contract/public/campaigns.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { preloadDialog } from '#web/ui/overlays/dialog.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { CopyLink } from './copy-link.tsx'
import { useSameOriginUrl } from './same-origin-url.ts'

/** For campaigns without a preview image. */
const NO_PICTURE = '/art/spot-mail.svg'

interface CampaignEntryProps {
  campaign: Campaign
  first: boolean
  onRead(campaign: Campaign): void
}

/** A campaign as a card or a row, depending on its list. Its title is a plain link, so it works without script. */
export function CampaignEntry({ campaign, first, onRead }: CampaignEntryProps) {
  const { name, subject, sentAt, absoluteViewUrl, previewImageUrl, previewSnippet } = campaign
  const titleId = useId()
  const ownAddress = useSameOriginUrl()

  function read(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onRead(campaign)
  }

  return (
    <article className="preview-card campaign" aria-labelledby={titleId}>
      <Picture
        src={previewImageUrl ? ownAddress(previewImageUrl) : NO_PICTURE}
        alt=""
        width={1200}
        height={900}
        isPriority={first}
      />
      <div className="preview-card-body">
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
