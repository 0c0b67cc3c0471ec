import { useEffect, useRef, useState, type ComponentType } from 'react'
import type { Announcement } from '#contract/public/association.ts'
import { Icon } from '#web/ui/icon.tsx'
import { useCurrentPath } from '#web/ui/link.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import type { AnnouncementDialogProps } from './announcement-dialog.tsx'
import { paths } from '../paths.ts'

const BELL = 'M10 21a2 2 0 0 0 4 0M3 17h18c-2-2-3-4-3-9A6 6 0 0 0 6 8c0 5-1 7-3 9z'

/** Above this number the badge shows '9+'. */
const MAX_SHOWN = 9

/** Someone who is joining, paying or filling in a short form needs nothing on top of it. */
const WITHOUT_BELL = [
  paths.becomeAMember(),
  paths.emailVerification(),
  paths.stripeSuccess(),
  paths.stripeCancel(),
  paths.sponsorSuccess(),
  paths.rsvp(),
  paths.login(),
  paths.resetPassword(),
  paths.subscribe(),
  paths.unsubscribe(),
]

interface FloatingAnnouncementProps {
  announcement: Announcement
  count: number
}

/** A bell that steps aside while the visitor scrolls down. Once opened, it is gone from the next page on. */
export function FloatingAnnouncement({ announcement, count }: FloatingAnnouncementProps) {
  const path = useCurrentPath()
  const [open, setOpen] = useState(false)
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const [Window, setWindow] = useState<ComponentType<AnnouncementDialogProps> | null>(null)
  const [failed, setFailed] = useState(false)
  const bell = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    let before = scrollY
    const stepAside = () => {
      bell.current?.toggleAttribute('data-aside', scrollY > before)
      before = scrollY
    }
    addEventListener('scroll', stepAside, { passive: true })
    return () => removeEventListener('scroll', stepAside)
  }, [])

  function show() {
    setOpen(true)
    setOpenedAt(path)
    setFailed(false)
    loadWindow().then(
      (component) => setWindow(() => component),
      () => setFailed(true),
    )
  }

  if (WITHOUT_BELL.includes(path) || (openedAt !== null && openedAt !== path)) return null
  return (
    <>
      <button
        type="button"
        ref={bell}
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
      {Window && <Window open={open} announcement={announcement} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The dialog is loaded when the pointer approaches the bell. */
async function loadWindow(): Promise<ComponentType<AnnouncementDialogProps>> {
  const { AnnouncementDialog: Dialog } = await import('./announcement-dialog.tsx')
  return Dialog
}
