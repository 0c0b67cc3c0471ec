import { campaignLetter } from '#server/features/newsletter/campaign.emails.ts'
import { wordsOfHtml } from '#server/features/newsletter/campaign-words.ts'
import { mailingFinishedLetter } from '#server/features/newsletter/mailing.emails.ts'
import type { Letter } from '#server/mail/letter.ts'
import { association } from './association.ts'
import { makeCampaign } from './newsletter.ts'

/** What goes out with a newsletter, by name. */
export function campaignLetters(name: string): Record<string, Letter> {
  return {
    campaign: campaignLetter(makeCampaign({ name, subject: name, snippet: name }), 'https://example.org', association),
    'campaign of its own design': campaignLetter(
      makeCampaign({
        name,
        subject: name,
        ...wordsOfHtml('<h1 style="color:#aa0000">Clinic days</h1><p>On both Saturdays.</p>'),
      }),
      'https://example.org',
      association,
    ),
    'campaign has gone out': mailingFinishedLetter(
      {
        campaign: { id: 'november', subject: name },
        recipients: 12,
        counts: { accepted: 8, bounced: 1, failed: 1, skipped: 1, uncertain: 1, waiting: 0, sending: 0 },
      },
      association,
    ),
  }
}
