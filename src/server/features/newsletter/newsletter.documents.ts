/// <reference lib="esnext.temporal" />
import type { Campaign } from '#contract/public/campaigns.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import { writeRss } from '#server/pages/rss.rules.ts'

interface NewsletterDocumentTools {
  /** Newest first. */
  campaigns(): readonly Campaign[]
  /** The association's name. */
  name(): string
  siteUrl: string
  timeZone: string
}

/** Serves the RSS feed of the newest newsletters. */
export function newsletterDocuments({ campaigns, name, siteUrl, timeZone }: NewsletterDocumentTools): FindDocument {
  return (path) =>
    path === '/newsletter.rss'
      ? {
          contentType: 'application/rss+xml; charset=utf-8',
          text: writeRss({
            title: `${name()} newsletter`,
            url: `${siteUrl}/newsletter`,
            feedUrl: `${siteUrl}/newsletter.rss`,
            description: `Newsletters from ${name()}.`,
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
