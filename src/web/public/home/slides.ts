import { isUpcomingInCarousel, takesPlace, type AssociationEvent } from '#contract/public/events.ts'
import { MOST_SLIDES, NEXT_EVENT, type HomeWords, type PlannedSlide } from '#contract/public/association.ts'
import { contentPaths } from '#web/app/paths.ts'
import { heroSlides } from './used-pictures.rules.ts'

/** A slide at the top of the home page: an event, or a picture with words. */
export interface Slide {
  id: string
  title: string
  /** '(Upcoming)', '(Canceled)' or nothing. */
  note: string
  when: string
  place: string
  text: string
  imageKey: string | string[]
  pictureAlt: string
  /** Its picture was chosen for it; otherwise the pictures of the hero folder are shown in turn. */
  isPictured: boolean
  /** Empty for a slide without a button. */
  button: string
  detailsLink: string
}

/** The slides that officers planned, then events in the carousel's order unless officers want only their own. A planned event that is gone is left out. */
export function homeSlides(
  { slides, hasOnlyTheseSlides }: Pick<HomeWords, 'slides' | 'hasOnlyTheseSlides'>,
  events: readonly AssociationEvent[],
  today: string,
): Slide[] {
  const inOrder = heroSlides(events, today, events.length)
  const named = new Set(slides.map(({ event }) => event))
  const shown = new Set<AssociationEvent>()
  const planned = slides.flatMap((plan) => {
    if (plan.event === null) return [pictureSlide(plan)]
    const event = inOrder.find(({ id }) => (plan.event === NEXT_EVENT ? !named.has(id) : id === plan.event))
    if (!event) return []
    shown.add(event)
    return [{ ...eventSlide(event, today), ...ownPicture(plan) }]
  })
  const isComplete = hasOnlyTheseSlides && planned.length > 0
  const rest = isComplete ? [] : inOrder.filter((event) => !shown.has(event))
  return [...planned, ...rest.map((event) => eventSlide(event, today))].slice(0, MOST_SLIDES)
}

export function eventSlide(event: AssociationEvent, today: string): Slide {
  const isUpcoming = isUpcomingInCarousel(event, today)
  const isOn = takesPlace(event)
  return {
    id: event.id,
    title: event.title,
    note: isUpcoming ? `(${isOn ? 'Upcoming' : 'Canceled'})` : '',
    when: [event.date, event.time].filter(Boolean).join(', '),
    place: event.location,
    text: '',
    imageKey: event.imageKey,
    pictureAlt: '',
    isPictured: false,
    button: isUpcoming && isOn ? 'RSVP Now' : 'Learn More',
    detailsLink: event.detailsLink || contentPaths.event(event.id),
  }
}

function pictureSlide(plan: PlannedSlide): Slide {
  const { title, text, button } = plan
  const empty = { note: '', when: '', place: '', imageKey: '', pictureAlt: '', isPictured: false }
  return {
    ...empty,
    id: title ?? '',
    title: title ?? '',
    text: text ?? '',
    button: button?.label ?? '',
    detailsLink: button?.path ?? '',
    ...ownPicture(plan),
  }
}

function ownPicture({ picture }: PlannedSlide): Partial<Pick<Slide, 'imageKey' | 'pictureAlt' | 'isPictured'>> {
  return picture ? { imageKey: picture.name, pictureAlt: picture.alt, isPictured: true } : {}
}
