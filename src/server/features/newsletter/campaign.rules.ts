import type { CampaignRecipients } from '#server/db/schema/newsletter-schema.ts'

/** How the audit log names what officers do with campaigns, before the dot. */
export const AUDIT_SUBJECTS = { subscribers: 'newsletter', members: 'member_email' } as const satisfies Record<
  CampaignRecipients,
  string
>
