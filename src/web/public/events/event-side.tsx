import {
  isHappeningNow,
  isUpcoming,
  takesPlace,
  type AssociationEvent,
  type EventDetails,
} from '#contract/public/events.ts'
import { ReplyTime } from '#web/shared/reply-time.tsx'
import { contentPaths, documentPaths, paths } from '#web/app/paths.ts'
import { mapAddress } from '#web/shared/event-details.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Rsvp } from '../rsvp/event-rsvp.tsx'
import { fullDate, rsvpAnswer } from './event-text.rules.ts'

interface EventSideProps {
  event: EventDetails
  today: string
  /** The next event, for visitors who missed this one. */
  next: AssociationEvent | undefined
}

/** Beside the story: the RSVP form, or what to do without one. */
export function EventSide({ event, today, next }: EventSideProps) {
  const { association } = useFrameContents()
  if (!takesPlace(event)) {
    return (
      <section className="rsvp bad">
        <h2>This event was canceled</h2>
        <ButtonLink variant="line" to={paths.events()}>
          See other events
        </ButtonLink>
      </section>
    )
  }
  if (isUpcoming(event, today) || isHappeningNow(event, today)) {
    if (event.takesRsvp) return <Rsvp key={event.id} eventId={event.id} today={today} email={association.email} />
    const answer = rsvpAnswer(event, today)
    const isNow = isHappeningNow(event, today)
    return (
      <section className="rsvp">
        <h2>{isNow ? ['Today', event.time].filter(Boolean).join(', ') : answer.title}</h2>
        <p className="soft">{isNow ? answer.short : answer.text}</p>
        {isNow && (
          <a
            className="button"
            href={mapAddress([event.location, event.address].filter(Boolean).join(', '))}
            rel="noopener"
          >
            Get directions
          </a>
        )}
        {!isNow && event.startsOn && (
          <a className="button" href={documentPaths.eventCalendar(event.id)}>
            Add to calendar
          </a>
        )}
        <p className="small soft">
          Questions? Email <a href={`mailto:${association.email}`}>{association.email}</a>. A real person replies within{' '}
          <ReplyTime />.
        </p>
      </section>
    )
  }
  return (
    <section className="rsvp good">
      <h2>Missed it?</h2>
      {next ? (
        <>
          <p>
            Next is {next.title}, {fullDate(next)}.
          </p>
          <ButtonLink to={contentPaths.event(next.id)}>See the next event</ButtonLink>
        </>
      ) : (
        <ButtonLink to={paths.events()}>See all events</ButtonLink>
      )}
    </section>
  )
}
