/** An event as lists show it. */
export interface AssociationEvent {
  /** Also its address, `/events/{id}`. */
  id: string
  title: string
  description: string
  /** Such as 'December 12-14, 2026': as an officer wrote it, or, where events are shown, as the site writes dates (`writeWhen`). */
  date: string
  /** Such as '6:00 PM to 10:00 PM'. */
  time: string | null
  location: string
  /** For the map link; null when the location says enough. */
  address: string | null
  /** One picture or several, the first on cards: names under `/art/`, or paths beginning with a slash. */
  imageKey: string | string[]
  /** Where the card's button leads: `/events` unless an officer chose another; empty for no button. */
  detailsLink: string
  /** The first and last day that `date` names, `YYYY-MM-DD`; null when it cannot be read (docs/product-rules.md#event-dates). */
  startsOn: string | null
  endsOn: string | null
  /** `HH:MM` on the association's clock; null when the whole day is meant. */
  startsAt: string | null
  endsAt: string | null
  /** It does not take place: what guests were told. Left out: it does. */
  calledOff?: string
}

/** An event on its own page. */
export interface EventDetails extends AssociationEvent {
  /** Its page has the form for saying that one comes; left out: it has not. */
  takesRsvp?: boolean
  /** Sanitised HTML; empty when there is no more to say than the description. */
  html: string
  /** First and last moment in ISO 8601, with the offset the association's zone has then; days alone for whole days; null when unknown. */
  startDate: string | null
  endDate: string | null
}

/** What the rules of days need to know of an event. */
export type Dated = Pick<AssociationEvent, 'id' | 'date' | 'startsOn' | 'endsOn'>

/** The rule of the tabs: the first day is today or later. `today` is the association's day; an unreadable date is past. */
export function isUpcoming({ startsOn }: Dated, today: string): boolean {
  return startsOn !== null && startsOn >= today
}

/**
 * The rule of the carousel's '(Upcoming)': the year in the date text is later than now, or equal with the
 * month the same or later. So it keeps the word until its month is over, and a text without a day may have it.
 */
export function isUpcomingInCarousel({ startsOn, date }: Dated, today: string): boolean {
  const month = startsOn?.slice(0, 7) ?? monthIn(date)
  return month !== null && month >= today.slice(0, 7)
}

/** Nobody is asked to come to what does not take place. */
export function takesPlace({ calledOff }: Pick<AssociationEvent, 'calledOff'>): boolean {
  return calledOff === undefined
}

/** Between its first and its last day, both included: also when its tab calls it past (docs/product-rules.md#happening-now). */
export function isHappeningNow({ startsOn, endsOn }: Dated, today: string): boolean {
  return startsOn !== null && startsOn <= today && today <= (endsOn ?? startsOn)
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'
const MONTH = new RegExp(String.raw`\b(?:${MONTHS.replaceAll(' ', '|')})`, 'i')

/** `YYYY-MM` of the first year and month that a text names; only `YYYY` without a month; null without a year. */
function monthIn(text: string): string | null {
  const year = /\b20\d{2}\b/.exec(text)?.[0]
  const month = MONTH.exec(text)?.[0].toLowerCase()
  if (!year || !month) return year ?? null
  return `${year}-${String(MONTHS.indexOf(month) / 4 + 1).padStart(2, '0')}`
}
