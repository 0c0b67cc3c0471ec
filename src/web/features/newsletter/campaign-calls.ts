import type { Campaign } from '#contract/campaigns.ts'
import { limits } from '#contract/limits.ts'
import { fetchAnswer } from '#web/api/fetch-list.ts'
import type { ArchiveWish } from './archive-choice.rules.ts'
import type { CampaignAnswer } from './archive-state.rules.ts'

// The contract's object would bring its checks along: the path alone is enough here (design 8).
const CAMPAIGNS_PATH = '/api/newsletter/campaigns'
const NOTHING: CampaignAnswer = { campaigns: [], hasMore: false }

/**
 * A page of the archive, counted from 1. An answer in another shape is an empty one (decision D6).
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
  if (!Array.isArray(campaigns) || !campaigns.every(isCampaign)) return undefined
  return { campaigns, hasMore: hasMore === true }
}

function isCampaign(item: unknown): item is Campaign {
  const { id, name, subject, sentAt, canEmbed, absoluteViewUrl, previewImageUrl, previewSnippet } = (item ??
    {}) as Partial<Campaign>
  return (
    [id, name, subject, sentAt, previewSnippet].every((field) => typeof field === 'string') &&
    [absoluteViewUrl, previewImageUrl].every((field) => field === null || typeof field === 'string') &&
    typeof canEmbed === 'boolean'
  )
}
