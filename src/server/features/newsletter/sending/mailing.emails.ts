import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import type { Association } from '#contract/public/association.ts'
import { renderEmail, type Email } from '#server/emails/email.ts'
import { words, type EmailText } from '#server/emails/words.rules.ts'
import type { DeliveryCounts } from './delivery.repository.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import { findCampaign, type StoredCampaign } from '../campaign.queries.ts'
import type { MailingService } from './mailing.service.ts'

interface FinishedMailing {
  campaign: Pick<StoredCampaign, 'id' | 'subject'>
  recipients: number
  counts: DeliveryCounts
}

/** Sent to the officers when the last copy of a newsletter is processed. */
function newsletterFinishedEmail({ campaign, recipients, counts }: FinishedMailing, association: Association): Email {
  return finishedEmail(
    {
      subject: words`Newsletter sent: ${{ newsletterSubject: campaign.subject }}`,
      heading: 'Newsletter sent',
      lead: words`“${{ newsletterSubject: campaign.subject }}” was sent to everyone who was subscribed when sending began.`,
      skipped: 'Unsubscribed before sending',
      unconfirmed: `Unconfirmed copies may or may not have arrived, because the connection broke before the mail server confirmed them. They are not resent automatically: "npm run admin -- newsletter status ${campaign.id}" lists them, and "newsletter again ${campaign.id}" resends them.`,
    },
    { recipients, counts },
    association,
  )
}

/** Sent to the officers when the last copy of an email to members is processed. */
function memberEmailFinishedEmail({ campaign, recipients, counts }: FinishedMailing, association: Association): Email {
  return finishedEmail(
    {
      subject: words`Email to members sent: ${{ emailSubject: campaign.subject }}`,
      heading: 'Email to members sent',
      lead: words`“${{ emailSubject: campaign.subject }}” was sent to the members who were on its list when sending began.`,
      skipped: 'Skipped',
      unconfirmed:
        'Unconfirmed copies may or may not have arrived, because the connection broke before the mail server confirmed them. They are not resent automatically: the page of the email in the console resends them.',
    },
    { recipients, counts },
    association,
  )
}

function finishedEmail(
  texts: { subject: EmailText; heading: string; lead: EmailText; skipped: string; unconfirmed: string },
  { recipients, counts }: Omit<FinishedMailing, 'campaign'>,
  association: Association,
): Email {
  return renderEmail(
    {
      subject: texts.subject,
      preview: words`${{ accepted: counts.accepted }} of ${{ recipients }} copies were accepted.`,
      heading: texts.heading,
      blocks: [
        { kind: 'text', text: texts.lead },
        {
          kind: 'details',
          details: [
            ['Recipients', String(recipients)],
            ['Accepted', String(counts.accepted)],
            ['Bounced', String(counts.bounced)],
            ['Rejected', String(counts.failed)],
            [texts.skipped, String(counts.skipped)],
            ['Unconfirmed', String(counts.uncertain)],
          ],
        },
        ...(counts.uncertain > 0
          ? [
              {
                kind: 'note' as const,
                text: texts.unconfirmed,
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
  samples: (name, association) => {
    const mailing = {
      campaign: { id: 'november', subject: name },
      recipients: 12,
      counts: { accepted: 8, bounced: 1, failed: 1, skipped: 1, uncertain: 1, waiting: 0, sending: 0 },
    }
    return {
      'newsletter sent': newsletterFinishedEmail(mailing, association),
      'email to members sent': memberEmailFinishedEmail(mailing, association),
    }
  },
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
    const compose = campaign.recipients === 'members' ? memberEmailFinishedEmail : newsletterFinishedEmail
    return { ...compose(mailing, await association()), to: config.officersEmail }
  },
})
