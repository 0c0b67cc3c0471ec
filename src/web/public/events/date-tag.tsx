import { splitDay } from '#contract/dates/days.ts'

/** A date badge on an image. Hidden from screen readers, since the date follows as text. Renders nothing without a date. */
export function DateTag({ day }: { day: string | null }) {
  if (!day) return null
  const { date, month } = splitDay(day)
  return (
    <p className="date-tag" aria-hidden="true">
      <b>{date}</b> {month.slice(0, 3)}
    </p>
  )
}
