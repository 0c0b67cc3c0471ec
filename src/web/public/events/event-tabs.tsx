import { useId, useRef, useState, type KeyboardEvent } from 'react'
import type { AssociationEvent } from '#contract/public/events.ts'
import { Spot } from '#web/ui/picture.tsx'
import { EventCard } from './event-card.tsx'

interface EventTabsProps {
  /** In display order. */
  upcoming: AssociationEvent[]
  past: AssociationEvent[]
  today: string
}

/**
 * Upcoming and past events as tabs, with arrow keys, Home and End. Without JavaScript both lists are shown under their headings (events.css).
 */
export function EventTabs({ upcoming, past, today }: EventTabsProps) {
  const tabs = [
    { name: 'Upcoming', events: upcoming, none: 'No upcoming events at the moment. Check back soon!' },
    { name: 'Past', events: past, none: 'No past events to display.' },
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
      {tabs.map(({ name, events, none }, index) => (
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
            <ul className="event-list">
              {events.map((event, position) => (
                <li key={event.id}>
                  <EventCard event={event} today={today} first={index === 0 && position === 0} />
                </li>
              ))}
            </ul>
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
