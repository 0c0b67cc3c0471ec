import type { Association } from '#contract/association.ts'
import { printLetter, type Letter } from '#server/mail/letter.ts'
import type { DeliveryCounts } from './delivery.repository.ts'

/** To the officers, when the last copy was dealt with. */
export function mailingFinishedLetter(
  {
    campaign,
    recipients,
    counts,
  }: { campaign: { id: string; subject: string }; recipients: number; counts: DeliveryCounts },
  association: Association,
): Letter {
  return printLetter(
    {
      subject: `The newsletter has gone out: ${campaign.subject}`,
      preview: `${counts.accepted} of ${recipients} copies were accepted.`,
      heading: 'The newsletter has gone out',
      blocks: [
        { kind: 'text', text: `“${campaign.subject}” was sent to everybody who was subscribed when it was started.` },
        {
          kind: 'facts',
          facts: [
            ['Recipients', String(recipients)],
            ['Accepted by their mail servers', String(counts.accepted)],
            ['No such mailbox', String(counts.bounced)],
            ['Refused', String(counts.failed)],
            ['Left before it was sent', String(counts.skipped)],
            ['Uncertain', String(counts.uncertain)],
          ],
        },
        ...(counts.uncertain > 0
          ? [
              {
                kind: 'note' as const,
                text: `Uncertain copies may or may not have arrived, since the connection broke at the last moment. They are not sent again by themselves: "npm run admin -- newsletter status ${campaign.id}" lists them, "newsletter again ${campaign.id}" sends them.`,
              },
            ]
          : []),
      ],
    },
    association,
  )
}
