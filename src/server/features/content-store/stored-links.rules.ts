import * as z from 'zod/mini'
import { isLink, isOwnPath, isPicture, isWebAddress } from '#contract/fields.ts'
import type { Sponsor } from '#contract/public/sponsors.ts'
import type { EventValue, NewsValue } from './kinds/news-and-events.kinds.ts'
import { settingsSchema, type Settings } from './settings.schema.ts'
import type { CommitteeValue, LeaderValue } from './kinds/people.kinds.ts'
import type { AnnouncementValue, PageValue } from './kinds/text.kinds.ts'

/**
 * Handles values that were stored before a validation rule became stricter. They are never shown as links and never stop the site from starting:
 * `npm run admin -- check` reports them, and the form requires a correction when an officer saves the record.
 */

/** A map search for the place, used if the stored map link is invalid. */
function mapSearchUrl(venue: string): string {
  return `https://www.openstreetmap.org/search?${new URLSearchParams({ query: venue })}`
}

/**
 * Parses stored settings. Out-of-range numbers are kept, because changing them would change what members agreed to; invalid links are replaced.
 * @throws ZodError for anything else that is invalid
 */
export function readStoredSettings(stored: object): { settings: Settings; problems: string[] } {
  const strict = z.safeParse(settingsSchema, stored)
  if (strict.success) return { settings: strict.data, problems: [] }
  const repaired = structuredClone(stored)
  const outOfRange: [path: PropertyKey[], value: number][] = []
  for (const issue of strict.error.issues) {
    const { path } = issue
    const found = at(repaired, path)
    if (issue.code === 'too_big' && typeof found === 'number') put(repaired, path, Number(issue.maximum))
    else if (issue.code === 'too_small' && typeof found === 'number') put(repaired, path, Number(issue.minimum))
    else if (path.at(-1) === 'mapLink') put(repaired, path, mapSearchUrl(''))
    else if (path.at(-1) === 'url') put(repaired, path, 'https://unreadable.invalid')
    if (typeof found === 'number') outOfRange.push([path, found])
  }
  const settings = z.parse(settingsSchema, repaired)
  for (const [path, value] of outOfRange) put(settings, path, value)
  const { association, clinic } = settings
  const { street, city, region } = association.address
  if (isReplaced(association.mapLink)) association.mapLink = mapSearchUrl([street, city, region].join(', '))
  if (isReplaced(clinic.mapLink)) clinic.mapLink = mapSearchUrl(clinic.place)
  association.socialLinks = association.socialLinks.filter(({ url }) => url !== 'https://unreadable.invalid')
  return { settings, problems: strict.error.issues.map(({ path }) => path.join('.')) }
}

function isReplaced(mapLink: string): boolean {
  return mapLink === mapSearchUrl('')
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

function put(value: unknown, path: readonly PropertyKey[], part: unknown): void {
  const inner = at(value, path.slice(0, -1)) as Record<PropertyKey, unknown> | undefined
  if (inner) inner[path.at(-1) as PropertyKey] = part
}

export function withSafeEventLinks(event: EventValue): EventValue {
  const { detailsLink, imageKey } = event
  return {
    ...event,
    detailsLink: isLink(detailsLink) ? detailsLink : '',
    imageKey: Array.isArray(imageKey) ? imageKey.filter(isPicture) : safePicture(imageKey),
  }
}

export function withSafeNewsLinks(item: NewsValue): NewsValue {
  return { ...item, imageKey: safePicture(item.imageKey) }
}

export function withSafeVoice<T extends { portrait?: string | undefined }>(voice: T): T {
  return voice.portrait === undefined ? voice : { ...voice, portrait: safePicture(voice.portrait) }
}

export function withSafeSponsorLinks(sponsor: Sponsor): Sponsor {
  const { logo, website } = sponsor
  return {
    ...sponsor,
    logo: safePicture(logo),
    website: website !== null && isWebAddress(website) ? website : null,
  }
}

export function withSafePageLinks(page: PageValue): PageValue {
  const { picture, items, more, timeline, cards, action, ...rest } = page
  return {
    ...rest,
    ...(picture !== undefined && isPicture(picture) && { picture }),
    items: items.map((item) => ({ ...item, spot: safePicture(item.spot) })),
    more: more.filter(({ path }) => isOwnPath(path)),
    ...(timeline && { timeline: timeline.map((entry) => withSafe(entry, 'picture', isPicture)) }),
    ...(cards && { cards: cards.map((card) => withSafe(card, 'path', isOwnPath)) }),
    ...(action && { action: withSafe(action, 'path', isOwnPath) }),
  }
}

export function withSafePortrait<T extends LeaderValue | CommitteeValue>(person: T): T {
  return withSafe(person, 'portrait', isPicture)
}

/** Leaves out an optional address that is not valid. */
function withSafe<K extends string, T extends Partial<Record<K, string>>>(
  item: T,
  name: K,
  isValid: (address: string) => boolean,
): T {
  const { [name]: address, ...rest } = item
  return address === undefined || isValid(address) ? item : (rest as unknown as T)
}

export function withSafeAnnouncementLink(announcement: AnnouncementValue): AnnouncementValue {
  return { ...announcement, linkPath: isOwnPath(announcement.linkPath) ? announcement.linkPath : '/' }
}

/** An empty name is rendered like an image that fails to load. */
function safePicture(picture: string): string {
  return isPicture(picture) ? picture : ''
}
