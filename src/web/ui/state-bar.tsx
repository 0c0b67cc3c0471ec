import type { ReactNode } from 'react'

interface StateBarProps {
  /** `ask`: something has to be done; `inform`: nothing has. */
  tone: 'ask' | 'inform'
  /** Names the region. */
  label: string
  title: string
  text: string
  /** One button, and perhaps one that dismisses. */
  children: ReactNode
}

/** A band between the header and the page's head: one at a time, for what this visitor or this day asks for. */
export function StateBar({ tone, label, title, text, children }: StateBarProps) {
  return (
    <section className={tone === 'ask' ? 'state-bar' : 'state-bar calm'} aria-label={label}>
      <div className="wrap">
        <div>
          <p className="state-bar-title">{title}</p>
          <p>{text}</p>
        </div>
        <div className="buttons">{children}</div>
      </div>
    </section>
  )
}
