import type { Announcement } from '#contract/public/association.ts'
import { Dialog, preloadDialog } from '#web/ui/overlays/dialog.tsx'
import { Link } from '#web/ui/link.tsx'

export interface AnnouncementDialogProps {
  open: boolean
  announcement: Announcement
  onClose(): void
}

void preloadDialog().catch(() => {
  // Opening the dialog retries and reports the failure.
})

/** Loaded on demand by floating-announcement.tsx; import that instead. */
export function AnnouncementDialog({ open, announcement, onClose }: AnnouncementDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={announcement.title} width="min(22rem, 90vw)">
      <p>{announcement.text}</p>
      <p>
        <Link className="alone" to={announcement.linkPath} onClick={onClose}>
          {announcement.linkLabel}
        </Link>
      </p>
    </Dialog>
  )
}
