import type { ReactNode, Ref } from 'react'
import { Spot, type SpotName } from './picture.tsx'

interface AnswerPageProps {
  spot: SpotName
  title: string
  children?: ReactNode
  /** At most two buttons. */
  actions?: ReactNode
  titleRef?: Ref<HTMLHeadingElement>
}

/** A page that answers one question: one sheet, one picture, a heading, a sentence and the way on. */
export function AnswerPage({ spot, title, children, actions, titleRef }: AnswerPageProps) {
  return (
    <div className="answer printed">
      <section className="sheet answer-sheet">
        <Spot name={spot} />
        <h1 tabIndex={-1} ref={titleRef}>
          {title}
        </h1>
        {children && <div>{children}</div>}
        {actions && <div className="buttons">{actions}</div>}
      </section>
    </div>
  )
}
