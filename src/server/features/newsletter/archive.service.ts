import type { AppContext } from '#server/app-context.ts'
import type { Campaign, CampaignPage, listCampaigns } from '#contract/public/campaigns.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import { isLink } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#server/db/database.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { campaignView, VIEW_PATH } from './campaign.emails.ts'
import { archiveSpan, listSentCampaigns } from './campaign.repository.ts'
import { findCampaign, type CampaignSummary } from './campaign.queries.ts'

type ArchiveQuery = QueryOf<typeof listCampaigns>

interface ArchiveTools {
  siteUrl: string
  timeZone: string
  /** Campaigns sent on or before this day are excluded (docs/product-rules.md#newsletter-archive), `YYYY-MM-DD`. */
  archiveAfter: string
}

export function createArchiveService({ db, siteUrl, timeZone, association, settings }: AppContext) {
  return {
    read: (query: ArchiveQuery): Promise<CampaignPage> =>
      readArchive(db, query, { siteUrl, timeZone, archiveAfter: settings().newsletter.archiveAfter }),

    /** The public view of a campaign as HTML and text; null if it was not sent or has no public view. */
    async view(id: string): Promise<{ html: string; text: string; canEmbed: boolean } | null> {
      const campaign = await findCampaign(db, id)
      if (!campaign || campaign.sentAt === null || !campaign.hasView) return null
      return { ...campaignView(campaign, siteUrl, await association()), canEmbed: campaign.canEmbed }
    },
  }
}

export type ArchiveService = ReturnType<typeof createArchiveService>

async function readArchive(
  db: Db,
  { page, limit, q, year, sort }: ArchiveQuery,
  { siteUrl, timeZone, archiveAfter }: ArchiveTools,
): Promise<CampaignPage> {
  const cutOff = startOfDay(addDays(archiveAfter, 1), timeZone)
  const yearFrom = year === undefined ? cutOff : startOfDay(`${year}-01-01`, timeZone)
  const { campaigns, total } = await listSentCampaigns(db, {
    sentFrom: Math.max(cutOff, yearFrom),
    sentBefore: year === undefined ? null : startOfDay(`${year + 1}-01-01`, timeZone),
    search: q,
    order: sort,
    offset: (page - 1) * limit,
    limit,
  })
  return {
    campaigns: campaigns.map((entry) => toCampaign(entry, siteUrl)),
    total,
    page,
    limit,
    hasMore: page * limit < total,
  }
}

/** The archive data that the server renders into the page. */
export async function readArchiveStart(
  db: Db,
  tools: ArchiveTools,
): Promise<{ firstPage: CampaignPage; years: number[]; archiveAfter: string }> {
  const firstPage = await readArchive(
    db,
    { page: 1, limit: limits.campaignsAPage, q: '', sort: 'newest', year: undefined },
    tools,
  )
  const span = await archiveSpan(db, startOfDay(addDays(tools.archiveAfter, 1), tools.timeZone))
  return {
    firstPage,
    years: span ? yearsBetween(yearOf(span.first, tools), yearOf(span.last, tools)) : [],
    archiveAfter: tools.archiveAfter,
  }
}

function yearOf(instant: number, { timeZone }: ArchiveTools): number {
  return Number(dayOf(instant, timeZone).slice(0, 4))
}

/** Newest first. */
function yearsBetween(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => last - index)
}

function toCampaign(entry: CampaignSummary, siteUrl: string): Campaign {
  return {
    id: entry.id,
    name: entry.name,
    subject: entry.subject,
    sentAt: isoText(entry.sentAt ?? entry.createdAt),
    createdAt: isoText(entry.createdAt),
    updatedAt: isoText(entry.updatedAt),
    canEmbed: entry.canEmbed,
    absoluteViewUrl: entry.hasView ? `${siteUrl}${VIEW_PATH}${entry.id}` : null,
    previewImageUrl: pictureUrl(entry.picture, siteUrl),
    previewSnippet: entry.snippet,
  }
}

/** null for values stored before URLs were validated. */
function pictureUrl(picture: string | null, siteUrl: string): string | null {
  if (picture === null || !isLink(picture)) return null
  return picture.startsWith('/') ? `${siteUrl}${picture}` : picture
}

function isoText(instant: number): string {
  return new Date(instant).toISOString()
}
