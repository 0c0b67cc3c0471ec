import type { Campaign } from '#contract/public/campaigns.ts'
import { dayOf } from '#contract/dates/dates.ts'

/** The visitor's search, filter and sort order. */
export interface ArchiveFilter {
  q: string
  /** null for all years. */
  year: number | null
  sort: 'newest' | 'oldest'
}

export const DEFAULT_FILTER: ArchiveFilter = { q: '', year: null, sort: 'newest' }

/** The year filter offers no earlier years, even if campaigns are found. */
const FIRST_YEAR = 2025
/** Years follow the association's time zone (docs/product-rules.md#the-associations-day). */
/**
 * Whether it was sent after the archive's cutoff day, `YYYY-MM-DD`. If the cutoff is null it is not known yet, and the
 * server applies it.
 */
export function isInArchive({ sentAt }: Campaign, archiveAfter: string | null): boolean {
  return archiveAfter === null || dayOf(Date.parse(sentAt)) > archiveAfter
}

/**
 * The matching campaigns, sorted: the title or subject contains the search text, or the server found it in the
 * newsletter's text (docs/product-rules.md#newsletter-archive).
 */
export function filterCampaigns(
  known: Iterable<Campaign>,
  { q, year, sort }: ArchiveFilter,
  foundInText: ReadonlySet<string>,
): Campaign[] {
  const needle = normalize(q)
  return [...known]
    .filter((campaign) => year === null || yearOf(campaign) === year)
    .filter(
      ({ id, name, subject }) =>
        foundInText.has(id) || normalize(name).includes(needle) || normalize(subject).includes(needle),
    )
    .sort(compareBy(sort))
}

/** Drops the campaigns after `last`, where the loaded pages may have gaps. */
export function takeUntil(last: Campaign, campaigns: Campaign[], sort: ArchiveFilter['sort']): Campaign[] {
  return campaigns.filter((campaign) => compareBy(sort)(campaign, last) <= 0)
}

/** The last campaign in the given order, or null if there is none. */
export function findLast(campaigns: Campaign[], sort: ArchiveFilter['sort']): Campaign | null {
  return [...campaigns].sort(compareBy(sort)).at(-1) ?? null
}

/** The years for the filter, latest first: the server's, plus those found since. */
export function listYears(campaigns: Iterable<Campaign>, fromServer: readonly number[]): number[] {
  const years = new Set([...fromServer, ...[...campaigns].map(yearOf)])
  return [...years].filter((year) => year >= FIRST_YEAR).sort((a, b) => b - a)
}

export function isSameFilter(a: ArchiveFilter, b: ArchiveFilter): boolean {
  return a.q === b.q && a.year === b.year && a.sort === b.sort
}

function compareBy(sort: ArchiveFilter['sort']) {
  const direction = sort === 'newest' ? -1 : 1
  return (a: Campaign, b: Campaign) => direction * (Date.parse(a.sentAt) - Date.parse(b.sentAt))
}

function yearOf({ sentAt }: Campaign): number {
  return Number(dayOf(Date.parse(sentAt)).slice(0, 4))
}

/** Ignores case, accents and surrounding spaces. */
function normalize(text: string): string {
  return text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
