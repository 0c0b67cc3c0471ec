import type { Campaign } from '#contract/campaigns.ts'
import { limits } from '#contract/limits.ts'
import { fetchAnswer } from '#web/api/fetch-list.ts'
import type { ArchiveWish } from './archive-choice.rules.ts'
import type { CampaignAnswer } from './archive-state.rules.ts'

// The contract's object would bring its checks along: the path alone is enough here.
const CAMPAIGNS_PATH = '/api/newsletter/campaigns'
const NOTHING: CampaignAnswer = { campaigns: [], hasMore: false }

/**
 * A page of the archive, counted from 1. An answer in another shape is an empty one (docs/product-rules.md#lists-that-cannot-be-loaded); a campaign that cannot be shown takes no other
 * with it.
 * @throws for a bad status, and without a network
 */
export function fetchCampaigns({ q, year, sort }: ArchiveWish, page: number): Promise<CampaignAnswer> {
  const sought = q.trim()
  const query = new URLSearchParams({
    enriched: 'true',
    page: String(page),
    limit: String(limits.campaignsAPage),
    ...(sought && { q: sought }),
    ...(year !== null && { year: String(year) }),
    ...(sort !== 'newest' && { sort }),
  })
  return fetchAnswer(`${CAMPAIGNS_PATH}?${query}`, (answer) => readCampaigns(answer) ?? NOTHING)
}

function readCampaigns(answer: unknown): CampaignAnswer | undefined {
  const { campaigns, hasMore } = (answer as { data?: Partial<CampaignAnswer> } | undefined)?.data ?? {}
  if (!Array.isArray(campaigns)) return undefined
  return {
    campaigns: campaigns.flatMap((item) => readCampaign(item) ?? []),
    // A page of nothing has no next one, whatever it says; a page of which nothing can be shown may have.
    hasMore: hasMore === true && campaigns.length > 0,
  }
}

/** null without what a campaign is known, named and dated by; only those that were sent are in the archive. */
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
