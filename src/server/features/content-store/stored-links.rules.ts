import * as z from 'zod/mini'
import type { Notice } from '#contract/association.ts'
import { isLink, isOwnPath, isPicture, isWebAddress } from '#contract/fields.ts'
import type { Sponsor } from '#contract/sponsors.ts'
import type { StoredEvent } from '../events/event.repository.ts'
import type { StoredNewsItem } from '../news/news.repository.ts'
import type { StoredPage } from './content.repository.ts'
import { settingsSchema, type Settings } from './settings.ts'

/**
 * What was stored before a rule became stricter. Such a value is never shown as a link, and never keeps the site from starting: `npm run admin -- check`
 * reports it, and an officer who saves the record is asked to correct it.
 */

/** Where a map lies when its link is none: the place is searched for. */
function mapOf(place: string): string {
  return `https://www.openstreetmap.org/search?${new URLSearchParams({ query: place })}`
}

/**
 * Settings as they are stored. A number beyond what forms allow today holds on, since another would change what members were promised; a link that is none
 * is replaced. @throws ZodError where nothing helps
 */
export function readStoredSettings(stored: object): { settings: Settings; problems: string[] } {
  const strict = z.safeParse(settingsSchema, stored)
  if (strict.success) return { settings: strict.data, problems: [] }
  const fitted = structuredClone(stored)
  const kept: [path: PropertyKey[], value: number][] = []
  for (const issue of strict.error.issues) {
    const { path } = issue
    const found = at(fitted, path)
    if (issue.code === 'too_big' && typeof found === 'number') put(fitted, path, Number(issue.maximum))
    else if (issue.code === 'too_small' && typeof found === 'number') put(fitted, path, Number(issue.minimum))
    else if (path.at(-1) === 'mapLink') put(fitted, path, mapOf(''))
    else if (path.at(-1) === 'url') put(fitted, path, 'https://unreadable.invalid')
    if (typeof found === 'number') kept.push([path, found])
  }
  const settings = z.parse(settingsSchema, fitted)
  for (const [path, value] of kept) put(settings, path, value)
  const { association, clinic } = settings
  const { street, city, region } = association.address
  if (isReplaced(association.mapLink)) association.mapLink = mapOf([street, city, region].join(', '))
  if (isReplaced(clinic.mapLink)) clinic.mapLink = mapOf(clinic.place)
  association.socialLinks = association.socialLinks.filter(({ url }) => url !== 'https://unreadable.invalid')
  return { settings, problems: strict.error.issues.map(({ path }) => path.join('.')) }
}

function isReplaced(mapLink: string): boolean {
  return mapLink === mapOf('')
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

function put(value: unknown, path: readonly PropertyKey[], part: unknown): void {
  const inner = at(value, path.slice(0, -1)) as Record<PropertyKey, unknown> | undefined
  if (inner) inner[path.at(-1) as PropertyKey] = part
}

export function harmlessEvent(event: StoredEvent): StoredEvent {
  const { detailsLink, imageKey } = event
  return {
    ...event,
    detailsLink: isLink(detailsLink) ? detailsLink : '',
    imageKey: Array.isArray(imageKey) ? imageKey.filter(isPicture) : harmlessPicture(imageKey),
  }
}

export function harmlessNewsItem(item: StoredNewsItem): StoredNewsItem {
  return { ...item, imageKey: harmlessPicture(item.imageKey) }
}

export function harmlessSponsor(sponsor: Sponsor): Sponsor {
  const { logo, website } = sponsor
  return {
    ...sponsor,
    logo: harmlessPicture(logo),
    website: website !== null && isWebAddress(website) ? website : null,
  }
}

export function harmlessPage(page: StoredPage): StoredPage {
  const { picture, items, more } = page
  return {
    ...page,
    picture: picture && isPicture(picture.name) ? picture : null,
    items: items.map((item) => ({ ...item, spot: harmlessPicture(item.spot) })),
    more: more.filter(({ path }) => isOwnPath(path)),
  }
}

export function harmlessNotice(notice: Notice | null): Notice | null {
  return notice && { ...notice, linkPath: isOwnPath(notice.linkPath) ? notice.linkPath : '/' }
}

/** An address that no picture has is shown as any other that does not load. */
function harmlessPicture(picture: string): string {
  return isPicture(picture) ? picture : ''
}
