import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** What a card says about the membership; a membership that never began counts as lapsed. */
export const CARD_STATUSES = ['active', 'past_due', 'lapsed'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

const membershipCard = z.object({
  name: z.string(),
  /** null without a membership. */
  level: z.nullable(z.string()),
  number: z.int(),
  /** When the account was created; ISO 8601, as all instants here. */
  since: z.string(),
  status: z.enum(CARD_STATUSES),
  /** When the membership ends, ended or renews; null for life and without a membership. */
  until: z.nullable(z.string()),
  /** null while the membership has lapsed, and after an officer revoked the code. */
  code: z.nullable(
    z.object({
      /** The content of the QR code: an address on this site, without personal data. */
      url: z.string(),
      /** The QR code as an SVG path in a square of this many units, including its quiet zone. */
      size: z.int(),
      path: z.string(),
    }),
  ),
  /** When an officer revoked the code. */
  revokedAt: z.nullable(z.string()),
  checkedAt: z.string(),
  /** Whether the card can be added to Google Wallet. */
  hasGoogleWallet: z.boolean(),
  hasAppleWallet: z.boolean(),
})
export type MembershipCard = z.infer<typeof membershipCard>

export const getCard = endpoint({
  name: 'getCard',
  method: 'GET',
  path: '/api/account/card',
  access: 'member',
  summary: "The caller's membership card",
  reply: membershipCard,
  failures: [],
})

export const replaceCard = endpoint({
  name: 'replaceCard',
  method: 'POST',
  path: '/api/account/card',
  access: 'member',
  summary: "Give the caller's card a new code; the old one stops working at once",
  reply: membershipCard,
  failures: [],
})

export const getGoogleWalletLink = endpoint({
  name: 'getGoogleWalletLink',
  method: 'GET',
  path: '/api/account/card/google-wallet',
  access: 'member',
  summary: "An address that saves the caller's card to Google Wallet",
  reply: z.object({ url: z.string() }),
  failures: ['NOT_FOUND'],
})

export const getAppleWalletLink = endpoint({
  name: 'getAppleWalletLink',
  method: 'GET',
  path: '/api/account/card/apple-wallet',
  access: 'member',
  summary: "An address of the caller's card for Apple Wallet, for a minute",
  reply: z.object({ url: z.string() }),
  failures: ['NOT_FOUND'],
})

export const downloadAppleWalletPass = fileEndpoint({
  name: 'downloadAppleWalletPass',
  method: 'GET',
  path: '/api/cards/apple-wallet',
  access: 'anyone',
  summary: 'Download the pass of an address from getAppleWalletLink: a phone opens passes only from an address',
  query: z.object({ token: lineField(messages.text.unreadable, 1_000) }),
  media: 'application/vnd.apple.pkpass',
  failures: ['NOT_FOUND'],
})
