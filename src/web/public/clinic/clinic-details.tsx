import type { TextPage } from '#contract/public/association.ts'
import type { ClinicTimes } from '#contract/public/clinic.ts'
import { groupDaysByMonth, describeHours, nextClinicDays } from './clinic-days.rules.ts'

/** Two months' worth. */
const DAYS_SHOWN = 4

interface ClinicDetailsProps {
  clinic: ClinicTimes
  /** Today in the association's time zone. */
  today: string
  facts: TextPage['facts']
}

/** The next open days, hours, address and the page’s facts. */
export function ClinicDetails({ clinic, today, facts }: ClinicDetailsProps) {
  return (
    <aside className="detail-panel panel" aria-labelledby="clinic-days">
      <h2 id="clinic-days">Upcoming clinic days</h2>
      <dl className="details">
        {groupDaysByMonth(nextClinicDays(clinic, today, DAYS_SHOWN)).map(({ month, days }) => (
          <div key={month}>
            <dt>{month}</dt>
            {days.map(({ day, label }) => (
              <dd key={day}>
                <time dateTime={day}>{label}</time>
                {day === today && <span className="badge">Today</span>}
              </dd>
            ))}
          </div>
        ))}
        <div>
          <dt>Hours</dt>
          <dd>{describeHours(clinic)}</dd>
        </div>
        <div>
          <dt>Place</dt>
          <dd>{clinic.place}</dd>
          <dd>
            <a href={clinic.mapLink} rel="noopener">
              Find it on a map
            </a>
          </dd>
        </div>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}
