import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words } from '#server/emails/words.rules.ts'
import type { DeliveryCounts } from './delivery.repository.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { findCampaign } from '../campaign.queries.ts'
import type { MailingService } from './mailing.service.ts'

/** Sent to the officers when the last copy is processed. */
function mailingFinishedEmail(
  {
    campaign,
    recipients,
    counts,
  }: { campaign: { id: string; subject: string }; recipients: number; counts: DeliveryCounts },
  association: Association,
): Email {
  return renderEmail(
    {
      subject: words`Newsletter sent: ${{ newsletterSubject: campaign.subject }}`,
      preview: words`${{ accepted: counts.accepted }} of ${{ recipients }} copies were accepted.`,
      heading: 'Newsletter sent',
      blocks: [
        {
          kind: 'text',
          text: words`“${{ newsletterSubject: campaign.subject }}” was sent to everyone who was subscribed when sending began.`,
        },
        {
          kind: 'details',
          details: [
            ['Recipients', String(recipients)],
            ['Accepted', String(counts.accepted)],
            ['Bounced', String(counts.bounced)],
            ['Rejected', String(counts.failed)],
            ['Unsubscribed before sending', String(counts.skipped)],
            ['Unconfirmed', String(counts.uncertain)],
          ],
        },
        ...(counts.uncertain > 0
          ? [
              {
                kind: 'note' as const,
                text: `Unconfirmed copies may or may not have arrived, because the connection broke before the mail server confirmed them. They are not resent automatically: "npm run admin -- newsletter status ${campaign.id}" lists them, and "newsletter again ${campaign.id}" resends them.`,
              },
            ]
          : []),
      ],
    },
    association,
  )
}

/** To the officers. */
export const sendMailingFinished = defineEmail({
  kind: 'email.mailing_finished',
  name: 'Mailing finished',
  samples: (name, association) => ({
    'newsletter sent': mailingFinishedEmail(
      {
        campaign: { id: 'november', subject: name },
        recipients: 12,
        counts: { accepted: 8, bounced: 1, failed: 1, skipped: 1, uncertain: 1, waiting: 0, sending: 0 },
      },
      association,
    ),
  }),
  payload: z.object({ campaignId: z.string() }),
  subject: null,
  priority: 'personal',
  async compose(
    { campaignId },
    { db, config, association, mailings }: AppContext & { mailings: Pick<MailingService, 'status'> },
  ) {
    const campaign = await findCampaign(db, campaignId)
    const found = await mailings.status(campaignId)
    if (!campaign || !found) return null
    const mailing = { campaign, recipients: found.mailing.recipients, counts: found.counts }
    return { ...mailingFinishedEmail(mailing, await association()), to: config.officersEmail }
  },
})
