import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { CARD_STATUSES } from '#contract/public/my-account/membership-card.ts'

/** Any QR code may be scanned, so this is more than a card's code has. */
const CODE_MAX = 500

const scannedCard = z.object({
  status: z.enum([...CARD_STATUSES, 'disabled']),
  name: z.string(),
  level: z.nullable(z.string()),
  number: z.int(),
  /** ISO 8601; null for life and without a membership. */
  until: z.nullable(z.string()),
  /** null for officers who may not see members. */
  memberId: z.nullable(z.string()),
})
export type ScannedCard = z.infer<typeof scannedCard>

export const scanCard = endpoint({
  name: 'scanCard',
  method: 'POST',
  path: '/api/console/cards/scan',
  access: 'officer',
  permission: 'events.run',
  summary: 'What the code of a membership card stands for now; null for a code that is unknown or was revoked',
  body: z.object({ code: lineField(messages.text.unreadable, CODE_MAX) }),
  reply: z.object({ card: z.nullable(scannedCard) }),
  failures: [],
})

const memberCard = z.object({
  /** null before the member has opened the card. */
  card: z.nullable(
    z.object({
      number: z.int(),
      /** When the code was made, and revoked; ISO 8601. */
      madeAt: z.string(),
      revokedAt: z.nullable(z.string()),
    }),
  ),
  mayRevoke: z.boolean(),
})
export type MemberCard = z.infer<typeof memberCard>

const params = z.object({ id: z.string() })

export const getMemberCard = endpoint({
  name: 'getMemberCard',
  method: 'GET',
  path: '/api/console/members/:id/card',
  access: 'officer',
  permission: 'members.look',
  summary: 'Whether a member has a membership card whose code works',
  params,
  reply: memberCard,
  failures: ['NOT_FOUND'],
})

export const revokeMemberCard = endpoint({
  name: 'revokeMemberCard',
  method: 'POST',
  path: '/api/console/members/:id/card/revoke',
  access: 'officer',
  permission: 'members.change',
  requiresFreshFactor: true,
  summary: "Revoke the code of a member's card; the member can make a new one",
  params,
  reply: memberCard,
  failures: ['NOT_FOUND', 'OWN_ACCOUNT'],
})
