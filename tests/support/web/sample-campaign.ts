import type { Campaign } from '#contract/public/campaigns.ts'

/** Test data: a newsletter named after its id. */
export function sampleCampaign(id: string, sentAt: string, over: Partial<Campaign> = {}): Campaign {
  return {
    id,
    name: `About ${id}`,
    subject: `What ${id} means`,
    sentAt,
    createdAt: sentAt,
    updatedAt: sentAt,
    canEmbed: true,
    absoluteViewUrl: `https://association.example/newsletter/view/${id}`,
    previewImageUrl: `https://association.example/art/newsletter/${id}.svg`,
    previewSnippet: `In short, ${id}.`,
    ...over,
  }
}
