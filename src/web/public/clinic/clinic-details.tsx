import type { WordsPage } from '#contract/association.ts'
import type { ClinicTimes } from '#contract/clinic.ts'
import { byMonth, hours, nextClinicDays } from './clinic-days.rules.ts'

/** Two months' worth. */
const DAYS_SHOWN = 4

interface ClinicFactsProps {
  clinic: ClinicTimes
  /** The association's day. */
  today: string
  facts: WordsPage['facts']
}

/** The next days, hours and place, and what else is worth knowing at a glance. */
export function ClinicFacts({ clinic, today, facts }: ClinicFactsProps) {
  return (
    <aside className="facts-panel panel" aria-labelledby="clinic-days">
      <h2 id="clinic-days">The next clinic days</h2>
      <dl className="facts">
        {byMonth(nextClinicDays(clinic, today, DAYS_SHOWN)).map(({ month, days }) => (
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
          <dd>{hours(clinic)}</dd>
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
