import { useEffect, useState } from 'react'
import type { EventDetails } from '#contract/public/events.ts'
import { fullDate } from './event-text.rules.ts'

/** On phones, the way to the RSVP form at the lower edge; it leaves while the form is in view. */
export function PayBar({ event }: { event: EventDetails }) {
  const [isFormSeen, setFormSeen] = useState(false)

  useEffect(() => {
    const form = document.getElementById('rsvp')
    if (!form || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(([entry]) => setFormSeen(entry?.isIntersecting ?? false))
    observer.observe(form)
    return () => observer.disconnect()
  }, [])

  return (
    <div className="pay-bar" hidden={isFormSeen}>
      <p>
        {event.priceLine && <b>{event.priceLine}</b>}
        <span>{fullDate(event)}</span>
      </p>
      <a className="button small" href="#rsvp">
        RSVP Now
      </a>
    </div>
  )
}
