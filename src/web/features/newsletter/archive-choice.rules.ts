import type { Campaign } from '#contract/campaigns.ts'
import { dayOf } from '#contract/dates.ts'

/** What the visitor looks for. */
export interface ArchiveWish {
  q: string
  /** null for all of them. */
  year: number | null
  sort: 'newest' | 'oldest'
}

export const EVERYTHING: ArchiveWish = { q: '', year: null, sort: 'newest' }

/** Years before it are no choice, whatever is found. */
const FIRST_YEAR = 2025
/** A campaign's year is that of the association's calendar (docs/product-rules.md#the-associations-day). */
const TIME_ZONE = 'America/New_York'

/** Whether it was sent after the last day that the archive leaves out, `YYYY-MM-DD`; null: not known yet, and the server looks after it. */
export function isInArchive({ sentAt }: Campaign, archiveAfter: string | null): boolean {
  return archiveAfter === null || dayOf(Date.parse(sentAt), TIME_ZONE) > archiveAfter
}

/** What fits, in order: the search text stands in title or subject, or the server found it in the letter's text (docs/product-rules.md#newsletter-archive). */
export function chooseCampaigns(
  known: Iterable<Campaign>,
  { q, year, sort }: ArchiveWish,
  foundInText: ReadonlySet<string>,
): Campaign[] {
  const sought = plain(q)
  return [...known]
    .filter((campaign) => year === null || yearOf(campaign) === year)
    .filter(
      ({ id, name, subject }) => foundInText.has(id) || plain(name).includes(sought) || plain(subject).includes(sought),
    )
    .sort(inOrder(sort))
}

/** Without those that lie beyond `last`: what stands between them is not known yet. */
export function upTo(last: Campaign, campaigns: Campaign[], sort: ArchiveWish['sort']): Campaign[] {
  return campaigns.filter((campaign) => inOrder(sort)(campaign, last) <= 0)
}

/** The last of them in the order asked for, of which there may be none. */
export function lastOf(campaigns: Campaign[], sort: ArchiveWish['sort']): Campaign | null {
  return [...campaigns].sort(inOrder(sort)).at(-1) ?? null
}

/** Choices of the year filter, the latest first: what the server knows of, and what has been found since. */
export function yearsOf(campaigns: Iterable<Campaign>, fromServer: readonly number[]): number[] {
  const years = new Set([...fromServer, ...[...campaigns].map(yearOf)])
  return [...years].filter((year) => year >= FIRST_YEAR).sort((a, b) => b - a)
}

export function isSameWish(a: ArchiveWish, b: ArchiveWish): boolean {
  return a.q === b.q && a.year === b.year && a.sort === b.sort
}

function inOrder(sort: ArchiveWish['sort']) {
  const direction = sort === 'newest' ? -1 : 1
  return (a: Campaign, b: Campaign) => direction * (Date.parse(a.sentAt) - Date.parse(b.sentAt))
}

function yearOf({ sentAt }: Campaign): number {
  return Number(dayOf(Date.parse(sentAt), TIME_ZONE).slice(0, 4))
}

/** Neither case nor accents nor spaces around it matter. */
function plain(text: string): string {
  return text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
