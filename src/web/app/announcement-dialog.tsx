import type { Notice } from '#contract/association.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, preloadDialog } from '#web/ui/dialog.tsx'
import { Link } from '#web/ui/link.tsx'

export interface NoticeWindowProps {
  open: boolean
  notice: Notice
  onClose(): void
  /** Put away for good; left out where that is not offered. */
  onDismissed?: () => void
}

void preloadDialog().catch(() => {
  // Opening tries again and says so.
})

/** Fetched on demand by floating-notice.tsx; import that. */
export function NoticeWindow({ open, notice, onClose, onDismissed }: NoticeWindowProps) {
  return (
    <Dialog open={open} onClose={onClose} title={notice.title} width="min(22rem, 90vw)">
      <p>{notice.text}</p>
      <p>
        <Link className="alone" to={notice.linkPath} onClick={onClose}>
          {notice.linkLabel}
        </Link>
      </p>
      {onDismissed && (
        <div className="buttons">
          <Button variant="line" size="small" onClick={onDismissed}>
            Don't show again
          </Button>
        </div>
      )}
    </Dialog>
  )
}
