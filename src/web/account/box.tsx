import { useId, type ReactNode } from 'react'

interface BoxProps {
  title: string
  /** Hides the title from sight, for a box whose content shows what it is. */
  isBare?: boolean
  danger?: boolean
  /** Opposite the title: a badge, a link or a small button. */
  aside?: ReactNode
  /** Lists reach the edges. */
  flush?: boolean
  footer?: ReactNode
  className?: string
  children: ReactNode
}

/** A part of an account page. */
export function Box({ title, isBare, danger, aside, flush, footer, className = '', children }: BoxProps) {
  const id = useId()
  return (
    <section className={`${isBare ? '' : 'box'} ${danger ? 'danger' : ''} ${className}`.trim()} aria-labelledby={id}>
      {isBare ? (
        <h2 id={id} className="visually-hidden">
          {title}
        </h2>
      ) : (
        <div className="box-head">
          <h2 id={id}>{title}</h2>
          {aside}
        </div>
      )}
      {flush || isBare ? children : <div className="box-body flow">{children}</div>}
      {footer && <p className="box-foot">{footer}</p>}
    </section>
  )
}
