import { documentPaths } from '#web/app/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import type { SentRsvp } from './rsvp-text.rules.ts'

/** What to do once an RSVP is sent. The link with which it is changed is in the email; a signed-in member also has it here. */
export function RsvpSent({ eventId, sent: { place, own } }: { eventId: string; sent: SentRsvp }) {
  const url = own?.url ?? null
  return (
    <>
      {place === 'coming' && (
        <a className="button" href={documentPaths.eventCalendar(eventId)}>
          Add to calendar
        </a>
      )}
      {place === 'paying' && url && (
        <ButtonLink to={url} reloadDocument>
          Pay for my seats
        </ButtonLink>
      )}
      {place === 'coming' && !url && <p className="fine">To change or cancel, open the link in that email.</p>}
      {url && (
        <p className="fine">
          <Link to={url} reloadDocument>
            Change or cancel
          </Link>
        </p>
      )}
    </>
  )
}
