import { useNavigate } from 'react-router'
import { listRunDays } from '#contract/console-sponsors.ts'
import { writeDay } from '#contract/days.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** The days on which sponsors speak. */
export default function RunDaysPage() {
  const found = useLoaded('days', () => callAsOfficer(listRunDays))
  const navigate = useNavigate()
  return (
    <ConsolePage
      title="Run of show"
      lead="Who speaks on a day, in which order, and how long it takes."
      action={
        <ButtonLink variant="line" to="/console/sponsors">
          All sponsors
        </ButtonLink>
      }
    >
      <WhenLoaded loaded={found} what="the days">
        {({ days, events }) => (
          <>
            {days.length > 0 && (
              <ul className="entries">
                {days.map(({ day, items }) => (
                  <li key={day} className="sheet entry">
                    <div>
                      <h2>
                        <Link to={`/console/run-of-show/${day}`}>{writeDay(day)}</Link>
                      </h2>
                      <p className="soft">{items === 1 ? '1 item' : `${items} items`}</p>
                    </div>
                  </li>
                ))}
              </ul>
            )}
            <Sheet title="Begin one">
              {events.length > 0 && (
                <ul className="flow">
                  {events.map(({ day, title }) => (
                    <li key={`${day} ${title}`}>
                      <Link to={`/console/run-of-show/${day}`}>
                        {title}, {writeDay(day)}
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
                  Open this day
                </Button>
              </form>
            </Sheet>
          </>
        )}
      </WhenLoaded>
    </ConsolePage>
  )
}
