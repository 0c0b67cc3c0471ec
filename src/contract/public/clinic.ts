/** When and where the free clinic is open: words an officer may change, kept as a setting. */
export interface ClinicTimes {
  /** Such as 'Saturday'. */
  weekday: Weekday
  /** Which of the month's: 1 for the first. */
  weeks: number[]
  /** `HH:MM` on the association's clock. */
  startsAt: string
  endsAt: string
  place: string
  mapLink: string
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export type Weekday = (typeof WEEKDAYS)[number]
