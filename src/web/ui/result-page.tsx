import type { ReactNode, Ref } from 'react'
import { Spot, type SpotName } from './picture.tsx'

interface AnswerPageProps {
  spot: SpotName
  title: string
  /** Above the picture. */
  before?: ReactNode
  children?: ReactNode
  /** At most two buttons. */
  actions?: ReactNode
  titleRef?: Ref<HTMLHeadingElement>
}

/** A page with one message: a card with a picture, a heading, a sentence and the next step. */
export function ResultPage({ spot, title, before, children, actions, titleRef }: AnswerPageProps) {
  return (
    <div className="result-page printed">
      <section className="card result-card">
        {before}
        <Spot name={spot} isPriority />
        <h1 tabIndex={-1} ref={titleRef}>
          {title}
        </h1>
        {children && <div>{children}</div>}
        {actions && <div className="buttons">{actions}</div>}
      </section>
    </div>
  )
}
