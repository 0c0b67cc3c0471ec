import { Link } from '#web/ui/link.tsx'
import type { PictureUse, PictureUseKind } from '#contract/console/media.ts'
import { Badge } from '#web/ui/badge.tsx'

const USE_TEXTS: Record<PictureUseKind, string> = {
  public: 'Published',
  draft: 'Draft',
  scheduled: 'Scheduled',
  sent: 'Sent',
}

/** The records that use an image, with their publication status. */
export function PictureUses({ uses }: { uses: readonly PictureUse[] }) {
  return (
    <ul className="picture-uses">
      {uses.map(({ title, what, path, how }) => (
        <li key={path}>
          <span>
            <Link to={path}>{title}</Link> <span className="soft">{what}</span>
          </span>
          {how.map((one) => (
            <Badge key={one} tone={one === 'public' ? 'ok' : 'quiet'}>
              {USE_TEXTS[one]}
            </Badge>
          ))}
        </li>
      ))}
    </ul>
  )
}
