import type { ReactNode } from 'react'

interface SplitHeadProps {
  /** Above everything: the way back. */
  before?: ReactNode
  eyebrow?: ReactNode
  title: string
  /** A large sentence under the title, which then is small. */
  statement?: string
  lead: ReactNode
  /** The page's main picture; left out, the words have the whole width. */
  picture?: ReactNode
  /** Below the lead: buttons, links. */
  children?: ReactNode
}

/** A page's head in two halves: its words, and its picture in the arch. */
export function SplitHead({ before, eyebrow, title, statement, lead, picture, children }: SplitHeadProps) {
  return (
    <div className="split">
      <div className="split-text">
        {before && <p className="crumb">{before}</p>}
        {eyebrow && <p className="eyebrow big">{eyebrow}</p>}
        <h1 className={statement ? 'eyebrow big' : undefined} tabIndex={-1}>
          {title}
        </h1>
        {statement && <p className="statement">{statement}</p>}
        <p className="lead">{lead}</p>
        {children}
      </div>
      {picture && (
        <div className="window panel">
          <figure className="jharokha">{picture}</figure>
        </div>
      )}
    </div>
  )
}
