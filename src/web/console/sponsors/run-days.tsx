import { useNavigate } from 'react-router'
import { listRunDays } from '#contract/console/sponsors.ts'
import { formatDay } from '#contract/dates/days.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Card } from '#web/ui/card.tsx'

/** Days that have a run of show. */
export default function RunDaysPage() {
  const found = useLoaded(listRunDays)
  const navigate = useNavigate()
  return (
    <ConsolePage
      title="Run of show"
      lead="Who speaks on a day, in what order, and for how long."
      action={
        <ButtonLink variant="line" to="/console/sponsors">
          All sponsors
        </ButtonLink>
      }
    >
      <WhenLoaded loaded={found} what="days">
        {({ days, events }) => (
          <>
            {days.length > 0 && (
              <ul className="entries">
                {days.map(({ day, items }) => (
                  <li key={day} className="card entry">
                    <div>
                      <h2>
                        <Link to={`/console/run-of-show/${day}`}>{formatDay(day)}</Link>
                      </h2>
                      <p className="soft">{items === 1 ? '1 item' : `${items} items`}</p>
                    </div>
                  </li>
                ))}
              </ul>
            )}
            <Card title="New run of show">
              {events.length > 0 && (
                <ul className="flow">
                  {events.map(({ day, title }) => (
                    <li key={`${day} ${title}`}>
                      <Link to={`/console/run-of-show/${day}`}>
                        {title}, {formatDay(day)}
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
              <form
                onSubmit={(event) => {
                  event.preventDefault()
                  const day = new FormData(event.currentTarget).get('day')
                  if (typeof day === 'string' && day) void navigate(`/console/run-of-show/${day}`)
                }}
              >
                <Field label="Another day" name="day" type="date" required />
                <Button type="submit" variant="line">
                  Open
                </Button>
              </form>
            </Card>
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}
