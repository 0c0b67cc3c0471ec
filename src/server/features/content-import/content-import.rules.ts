import { parseEventDate } from '#contract/dates/event-dates.ts'
import { isDay } from '#contract/dates/calendar-day.ts'
import type { ContentValue } from '#contract/console/content.ts'
import {
  IMPORTED_TEXT_MAX,
  type ImportItem,
  type ImportKind,
  type ItemVerdict,
} from '#contract/console/website/content-import.ts'
import { slugify } from '#server/features/content-store/content-kind.rules.ts'
import { redirectKey } from '#server/features/content-store/redirects.rules.ts'

/** The kinds of content that rows become. */
export const RECORD_KINDS: Record<ImportKind, string> = { news: 'news', page: 'added-pages', event: 'events' }
/** The illustration of a news item without a picture, which has to have one. */
const NEWS_ILLUSTRATION = 'news-page'
const EVENT_ILLUSTRATION = 'event-lecture'
const EXCERPT_LENGTH = 280
/** As long as the fields of the forms (`content-value.rules.ts`). */
const LINE_LENGTH = 300
/** A text of more than this many pictures is a gallery, which has a better place under Media. */
const MOST_PICTURES = 40

// Labels are short and have no bracket, so that no text takes longer than its length.
const PICTURE = /!\[([^\][\n]{0,1000})\]\(([^()\s]{1,2000})\)/g
const LINK = /(?<!!)(\[(?:[^\][\\\n]|\\.){0,1000}\]\()([^()\s]{1,2000})(\))/g
// oxlint-disable-next-line no-control-regex -- forms refuse these; line feeds are allowed
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Says what would become of a row. @param isKnown an earlier import has this address */
export function judgeItem(
  item: ImportItem,
  { isKnown }: { isKnown: boolean },
): { verdict: ItemVerdict; notes: string[] } {
  const obstacle = findObstacle(item)
  if (obstacle !== null) return { verdict: 'wrong', notes: [obstacle] }
  if (isKnown) return { verdict: 'known', notes: ['It was imported before.'] }
  const extra = listPictures(item).length - MOST_PICTURES
  const notes = [
    ...item.notes,
    ...(extra > 0 ? [`It has more than ${MOST_PICTURES} pictures. The others are left out.`] : []),
    ...(item.kind === 'news' && listPictures(item).length === 0
      ? ['It has no picture and shows an illustration.']
      : []),
  ]
  return { verdict: item.isPublished ? 'new' : 'draft', notes }
}

function findObstacle(item: ImportItem): string | null {
  if (item.obstacle !== '') return item.obstacle
  if (item.title.trim() === '') return 'It has no title.'
  if (item.kind !== 'event' && item.text.trim() === '') return 'It has no text.'
  if (item.text.length > IMPORTED_TEXT_MAX)
    return `Its text is longer than ${IMPORTED_TEXT_MAX.toLocaleString('en-US')} characters. Add it as several pages.`
  if (item.kind === 'news' && item.isPublished && !isDay(item.date)) return 'It has no date.'
  if (item.kind === 'event' && !parseEventDate(item.date)) return 'Its date cannot be read.'
  return null
}

/** The pictures of a row, each once, with their alt texts: the one at the top first. */
function listPictures({ picture, pictureAlt, text }: Pick<ImportItem, 'picture' | 'pictureAlt' | 'text'>): {
  url: string
  alt: string
}[] {
  const found = new Map<string, string>(picture === '' ? [] : [[picture, pictureAlt]])
  for (const [, alt = '', url = ''] of text.matchAll(PICTURE)) found.set(url, found.get(url) || alt)
  return [...found].map(([url, alt]) => ({ url, alt }))
}

/** The pictures that are fetched for a row. */
export const picturesToFetch = (item: ImportItem) => listPictures(item).slice(0, MOST_PICTURES)

/** The hosts whose pictures are fetched: that of the former website with and without www, and where WordPress.com keeps its files. */
export function pictureHosts(site: string): ReadonlySet<string> {
  if (!URL.canParse(site)) return new Set()
  const host = new URL(site).hostname
  const bare = host.replace(/^www\./, '')
  const hosted = /^([a-z0-9-]+)\.wordpress\.com$/.exec(host)?.[1]
  return new Set([host, bare, `www.${bare}`, ...(hosted === undefined ? [] : [`${hosted}.files.wordpress.com`])])
}

