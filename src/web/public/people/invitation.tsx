import type { ReactNode } from 'react'
import { ButtonLink } from '#web/ui/button.tsx'

interface InvitationProps {
  title: string
  children: ReactNode
  label: string
  to: string
}

/** The panel at the end of a page about people: a sentence and one button. */
export function Invitation({ title, children, label, to }: InvitationProps) {
  return (
    <section className="panel invitation">
      <div className="wrap">
        <div>
          <h2>{title}</h2>
          <p className="soft">{children}</p>
        </div>
        <ButtonLink variant="line" to={to}>
          {label}
        </ButtonLink>
      </div>
    </section>
  )
}
