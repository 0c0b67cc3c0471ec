/** Opening times and place of the free clinic; officers edit them as a setting. */
export interface ClinicTimes {
  /** Such as 'Saturday'. */
  weekday: Weekday
  /** Weeks of the month: 1 for the first. */
  weeks: number[]
  /** `HH:MM` in the association's time zone. */
  startsAt: string
  endsAt: string
  place: string
  mapLink: string
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export type Weekday = (typeof WEEKDAYS)[number]
