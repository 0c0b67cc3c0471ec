import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { takesPlace, type AssociationEvent } from '#contract/public/events.ts'
import { Picture, Spot } from '#web/ui/picture.tsx'
import { contentPaths } from '#web/app/paths.ts'
import { imageUrl } from '#web/ui/image-url.ts'
import { Link } from '#web/ui/link.tsx'
import { EventRow, hasButton } from './event-row.tsx'
import { groupByMonth, LATER } from './event-groups.rules.ts'
import { useSeatsLeft } from './seats-left/use-seats-left.ts'

interface EventTabsProps {
  /** The current date in the association's time zone. */
  today: string
  /** In display order. */
  upcoming: AssociationEvent[]
  past: AssociationEvent[]
}

/**
 * Upcoming and past events as tabs, with arrow keys, Home and End. Without JavaScript both lists are shown under their headings (events.css).
 */
export function EventTabs({ today, upcoming, past }: EventTabsProps) {
  const tabs = [
    {
      name: 'Upcoming',
      events: upcoming,
      list: <UpcomingEvents events={upcoming} today={today} />,
      none: 'No upcoming events at the moment. Check back soon!',
    },
    { name: 'Past', events: past, list: <PastEvents events={past} />, none: 'No past events to display.' },
  ]
  const id = useId()
  const [shown, setShown] = useState(0)
  const buttons = useRef<(HTMLButtonElement | null)[]>([])

  function move(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowRight: shown + 1, ArrowLeft: shown - 1, Home: 0, End: -1 }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (step + tabs.length) % tabs.length
    setShown(next)
    buttons.current[next]?.focus()
  }

  return (
    <>
      <div className="tabs" role="tablist" aria-label="Events" onKeyDown={move}>
        {tabs.map(({ name, events }, index) => (
          <button
            key={name}
            ref={(button) => {
              buttons.current[index] = button
            }}
            type="button"
            role="tab"
            className="tab"
            id={`${id}-${name}`}
            aria-controls={`${id}-${name}-panel`}
            aria-selected={index === shown}
            tabIndex={index === shown ? 0 : -1}
            onClick={() => setShown(index)}
          >
            {name} <span className="count">{events.length}</span>
          </button>
        ))}
      </div>
      {tabs.map(({ name, events, list, none }, index) => (
        <section
          key={name}
          className="tab-panel"
          role="tabpanel"
          id={`${id}-${name}-panel`}
          aria-labelledby={`${id}-${name}`}
          hidden={index !== shown}
        >
          <h2>{name} events</h2>
          {events.length > 0 ? (
            list
          ) : (
            <div className="empty">
              <Spot name="empty" />
              <p className="empty-text">{none}</p>
            </div>
          )}
        </section>
      ))}
    </>
  )
}

function UpcomingEvents({ events, today }: { events: AssociationEvent[]; today: string }) {
  const pressable = events.filter((event) => takesPlace(event) && hasButton(event))
  const solid = pressable.find(({ takesRsvp }) => takesRsvp) ?? pressable[0]
  const seatsLeft = useSeatsLeft(events.some((event) => event.takesRsvp && takesPlace(event)))
  return groupByMonth(events).map(({ name, year, events: group }) => (
    <section key={`${name} ${year}`} className="month">
      <h3>
        {name} <span>{year}</span>
      </h3>
      {group.map((event) => (
        <EventRow
          key={event.id}
          event={event}
          today={today}
          showMonth={name === LATER}
          first={event === events[0]}
          solid={event === solid}
          seatsLeft={seatsLeft.get(event.id)}
        />
      ))}
    </section>
  ))
}

function PastEvents({ events }: { events: AssociationEvent[] }) {
  return (
    <ul className="picture-wall">
      {events.map(({ id, title, date, imageKey }) => (
        <li key={id}>
          <article>
            <Picture src={imageUrl(imageKey)} alt="" width={1200} height={900} />
            <h3>
              <Link to={contentPaths.event(id)}>{title}</Link>
            </h3>
            <p className="meta">{date}</p>
          </article>
        </li>
      ))}
    </ul>
  )
}
