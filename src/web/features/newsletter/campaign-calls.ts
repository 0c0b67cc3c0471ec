import { CAMPAIGN_PAGE_SIZE, listCampaigns } from '#contract/campaigns.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { call } from '#web/api/call.ts'
import type { ArchiveWish } from './archive-choice.rules.ts'
import type { CampaignAnswer } from './archive-state.rules.ts'

/**
 * A page of the archive, counted from 1. An answer in another shape is an empty one (decision D6).
 * @throws {CallFailure} for a bad status, and without a network
 */
export async function fetchCampaigns({ q, year, sort }: ArchiveWish, page: number): Promise<CampaignAnswer> {
  const sought = q.trim()
  try {
    const { data } = await call(listCampaigns, {
      query: {
        enriched: 'true',
        page: String(page),
        limit: String(CAMPAIGN_PAGE_SIZE),
        ...(sought && { q: sought }),
        ...(year !== null && { year: String(year) }),
        ...(sort !== 'newest' && { sort }),
      },
    })
    return data
  } catch (failure) {
    if (failure instanceof CallFailure && isSuccess(failure.status)) return { campaigns: [], hasMore: false }
    throw failure
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
