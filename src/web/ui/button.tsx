import { useId, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { Announcer } from './announcer.tsx'
import { Link } from './link.tsx'

interface Look {
  /** At most one solid button per view; the others are `line`. */
  variant?: 'solid' | 'line' | 'danger'
  size?: 'small'
}

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'className'> {
  /** Shown next to a disabled button: why it is disabled. */
  reason?: string
  /** A busy button keeps its place, width and focus, and ignores clicks. */
  busy?: boolean
  busyLabel?: string
}

export function Button({ variant, size, reason, busy, busyLabel, children, onClick, ...rest }: ButtonProps) {
  const reasonId = useId()
  const shownReason = rest.disabled && reason ? reason : undefined

  function click(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }

  const button = (
    <button
      type="button"
      aria-describedby={shownReason ? reasonId : undefined}
      aria-busy={busy || undefined}
      {...rest}
      className={buttonClass({ variant, size })}
      onClick={click}
    >
      {busyLabel ? <Labels busy={busy} idle={children} busyLabel={busyLabel} /> : children}
    </button>
  )
  return (
    <>
      {reason ? (
        <div className="button-block">
          {button}
          <p className="small soft" id={reasonId}>
            {shownReason}
          </p>
        </div>
      ) : (
        button
      )}
      {busyLabel && <Announcer message={busy ? busyLabel : ''} />}
    </>
  )
}

function Labels({ busy, idle, busyLabel }: { busy: boolean | undefined; idle: ReactNode; busyLabel: string }) {
  return (
    <span className="button-labels">
      <span data-off={busy ? '' : undefined} aria-hidden={busy || undefined}>
        {idle}
      </span>
      <span data-off={busy ? undefined : ''} aria-hidden={!busy || undefined} className="spinner">
        {busyLabel}
      </span>
    </span>
  )
}

interface ButtonLinkProps extends Look, Omit<ComponentProps<typeof Link>, 'className'> {}

export function ButtonLink({ variant, size, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={buttonClass({ variant, size })} />
}

/** A link with an arrow from an excerpt to the full list. */
export function MoreLink(props: Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link {...props} className="more" />
}

function buttonClass({ variant, size }: Look): string {
  return ['button', variant !== 'solid' && variant, size].filter(Boolean).join(' ')
}
