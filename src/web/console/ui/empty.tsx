import type { ReactNode } from 'react'

/** A page or list without content: one heading, one sentence, one way on. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <img src="/art/spot-empty.svg" alt="" width="144" height="144" />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}
