import { carouselEvents } from '#contract/public/event-lists.ts'
import { isUpcoming, takesPlace, type AssociationEvent } from '#contract/public/events.ts'

interface Illustrated {
  imageKey: string | string[]
}

/** Names pictures that are shown already, so that no part of a page repeats them. */
export class UsedPictures {
  readonly #used = new Set<string>()

  /** Marks the first pictures of items that are shown elsewhere. */
  add(items: readonly Illustrated[]): void {
    for (const { imageKey } of items) this.#used.add([imageKey].flat()[0] ?? '')
  }

  /** Each item with its first picture that is not used yet, or else its first one. */
  choose<T extends Illustrated>(items: readonly T[]): T[] {
    return items.map((item) => {
      const keys = [item.imageKey].flat()
      const key = keys.find((one) => !this.#used.has(one)) ?? keys[0] ?? ''
      this.#used.add(key)
      return { ...item, imageKey: key }
    })
  }
}

/**
 * The slides of the home page: in the carousel's order, except that it opens with the upcoming event that an officer features,
 * else with the first one that has a picture made for the hero.
 */
export function heroSlides<T extends AssociationEvent>(events: readonly T[], today: string, count: number): T[] {
  const slides = carouselEvents(events, today, events.length)
  const ahead = slides.filter((event) => isUpcoming(event, today) && takesPlace(event))
  const opener =
    ahead.find(({ isFeatured }) => isFeatured) ??
    ahead.slice(0, count).find(({ imageKey }) => [imageKey].flat()[0]?.startsWith('hero-'))
  const inOrder = opener ? [opener, ...slides.filter((slide) => slide !== opener)] : slides
  return inOrder.slice(0, count)
}
