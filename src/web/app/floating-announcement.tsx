import { useEffect, useState, type ComponentType } from 'react'
import type { Notice } from '#contract/association.ts'
import { Icon } from '#web/ui/icon.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import type { NoticeWindowProps } from './notice-window.tsx'

const BELL =
  'M10.268 21a2 2 0 0 0 3.464 0M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326'

/** Above this the badge says '9+'. */
const MOST_SHOWN = 9

interface FloatingNoticeProps {
  notice: Notice
  count: number
  /** With a key the visitor may put the notice away for good; without one it offers no such choice. */
  persistenceKey?: string
}

export function FloatingNotice({ notice, count, persistenceKey }: FloatingNoticeProps) {
  const [open, setOpen] = useState(false)
  const [dismissed, setDismissed] = useState(false)
  const [Window, setWindow] = useState<ComponentType<NoticeWindowProps> | null>(null)
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
    rememberDismissal(key)
    setOpen(false)
    setDismissed(true)
  }

  if (dismissed) return null
  return (
    <>
      <button
        type="button"
        className="notice"
        aria-label={`Notices, ${count} new`}
        aria-haspopup="dialog"
        onPointerEnter={() => void loadWindow().catch(() => {})}
        onClick={show}
      >
        <Icon d={BELL} />
        <b aria-hidden="true">{count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}</b>
      </button>
      {failed && <LoadFailure />}
      {Window && (
        <Window
          open={open}
          notice={notice}
          onClose={() => setOpen(false)}
          {...(persistenceKey && { onDismissed: () => dismiss(persistenceKey) })}
        />
      )}
    </>
  )
}

/** What the bell opens is fetched when somebody comes near it. */
async function loadWindow(): Promise<ComponentType<NoticeWindowProps>> {
  const { NoticeWindow } = await import('./notice-window.tsx')
  return NoticeWindow
}

function wasDismissed(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false // Storage that can not be read is no reason to disturb anyone.
  }
}

function rememberDismissal(key: string) {
  try {
    localStorage.setItem(key, 'dismissed')
  } catch {
    // Then the notice comes back on the next visit.
  }
}
