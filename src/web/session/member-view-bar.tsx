import { useEffect, useState } from 'react'
import { paths } from '#web/app/paths.ts'
import styles from '#web/styles/view-bar.css?url'
import { Button } from '#web/ui/button.tsx'
import { endMemberView, leaveMemberView, readMemberView, reloadOnBackNavigation } from './member-view.ts'

const TICK_MS = 5_000
const MINUTE_MS = 60_000

interface ViewBarProps {
  /** False once the view has ended. */
  isOpen: boolean
}

/** Shown on every page while an officer views the site as a member, with a button to leave. Loaded only then. */
export function MemberViewBar({ isOpen }: ViewBarProps) {
  const [view] = useState(readMemberView)
  const [now, setNow] = useState(() => Date.now())
  const [isLeaving, setLeaving] = useState(false)
  const remainingMs = view ? Date.parse(view.until) - now : 0
  const hasEnded = !isOpen || remainingMs <= 0

  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), TICK_MS)
    const stop = reloadOnBackNavigation()
    return () => {
      clearInterval(clock)
      stop()
    }
  }, [])

  useEffect(() => {
    if (isOpen && remainingMs <= 0) endMemberView()
  }, [isOpen, remainingMs])

  const minutes = Math.ceil(remainingMs / MINUTE_MS)
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="view" />
      <section className="view-bar" aria-label="Viewing the site as a member">
        <div className="view-bar-text" role="status">
          {hasEnded ? (
            <p>
              <strong>This view has ended.</strong> The page may be out of date.
            </p>
          ) : (
            <p>
              You are viewing the site as <strong>{view?.name}</strong>. Nothing can be changed.
            </p>
          )}
        </div>
        {!hasEnded && (
          <p className="view-bar-time">{minutes === 1 ? 'Less than a minute left' : `${minutes} minutes left`}</p>
        )}
        <Button
          size="small"
          busy={isLeaving}
          busyLabel="Leaving"
          onClick={() => {
            setLeaving(true)
            void leaveMemberView(`${paths.console()}/members/${view?.memberId ?? ''}`)
          }}
        >
          {hasEnded ? 'Back to the console' : 'Leave'}
        </Button>
      </section>
    </>
  )
}
