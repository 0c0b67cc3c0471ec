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

/** What patients need to know, in one language. */
export interface ClinicTranslation {
  /** BCP 47; also its anchor on the page. */
  language: string
  /** In itself, such as 'Español'. */
  name: string
  headline: string
  nextDayLabel: string
  placeLabel: string
  cost: string
  bring: string
  /** In that language; null once a speaker has checked the texts. */
  draftNote: string | null
  isChecked: boolean
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export type Weekday = (typeof WEEKDAYS)[number]
