/** An event as shown in lists. */
export interface AssociationEvent {
  /** Also its URL, `/events/{id}`. */
  id: string
  title: string
  description: string
  /** Such as 'December 12-14, 2026': as typed by an officer, or reformatted where events are displayed (`formatEventTimes`). */
  date: string
  /** Such as '6:00 PM to 10:00 PM'. */
  time: string | null
  location: string
  /** For the map link; null if the location is enough. */
  address: string | null
  /** One image or several, the first one for cards: names under `/art/`, or paths that begin with a slash. */
  imageKey: string | string[]
  /** Link of the card's button: `/events` unless an officer chose another; empty for no button. */
  detailsLink: string
  /** The first and last day that `date` names, `YYYY-MM-DD`; null if it cannot be parsed (docs/product-rules.md#event-dates). */
  startsOn: string | null
  endsOn: string | null
  /** `HH:MM` in the association's time zone; null for a whole day. */
  startsAt: string | null
  endsAt: string | null
  /** Such as '$120, members $90'. */
  priceLine?: string | undefined
  /** At most four, such as '3 CME hours' and 'Families'. */
  facts?: string[] | undefined
  /** Whether its page has the RSVP form. */
  takesRsvp?: boolean
  needsNoRsvp?: boolean | undefined
  /** `YYYY-MM-DD`: announced for an event that takes no RSVPs yet. */
  rsvpOpensOn?: string | undefined
  /** Whether the home page opens with it. */
  isFeatured?: boolean | undefined
  /** Set if the event is canceled: the message to guests. */
  calledOff?: string
}

/** An event on its own page. */
export interface EventDetails extends AssociationEvent {
  /** Whom to ask about it. */
  contact?: { name: string; role?: string | undefined; email?: string | undefined } | undefined
  goodToKnow?: { label: string; value: string }[] | undefined
  quote?: { text: string; name: string; detail?: string | undefined } | undefined
  /** Sanitized HTML; empty if there is only the description. */
  html: string
  /** Start and end in ISO 8601 with the zone's offset at that time; dates only for whole days; null if unknown. */
  startDate: string | null
  endDate: string | null
}

/** The dates of an event, as used by the rules below. */
export type Dated = Pick<AssociationEvent, 'id' | 'date' | 'startsOn' | 'endsOn'>

/** The rule of the tabs: the first day is today or later. `today` is the association's day; an unreadable date counts as past. */
export function isUpcoming({ startsOn }: Dated, today: string): boolean {
  return startsOn !== null && startsOn >= today
}

/**
 * The rule of the carousel's '(Upcoming)': the year in the date text is later than now, or equal with the month the same or later. So an event keeps
 * the label until its month ends, and a text without a day can have it.
 */
export function isUpcomingInCarousel({ startsOn, date }: Dated, today: string): boolean {
  const month = startsOn?.slice(0, 7) ?? monthIn(date)
  return month !== null && month >= today.slice(0, 7)
}

/** False for a canceled event. */
export function takesPlace({ calledOff }: Pick<AssociationEvent, 'calledOff'>): boolean {
  return calledOff === undefined
}

/** From its first to its last day, inclusive, even if its tab lists it as past (docs/product-rules.md#happening-now). */
export function isHappeningNow({ startsOn, endsOn }: Dated, today: string): boolean {
  return startsOn !== null && startsOn <= today && today <= (endsOn ?? startsOn)
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'
const MONTH = new RegExp(String.raw`\b(?:${MONTHS.replaceAll(' ', '|')})`, 'i')

/** `YYYY-MM` of the first year and month in a text; only `YYYY` without a month; null without a year. */
function monthIn(text: string): string | null {
  const year = /\b20\d{2}\b/.exec(text)?.[0]
  const month = MONTH.exec(text)?.[0].toLowerCase()
  if (!year || !month) return year ?? null
  return `${year}-${String(MONTHS.indexOf(month) / 4 + 1).padStart(2, '0')}`
}
