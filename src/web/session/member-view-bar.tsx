import { useEffect, useState } from 'react'
import { paths } from '#web/app/paths.ts'
import styles from '#web/styles/view-bar.css?url'
import { Button } from '#web/ui/button.tsx'
import { endShownView, leaveView, readView, reloadWhenReturnedTo } from './view.ts'

const LOOK_EVERY_MS = 5_000
const MINUTE_MS = 60_000

interface ViewBarProps {
  /** The member whose site it is is still shown; false once the view is over. */
  isOpen: boolean
}

/** Says on every page that the site is seen as somebody else, and is the way out. Fetched only while that is so. */
export function ViewBar({ isOpen }: ViewBarProps) {
  const [view] = useState(readView)
  const [now, setNow] = useState(() => Date.now())
  const [isLeaving, setLeaving] = useState(false)
  const left = view ? Date.parse(view.until) - now : 0
  const isOver = !isOpen || left <= 0

  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), LOOK_EVERY_MS)
    const stop = reloadWhenReturnedTo()
    return () => {
      clearInterval(clock)
      stop()
    }
  }, [])

  useEffect(() => {
    if (isOpen && left <= 0) endShownView()
  }, [isOpen, left])

  const minutes = Math.ceil(left / MINUTE_MS)
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="view" />
      <section className="view-bar" aria-label="Seeing the site as a member">
        <div className="view-bar-words" role="status">
          {isOver ? (
            <p>
              <strong>This view is over.</strong> What is left on the page is no longer up to date.
            </p>
          ) : (
            <p>
              You see the site as <strong>{view?.name}</strong>. Nothing can be changed.
            </p>
          )}
        </div>
        {!isOver && (
          <p className="view-bar-time">{minutes === 1 ? 'Less than a minute left' : `${minutes} minutes left`}</p>
        )}
        <Button
          size="small"
          busy={isLeaving}
          busyLabel="Leaving"
          onClick={() => {
            setLeaving(true)
            void leaveView(`${paths.console()}/members/${view?.memberId ?? ''}`)
          }}
        >
          {isOver ? 'Back to the console' : 'Leave'}
        </Button>
      </section>
    </>
  )
}
