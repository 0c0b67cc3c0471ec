import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import { defineEmail } from '#server/emails/define-email.ts'
import { findCampaign } from '../campaign.queries.ts'
import type { ComposingService } from './composing.service.ts'

export const sendTestNewsletter = defineEmail({
  kind: 'email.newsletter_test',
  name: 'Newsletter test',
  payload: z.object({ campaignId: z.string(), email: z.string() }),
  subject: 'email',
  priority: 'personal',
  async compose(
    { campaignId, email },
    { db, composing }: AppContext & { composing: Pick<ComposingService, 'renderPreview'> },
  ) {
    if (!(await findCampaign(db, campaignId))) return null
    const message = await composing.renderPreview(campaignId)
    return { ...message, subject: `[Test] ${message.subject}`, to: email }
  },
})
