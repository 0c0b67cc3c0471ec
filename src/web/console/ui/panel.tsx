import { useId, type ReactNode, type Ref } from 'react'

interface PanelProps {
  title: ReactNode
  /** Opposite the title, such as a link to more. */
  action?: ReactNode
  footer?: ReactNode
  tone?: 'danger' | 'tint'
  /** The content reaches the panel's edges, as tables and lists do. */
  isFlush?: boolean
  ref?: Ref<HTMLElement>
  children: ReactNode
}

/** A section of a console page in a box of its own. */
export function Panel({ title, action, footer, tone, isFlush, ref, children }: PanelProps) {
  const id = useId()
  return (
    <section ref={ref} className={tone ? `box ${tone}` : 'box'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {action && <div className="box-action">{action}</div>}
      </header>
      {isFlush ? children : <div className="box-body">{children}</div>}
      {footer && <footer>{footer}</footer>}
    </section>
  )
}

/** Two columns where there is room: the page, and a rail with what belongs to it. */
export function WithRail({ rail, children }: { rail: ReactNode; children: ReactNode }) {
  return (
    <div className="with-rail">
      <div className="stack">{children}</div>
      <aside className="stack">{rail}</aside>
    </div>
  )
}
