import type { EventDetails } from '#contract/public/events.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { Portrait } from '../people/portrait.tsx'
import type { ListedLeader } from '../people/listed-leader.ts'

interface EventContactProps {
  contact: NonNullable<EventDetails['contact']> & {
    /** null if the person is not a leader with a portrait. */
    leader: ListedLeader | null
  }
}

/** Whom to ask about an event. */
export function EventContact({ contact: { name, role, email, leader } }: EventContactProps) {
  const { association } = useFrameContents()
  const address = email ?? association.email
  const office = role ?? leader?.role
  return (
    <section className="event-contact" aria-labelledby="contact-person">
      {leader && <Portrait picture={{ ...leader.portrait, alt: '' }} displayWidth="5.5rem" />}
      <div>
        <h2 id="contact-person">Questions? Ask {name}.</h2>
        <p>
          {office && <span className="soft">{office}, </span>}
          <a href={`mailto:${address}`}>{address}</a>
        </p>
      </div>
    </section>
  )
}
