import { happeningNow } from '#contract/public/event-lists.ts'
import type { AssociationEvent } from '#contract/public/events.ts'
import { contentPaths } from '#web/app/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Link } from '#web/ui/link.tsx'

/** A banner for each event under way: a meeting on its second day would otherwise only be listed as past (docs/product-rules.md#happening-now). */
export function HappeningNow({ events, today }: { events: AssociationEvent[]; today: string }) {
  return happeningNow(events, today).map((event) => (
    <Banner key={event.id} tone="note">
      <p>
        <strong>{event.endsOn === event.startsOn ? 'Happening today:' : 'Happening now:'}</strong>{' '}
        <Link to={contentPaths.event(event.id)}>{event.title}</Link>,{' '}
        {[event.date, event.time].filter(Boolean).join(', ')}, {event.location}
      </p>
    </Banner>
  ))
}
