import { campaignEmail } from '#server/features/newsletter/campaign.emails.ts'
import { contentFromHtml } from '#server/features/newsletter/composing/campaign-text.service.ts'
import { mailingFinishedEmail } from '#server/features/newsletter/sending/mailing.emails.ts'
import type { Email } from '#server/emails/email.ts'
import { association } from '../association.ts'
import { createCampaign } from '../newsletter.ts'

/** Emails about newsletters, by name. */
export function campaignEmails(name: string): Record<string, Email> {
  return {
    campaign: campaignEmail(createCampaign({ name, subject: name, snippet: name }), 'https://example.org', association),
    'campaign of its own design': campaignEmail(
      createCampaign({
        name,
        subject: name,
        ...contentFromHtml('<h1 style="color:#aa0000">Clinic days</h1><p>On both Saturdays.</p>'),
      }),
      'https://example.org',
      association,
    ),
    'campaign has gone out': mailingFinishedEmail(
      {
        campaign: { id: 'november', subject: name },
        recipients: 12,
        counts: { accepted: 8, bounced: 1, failed: 1, skipped: 1, uncertain: 1, waiting: 0, sending: 0 },
      },
      association,
    ),
  }
}
