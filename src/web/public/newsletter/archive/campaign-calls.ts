import type { Campaign } from '#contract/public/campaigns.ts'
import { limits } from '#contract/limits.ts'
import { fetchJson } from '#web/api/fetch-list.ts'
import type { ArchiveFilter } from './archive-filter.rules.ts'
import type { CampaignResult } from './archive-state.rules.ts'

// The path alone: importing the contract's endpoint would bring in its schemas.
const CAMPAIGNS_PATH = '/api/newsletter/campaigns'
const EMPTY_PAGE: CampaignResult = { campaigns: [], hasMore: false }

/**
 * Loads a page of the archive, counted from 1. An unexpected shape is an empty page
 * (docs/product-rules.md#lists-that-cannot-be-loaded); invalid campaigns are skipped.
 * @throws for an error status or a network error
 */
export function fetchCampaigns({ q, year, sort }: ArchiveFilter, page: number): Promise<CampaignResult> {
  const searchText = q.trim()
  const query = new URLSearchParams({
    enriched: 'true',
    page: String(page),
    limit: String(limits.campaignsAPage),
    ...(searchText && { q: searchText }),
    ...(year !== null && { year: String(year) }),
    ...(sort !== 'newest' && { sort }),
  })
  return fetchJson(`${CAMPAIGNS_PATH}?${query}`, (answer) => readCampaigns(answer) ?? EMPTY_PAGE)
}

function readCampaigns(answer: unknown): CampaignResult | undefined {
  const { campaigns, hasMore } = (answer as { data?: Partial<CampaignResult> } | undefined)?.data ?? {}
  if (!Array.isArray(campaigns)) return undefined
  return {
    campaigns: campaigns.flatMap((item) => readCampaign(item) ?? []),
    // An empty page has no next page, whatever the response says; a page of only invalid campaigns may have one.
    hasMore: hasMore === true && campaigns.length > 0,
  }
}

/** null without id, title, subject or date. Campaigns that were not sent are not in the archive. */
function readCampaign(item: unknown): Campaign | null {
  const { id, name, subject, sentAt, createdAt, updatedAt, canEmbed, ...rest } = (item ?? {}) as Partial<Campaign>
  if (typeof id !== 'string' || typeof name !== 'string' || typeof subject !== 'string') return null
  if (typeof sentAt !== 'string' || Number.isNaN(Date.parse(sentAt))) return null
  return {
    id,
    name,
    subject,
    sentAt,
    createdAt: createdAt ?? sentAt,
    updatedAt: updatedAt ?? sentAt,
    canEmbed: canEmbed === true,
    absoluteViewUrl: textOrNull(rest.absoluteViewUrl),
    previewImageUrl: textOrNull(rest.previewImageUrl),
    previewSnippet: textOrNull(rest.previewSnippet) ?? '',
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
