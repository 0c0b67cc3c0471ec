import { splitDay } from '#contract/days.ts'

/** Hangs from the upper edge of a picture. Silent for readers, since the date follows in words; nothing for a day nobody knows. */
export function DateTag({ day }: { day: string | null }) {
  if (!day) return null
  const { date, month } = splitDay(day)
  return (
    <p className="date-tag" aria-hidden="true">
      <b>{date}</b> {month.slice(0, 3)}
    </p>
  )
}
