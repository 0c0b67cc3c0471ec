import type { ReactNode } from 'react'

interface SplitHeadProps {
  title: string
  /** A large sentence under the title, which then is small. */
  statement?: string
  lead: ReactNode
  /** The page's main picture. */
  picture: ReactNode
  /** Below the lead: buttons, links. */
  children?: ReactNode
}

/** A page's head in two halves: its words, and its picture in the arch. */
export function SplitHead({ title, statement, lead, picture, children }: SplitHeadProps) {
  return (
    <div className="split">
      <div className="split-text">
        <h1 className={statement ? 'eyebrow big' : undefined} tabIndex={-1}>
          {title}
        </h1>
        {statement && <p className="statement">{statement}</p>}
        <p className="lead">{lead}</p>
        {children}
      </div>
      <div className="window panel">
        <figure className="jharokha">{picture}</figure>
      </div>
    </div>
  )
}
