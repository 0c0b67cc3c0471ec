import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import { defineEmail } from '#server/emails/define-email.ts'
import { SAMPLE_TIME } from '#server/emails/sample-values.ts'
import { campaignEmail } from '../campaign.emails.ts'
import { contentFromHtml, contentFromMarkdown } from './campaign-text.service.ts'
import { findCampaign } from '../campaign.queries.ts'
import { newsletterFooter } from '../sending/subscriber-mailing.service.ts'
import type { CampaignPreview } from './campaign-preview.service.ts'

const SITE_URL = 'https://example.org'
const SAMPLE_CAMPAIGN = {
  id: 'november',
  recipients: 'subscribers' as const,
  picture: null,
  canEmbed: true,
  hasView: true,
  createdAt: SAMPLE_TIME,
  updatedAt: SAMPLE_TIME,
  sentAt: null,
}

export const sendTestNewsletter = defineEmail({
  kind: 'email.newsletter_test',
  name: 'Newsletter test',
  isFixed: true,
  samples: (name, association) => {
    const campaign = (content: ReturnType<typeof contentFromHtml>) =>
      campaignEmail(
        { ...SAMPLE_CAMPAIGN, name, subject: name, snippet: name, ...content },
        { siteUrl: SITE_URL, association, footer: newsletterFooter(SAMPLE_CAMPAIGN, SITE_URL) },
      )
    return {
      newsletter: campaign(contentFromMarkdown('The lecture is on **Saturday**: [all events](/events).')),
      'newsletter of its own design': campaign(
        contentFromHtml('<h1 style="color:#aa0000">Lectures</h1><p>On both Saturdays.</p>'),
      ),
    }
  },
  payload: z.object({ campaignId: z.string(), email: z.string() }),
  subject: 'email',
  priority: 'personal',
  async compose({ campaignId, email }, { db, previews }: AppContext & { previews: CampaignPreview }) {
    if (!(await findCampaign(db, campaignId))) return null
    const message = await previews.render(campaignId)
    return { ...message, subject: `[Test] ${message.subject}`, to: email }
  },
})
