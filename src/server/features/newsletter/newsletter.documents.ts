/// <reference lib="esnext.temporal" />
import type { Campaign } from '#contract/campaigns.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import { writeRss } from '#server/pages/rss.rules.ts'

interface NewsletterDocumentTools {
  /** The newest newsletters, those first. */
  campaigns(): readonly Campaign[]
  /** The association's. */
  name(): string
  siteUrl: string
  timeZone: string
}

/** The feed of the newest newsletters. */
export function newsletterDocuments({ campaigns, name, siteUrl, timeZone }: NewsletterDocumentTools): FindDocument {
  return (path) =>
    path === '/newsletter.rss'
      ? {
          contentType: 'application/rss+xml; charset=utf-8',
          text: writeRss({
            title: `Newsletters of ${name()}`,
            url: `${siteUrl}/newsletter`,
            feedUrl: `${siteUrl}/newsletter.rss`,
            description: `What ${name()} wrote to its readers.`,
            items: campaigns()
              .filter(({ absoluteViewUrl }) => absoluteViewUrl !== null)
              .map((campaign) => ({
                title: campaign.name,
                url: campaign.absoluteViewUrl ?? '',
                published: Temporal.Instant.from(campaign.sentAt).toZonedDateTimeISO(timeZone),
                description: campaign.previewSnippet,
              })),
          }),
        }
      : null
}