/** The old path and query of an address of the former website, as redirects have it; null for addresses of other websites. */
export function oldPath(address: string, site: string): string | null {
  const base = URL.canParse(site) ? new URL(site) : null
  if (!base || !URL.canParse(address, base)) return null
  const url = new URL(address, base)
  if (!/^https?:$/.test(url.protocol) || !pictureHosts(site).has(url.hostname)) return null
  return redirectKey(url.pathname + url.search)
}

/** A free id: that of the old address if there was one, else made from the title. */
export function chooseId(
  { slug, title }: Pick<ImportItem, 'slug' | 'title'>,
  isTaken: (id: string) => boolean,
): string {
  const wanted = slugify(slug || title)
  let id = wanted
  for (let number = 2; isTaken(id); number++) id = `${wanted}-${number}`
  return id
}

export const newPath = (kind: ImportKind, id: string) =>
  kind === 'page' ? `/${id}` : `/${kind === 'event' ? 'events' : 'news'}/${id}`

interface Replacements {
  /** The address of a stored picture; null leaves it out. */
  pictureOf(url: string): string | null
  /** The new path of a page that is imported too; null keeps the link. */
  pathOf(url: string): string | null
  /** Who wrote what has no author. */
  association: string
}

/** The value of the record, as its form sends it (`parseContentValue` checks it). */
export function toValue(item: ImportItem, id: string, replacements: Replacements): ContentValue {
  const { pictureOf, association } = replacements
  const title = oneLine(item.title)
  const markdown = rewriteText(item.text, replacements)
  const excerpt = clean(item.excerpt) || excerptOf(markdown) || title
  const top = item.picture === '' ? null : pictureOf(item.picture)
  const picture =
    top ??
    listPictures(item)
      .map(({ url }) => pictureOf(url))
      .find((address) => address !== null)
  if (item.kind === 'page') {
    const alt = oneLine(item.pictureAlt)
    return {
      title,
      address: id,
      description: shorten(excerpt),
      markdown,
      menu: 'none',
      ...(top !== null && { picture: top, ...(alt !== '' && { pictureAlt: alt }) }),
    }
  }
  if (item.kind === 'event') {
    return {
      title,
      description: shorten(excerpt),
      date: oneLine(item.date),
      time: oneLine(item.time),
      location: oneLine(item.location) || 'To be announced',
      imageKey: [picture ?? EVENT_ILLUSTRATION],
      detailsLink: `/events/${id}`,
      body: markdown,
    }
  }
  return {
    title,
    date: item.date,
    category: 'news',
    author: oneLine(item.author) || association,
    excerpt: shorten(excerpt),
    imageKey: picture ?? NEWS_ILLUSTRATION,
    content: markdown,
  }
}

/** Puts stored pictures and new addresses into a text. */
function rewriteText(text: string, { pictureOf, pathOf }: Pick<Replacements, 'pictureOf' | 'pathOf'>): string {
  return (
    text
      .replaceAll(CONTROL, '')
      .replaceAll(PICTURE, (_, alt: string, url: string) => {
        const address = pictureOf(url)
        return address === null ? '' : `![${alt}](${address})`
      })
      .replaceAll(LINK, (link, before: string, url: string, after: string) => {
        const path = pathOf(url)
        return path === null ? link : before + path + after
      })
      // A link around a picture that was left out has no text.
      .replaceAll(/(?<!!)\[\s{0,10}\]\([^()\s]{0,2000}\)/g, '')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  )
}

/** The first words of a text, without Markdown. */
function excerptOf(markdown: string): string {
  const plain = markdown
    .replaceAll(PICTURE, '')
    .replaceAll(/\[((?:[^\][\\\n]|\\.){0,1000})\]\([^()\s]{0,2000}\)/g, '$1')
    .replaceAll(/^[ \t]{0,100}(?:#+|>|-|\d+\.|\|.*)\s?/gm, '')
    .replaceAll(/(?<!\\)\*|\\(?=[^\w\s])/g, '')
  return shorten(clean(plain), EXCERPT_LENGTH)
}

function shorten(text: string, length = 1_000): string {
  const line = clean(text)
  if (line.length <= length) return line
  const cut = line.slice(0, length)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length - 40)).trimEnd()}…`
}

const clean = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(CONTROL, '').trim()
const oneLine = (text: string) => clean(text).slice(0, LINE_LENGTH)
