import { useEffect, useState, type ComponentType } from 'react'
import type { Announcement } from '#contract/public/association.ts'
import { Icon } from '#web/ui/icon.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import type { AnnouncementDialogProps } from './announcement-dialog.tsx'

const BELL =
  'M10.268 21a2 2 0 0 0 3.464 0M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326'

/** Above this number the badge shows '9+'. */
const MAX_SHOWN = 9

interface FloatingAnnouncementProps {
  announcement: Announcement
  count: number
  /** With a key the visitor can dismiss the announcement permanently; without one there is no such button. */
  persistenceKey?: string
}

export function FloatingAnnouncement({ announcement, count, persistenceKey }: FloatingAnnouncementProps) {
  const [open, setOpen] = useState(false)
  const [dismissed, setDismissed] = useState(false)
  const [Window, setWindow] = useState<ComponentType<AnnouncementDialogProps> | null>(null)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    if (persistenceKey && wasDismissed(persistenceKey)) setDismissed(true)
  }, [persistenceKey])

  function show() {
    setOpen(true)
    setFailed(false)
    loadWindow().then(
      (component) => setWindow(() => component),
      () => setFailed(true),
    )
  }

  function dismiss(key: string) {
    storeDismissal(key)
    setOpen(false)
    setDismissed(true)
  }

  if (dismissed) return null
  return (
    <>
      <button
        type="button"
        className="announcement"
        aria-label={`Notices, ${count} new`}
        aria-haspopup="dialog"
        onPointerEnter={() => void loadWindow().catch(() => {})}
        onClick={show}
      >
        <Icon d={BELL} />
        <b aria-hidden="true">{count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}</b>
      </button>
      {failed && <LoadFailure />}
      {Window && (
        <Window
          open={open}
          announcement={announcement}
          onClose={() => setOpen(false)}
          {...(persistenceKey && { onDismissed: () => dismiss(persistenceKey) })}
        />
      )}
    </>
  )
}

/** The dialog is loaded when the pointer approaches the bell. */
async function loadWindow(): Promise<ComponentType<AnnouncementDialogProps>> {
  const { AnnouncementDialog: Dialog } = await import('./announcement-dialog.tsx')
  return Dialog
}

function wasDismissed(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false // If storage cannot be read, show the announcement.
  }
}

function storeDismissal(key: string) {
  try {
    localStorage.setItem(key, 'dismissed')
  } catch {
    // Not stored: the announcement is shown again on the next visit.
  }
}
