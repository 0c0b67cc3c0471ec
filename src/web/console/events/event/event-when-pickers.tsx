import { parseEventDate } from '#contract/dates/event-dates.ts'
import { formatHours, parseHours } from '#contract/dates/event-hours.ts'
import { formatDayRange } from '#contract/dates/days.ts'
import { Field } from '#web/ui/field.tsx'

interface PickersProps {
  /** The path of the field whose text they write. */
  path: string
  text: string
  onChange(text: string): void
}

/** Pickers for an event's days. They write its date as the site does; the text beside them may say more. */
export function EventDatePickers({ path, text, onChange }: PickersProps) {
  const { startsOn = '', endsOn = '' } = parseEventDate(text) ?? {}
  const write = (first: string, last: string) => {
    if (first !== '') onChange(formatDayRange({ startsOn: first, endsOn: last > first ? last : first }))
  }
  return (
    <div className="pair">
      <Field
        label="First day"
        name={`${path}-first`}
        type="date"
        value={startsOn}
        onChange={({ target }) => {
          // An event of several days keeps its length only if the last day still comes later.
          write(target.value, endsOn === startsOn ? target.value : endsOn)
        }}
      />
      <Field
        label="Last day"
        name={`${path}-last`}
        type="date"
        min={startsOn || undefined}
        value={endsOn}
        disabled={startsOn === ''}
        onChange={({ target }) => write(startsOn, target.value)}
      />
    </div>
  )
}

/** Pickers for an event's hours. */
export function EventTimePickers({ path, text, onChange }: PickersProps) {
  const { startsAt, endsAt } = parseHours(text)
  const write = (start: string, end: string) =>
    onChange(formatHours({ startsAt: start || null, endsAt: end || null }) ?? '')
  return (
    <div className="pair">
      <Field
        label="Starts"
        name={`${path}-start`}
        type="time"
        value={startsAt ?? ''}
        onChange={({ target }) => write(target.value, endsAt ?? '')}
      />
      <Field
        label="Ends"
        name={`${path}-end`}
        type="time"
        value={endsAt ?? ''}
        disabled={startsAt === null}
        onChange={({ target }) => write(startsAt ?? '', target.value)}
      />
    </div>
  )
}
