import { dateFormat } from '#contract/formatters.ts'
import type { MemberRsvp } from '#contract/public/my-account/account-home.ts'
import { formatMoney } from '#contract/money.ts'
import { contentPaths, paths } from '#web/app/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Box } from '../box.tsx'
import { eventLine, noonOf } from './todo.rules.ts'

/** The events the member has an RSVP for, soonest first. */
export function MemberEvents({ rsvps }: { rsvps: readonly MemberRsvp[] }) {
  return (
    <Box title="Your events" flush aside={<Link to={paths.events()}>All events</Link>}>
      {rsvps.length === 0 && (
        <p className="box-body soft">You have no RSVPs yet. Events you go to stand here, with your seats.</p>
      )}
      {rsvps.length > 0 && (
        <ul className="account-rows">
          {rsvps.map((rsvp) => (
            <EventRow key={rsvp.event.id} rsvp={rsvp} />
          ))}
        </ul>
      )}
    </Box>
  )
}

const monthFormat = dateFormat({ month: 'short', timeZone: 'UTC' })

function EventRow({ rsvp }: { rsvp: MemberRsvp }) {
  const { event, url } = rsvp
  const day = new Date(noonOf(event.startsOn))
  return (
    <li>
      <span className="date-tile" aria-hidden="true">
        {monthFormat.format(day)}
        <b>{day.getUTCDate()}</b>
      </span>
      <div>
        <h3>
          <Link to={contentPaths.event(event.id)}>{event.title}</Link>
        </h3>
        <p>{eventLine(event)}</p>
        <p>{seatsLine(rsvp)}</p>
      </div>
      {url && (
        <ButtonLink variant="line" size="small" to={url} reloadDocument aria-label={`View RSVP to ${event.title}`}>
          View RSVP
        </ButtonLink>
      )}
    </li>
  )
}

const PLACES: Record<MemberRsvp['place'], string> = {
  coming: '',
  paying: 'not paid yet',
  waiting: 'on the waitlist',
  unconfirmed: 'not confirmed yet',
}

/** '2 seats, $240 paid', '1 seat, on the waitlist'. */
function seatsLine({ guests, place, money }: MemberRsvp): string {
  const seats = guests === 0 ? '1 seat' : `${guests + 1} seats`
  const paid = money && money.paid > 0 ? `${formatMoney(money.paid, money.currency)} paid` : ''
  return [seats, paid, PLACES[place]].filter(Boolean).join(', ')
}
