import { dateFormat } from '#contract/formatters.ts'
import { WEEKDAYS, type ClinicTimes } from '#contract/public/clinic.ts'
import { addDays, splitDay, weekdayOf } from '#contract/dates/days.ts'

type Schedule = Pick<ClinicTimes, 'weekday' | 'weeks'>

/** More than a year: a fifth Saturday is rare, and a schedule that never matches must not loop forever. */
const LOOK_AHEAD_DAYS = 400

/**
 * The next open days, `YYYY-MM-DD`. Today counts until midnight, so the page is the same all day
 * (docs/product-rules.md#the-associations-day).
 */
export function nextClinicDays({ weekday, weeks }: Schedule, today: string, count: number): string[] {
  const days: string[] = []
  for (let ahead = 0; ahead < LOOK_AHEAD_DAYS && days.length < count; ahead++) {
    const day = addDays(today, ahead)
    const week = Math.ceil(Number(day.slice(8)) / 7)
    if (WEEKDAYS[weekdayOf(day)] === weekday && weeks.includes(week)) days.push(day)
  }
  return days
}

/** The days grouped by month: 'December 2026' with 'Saturday 5' and 'Saturday 19'. */
export function groupDaysByMonth(days: readonly string[]): { month: string; days: { day: string; label: string }[] }[] {
  const months = new Map<string, { day: string; label: string }[]>()
  for (const day of days) {
    const { month, year, date } = splitDay(day)
    const name = `${month} ${year}`
    months.set(name, [...(months.get(name) ?? []), { day, label: `${WEEKDAYS[weekdayOf(day)]} ${date}` }])
  }
  return [...months].map(([month, own]) => ({ month, days: own }))
}

/** '1st and 3rd Saturday'. */
export function describeSchedule({ weekday, weeks }: Schedule): string {
  const ordinals = weeks.map((week) => ORDINALS[week] ?? `${week}th`)
  return `${new Intl.ListFormat('en-US').format(ordinals)} ${weekday}`
}

const ORDINALS: Record<number, string> = { 1: '1st', 2: '2nd', 3: '3rd' }

/** '1:00 PM to 4:00 PM'. */
export function describeHours({ startsAt, endsAt }: Pick<ClinicTimes, 'startsAt' | 'endsAt'>): string {
  return `${clockTime(startsAt)} to ${clockTime(endsAt)}`
}

/** '1:00 PM' for '13:00'. */
function clockTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

/** A day and the opening hours in a language, such as 'sábado, 5 de diciembre, 1:00 p. m. – 4:00 p. m.'. */
export function dayInLanguage(
  language: string,
  day: string,
  { startsAt, endsAt }: Pick<ClinicTimes, 'startsAt' | 'endsAt'>,
): string {
  const at = (time: string) => new Date(`${day}T${time}:00Z`)
  const date = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }, language)
  const time = dateFormat({ hour: 'numeric', minute: '2-digit', hour12: true, timeZone: 'UTC' }, language)
  return `${date.format(at(startsAt))}, ${time.format(at(startsAt))} – ${time.format(at(endsAt))}`
}

/** 'Saturday, December 5'. */
export function dayInWords(day: string): string {
  const { month, date } = splitDay(day)
  return `${WEEKDAYS[weekdayOf(day)]}, ${month} ${date}`
}
