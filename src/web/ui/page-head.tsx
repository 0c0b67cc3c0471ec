import type { ReactNode } from 'react'

interface PageHeadProps {
  title: string
  lead?: ReactNode
  eyebrow?: string
}

export function PageHead({ title, lead, eyebrow }: PageHeadProps) {
  return (
    <div className="page-head printed">
      <div className="wrap">
        {eyebrow && <p className="eyebrow">{eyebrow}</p>}
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
      </div>
    </div>
  )
}
