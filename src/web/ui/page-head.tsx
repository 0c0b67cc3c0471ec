import type { ReactNode } from 'react'

interface PageHeadProps {
  title: string
  lead?: ReactNode
  eyebrow?: ReactNode
  /** Without a pattern: for pages that are only text. */
  isPlain?: boolean
  /** Below the lead: search, buttons. */
  children?: ReactNode
}

export function PageHead({ title, lead, eyebrow, isPlain, children }: PageHeadProps) {
  return (
    <div className={isPlain ? 'page-head' : 'page-head printed'}>
      <div className="wrap">
        {eyebrow && <p className="eyebrow">{eyebrow}</p>}
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
        {children && <div className="under">{children}</div>}
      </div>
    </div>
  )
}
