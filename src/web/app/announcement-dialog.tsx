import type { Announcement } from '#contract/public/association.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, preloadDialog } from '#web/ui/overlays/dialog.tsx'
import { Link } from '#web/ui/link.tsx'

export interface AnnouncementDialogProps {
  open: boolean
  announcement: Announcement
  onClose(): void
  /** Called when the visitor dismisses the announcement permanently; left out where that is not possible. */
  onDismissed?: () => void
}

void preloadDialog().catch(() => {
  // Opening the dialog retries and reports the failure.
})

/** Loaded on demand by floating-announcement.tsx; import that instead. */
export function AnnouncementDialog({ open, announcement, onClose, onDismissed }: AnnouncementDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={announcement.title} width="min(22rem, 90vw)">
      <p>{announcement.text}</p>
      <p>
        <Link className="alone" to={announcement.linkPath} onClick={onClose}>
          {announcement.linkLabel}
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
