import * as z from 'zod/mini'
import { subscription } from '../public/account.ts'
import { auditEntry } from './audit.ts'
import { memberState } from './member-list.ts'
import { submittedAnswers } from '../public/credentials.ts'
import { isDay } from '../dates/days.ts'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { firstNameField, lastNameField, lineField, profileUsernameField } from '../fields.ts'
import { messages } from '../messages.ts'

/** A member's page in the console: all data and actions. Instants are ISO 8601. */

const id = lineField(messages.text.unreadable, 64)
const name = z.object({ first: z.string(), last: z.string() })

const paymentCredit = z.object({ amount: z.int(), receiptNumber: z.string() })

export const memberPaymentRecord = z.object({
  id: z.string(),
  receiptNumber: z.string(),
  purpose: z.enum(['start', 'renewal', 'change']),
  levelKey: z.string(),
  levelName: z.string(),
  amount: z.int(),
  currency: z.string(),
  amountRefunded: z.int(),
  dispute: z.nullable(z.enum(['open', 'won', 'lost'])),
  paidAt: z.string(),
  /** End of the paid term; null for lifetime. */
  periodEndsAt: z.nullable(z.string()),
  receiptSentAt: z.nullable(z.string()),
  /** Payment method other than a card, such as 'Check 1042'; null for card payments. */
  byHand: z.nullable(z.string()),
  /** The coupon code and its discount; omitted if there is none. */
  coupon: z.optional(z.object({ code: z.string(), amount: z.int() })),
  /** The amount that can be refunded here, or 0 and the reason. */
  refund: z.object({ amount: z.int(), refusal: z.nullable(z.string()) }),
  /** The effect on the membership when all of it is refunded or its record is canceled. */
  ifReturned: z.union([z.literal('stays'), z.literal('ends'), z.object({ endsAt: z.string() })]),
  /** Parts of it credited to other memberships, by their receipts. */
  credits: z.array(paymentCredit),
  /** The part that was credited and also refunded: the member owes it. */
  creditOwed: z.int(),
  /** Credits that lowered its price, by the receipts they came from. */
  creditsUsed: z.array(paymentCredit),
  /** When and why its record was canceled; null if it was not. */
  voided: z.nullable(z.object({ at: z.string(), reason: z.string() })),
  /** The receipt it replaces, or the one that replaced it. */
  replaces: z.nullable(z.string()),
  replacedBy: z.nullable(z.string()),
})
export type MemberPaymentRecord = z.infer<typeof memberPaymentRecord>

const memberEmail = z.object({
  /** Its id in the queue; null if only the delivery record is left. */
  id: z.nullable(z.string()),
  what: z.string(),
  at: z.string(),
  state: z.enum(['waiting', 'sent', 'failed', 'dropped']),
  /** The recipient's address, or why it failed. */
  detail: z.nullable(z.string()),
  maySendAgain: z.boolean(),
})
export type MemberEmail = z.infer<typeof memberEmail>

const memberCredential = z.object({
  id: z.string(),
  ...submittedAnswers,
  givenAt: z.string(),
  status: z.enum(['waiting', 'approved', 'declined']),
  decidedAt: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  evidence: z.nullable(z.string()),
})

export const consoleMember = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  name,
  joinedAt: z.string(),
  state: memberState,
  /** null if there never was a membership. */
  subscription: z.nullable(subscription),
  /** Why the current term is complimentary; omitted if it was paid. */
  complimentary: z.optional(z.string()),
  /** When it renews, ends or ended; null for lifetime and without a membership. */
  endsAt: z.nullable(z.string()),
  /** The level whose current term an officer extends or renews without a welcome email; null if every term starts a new membership. */
  movesTermOf: z.nullable(z.string()),
  /** Whether the card provider charges for it. */
  hasSubscription: z.boolean(),
  /** Optimistic-lock token of the membership; actions send it back. */
  version: z.string(),
  /** null if the caller may not view payments. */
  payments: z.nullable(z.array(memberPaymentRecord)),
  letters: z.array(memberEmail),
  consents: z.array(z.object({ kind: z.string(), version: z.string(), givenAt: z.string() })),
  newsletter: z.nullable(z.object({ state: z.string(), source: z.string(), since: z.string() })),
  credentials: z.array(memberCredential),
  devices: z.int(),
  /** Other accounts of the same person that were merged with this one, newest first. */
  merges: z.array(
    z.object({
      id: z.string(),
      /** Whether this account was the one kept. */
      isKept: z.boolean(),
      other: z.object({ id: z.string(), name: z.string(), email: z.string() }),
      at: z.string(),
      by: z.string(),
      /** The deadline for an undo; null once undone or past the deadline. */
      undoUntil: z.nullable(z.string()),
      /** Why it can no longer be undone exactly, although there is time; null if it can. */
      undoRefused: z.nullable(z.string()),
      undoneAt: z.nullable(z.string()),
      /** What an undo moves back, such as '3 payments'. */
      moved: z.array(z.string()),
    }),
  ),
  /** The last 50, newest first. */
  history: z.array(auditEntry),
  levels: z.array(z.object({ key: z.string(), name: z.string(), isLifetime: z.boolean(), unitAmount: z.int() })),
  /** A requested change of address that is not confirmed; omitted if there is none. */
  emailChange: z.optional(
    z.object({
      email: z.string(),
      /** null if the member requested it. */
      askedBy: z.nullable(z.string()),
      askedAt: z.string(),
      expiresAt: z.string(),
      reason: z.nullable(z.string()),
    }),
  ),
  /** Requests about this account that await a second officer; omitted if there are none. */
  approvals: z.optional(
    z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        askedBy: z.string(),
        expiresAt: z.string(),
        mayWithdraw: z.boolean(),
      }),
    ),
  ),
  /** How officers ended the account; omitted if they did not. */
  ended: z.optional(z.object({ as: z.enum(['request', 'deceased']), at: z.string() })),
  /** Whether it is the caller's own account. */
  isOwn: z.optional(z.boolean()),
  mayChange: z.boolean(),
  /** Whether the caller may view the site as this member. */
  mayViewAs: z.boolean(),
  /** Whether the caller may open the credential desk. */
  mayDecide: z.boolean(),
  mayChangeMoney: z.boolean(),
})
export type ConsoleMember = z.infer<typeof consoleMember>

/** Properties shared by endpoints about one member. */
export const oneMember = { access: 'officer', params: z.object({ id }), reply: consoleMember } as const

export const getMember = endpoint({
  ...oneMember,
  name: 'getMember',
  method: 'GET',
  path: '/api/console/members/:id',
  permission: 'members.look',
  summary: 'Get everything about one member',
  failures: ['NOT_FOUND'],
})

export const editMember = endpoint({
  ...oneMember,
  name: 'editMember',
  method: 'PUT',
  path: '/api/console/members/:id/profile',
  permission: 'members.change',
  summary: 'Change name and username; only the owner changes the address',
  body: z.object({
    username: profileUsernameField,
    firstName: firstNameField,
    lastName: lastNameField,
    /** The values shown in the form when it was opened. */
    seen: z.object({ username: z.string(), firstName: z.string(), lastName: z.string() }),
  }),
  failures: ['NOT_FOUND', 'USERNAME_TAKEN', 'CHANGED_MEANWHILE', 'OFFICER_ACCOUNT'],
})

export const reasonField = lineField('Please give a reason for the audit log', 300)

export const disableMember = endpoint({
  ...oneMember,
  name: 'disableMember',
  method: 'POST',
  path: '/api/console/members/:id/disable',
  permission: 'members.change',
  requiresFreshFactor: true,
  summary: 'Disable an account: its owner cannot log in, and nothing more is charged',
  body: z.object({ reason: reasonField }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'IS_AN_OFFICER'],
})

export const enableMember = endpoint({
  ...oneMember,
  name: 'enableMember',
  method: 'POST',
  path: '/api/console/members/:id/enable',
  permission: 'members.change',
  summary: 'Enable an account that an officer disabled',
  body: z.object({}),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'IS_MERGED', 'OWN_ACCOUNT', 'OFFICER_ACCOUNT'],
})

export const sendPasswordReset = endpoint({
  ...oneMember,
  name: 'sendResetLetter',
  method: 'POST',
  path: '/api/console/members/:id/reset-letter',
  permission: 'members.change',
  summary: 'Email a password reset link; only the owner learns the password',
  body: z.object({}),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const resendEmail = endpoint({
  ...oneMember,
  name: 'resendLetter',
  method: 'POST',
  path: '/api/console/members/:id/letters/:letter/send',
  permission: 'members.change',
  summary: 'Retry an email that failed',
  params: z.object({ id, letter: id }),
  body: z.object({}),
  failures: ['NOT_FOUND', 'ACCOUNT_CLOSED'],
})

export const resendReceipt = endpoint({
  ...oneMember,
  name: 'resendReceipt',
  method: 'POST',
  path: '/api/console/members/:id/payments/:payment/receipt',
  permission: 'members.change',
  summary: 'Email a receipt again',
  params: z.object({ id, payment: id }),
  body: z.object({}),
  failures: ['NOT_FOUND', 'ACCOUNT_CLOSED'],
})

export const openReceipt = fileEndpoint({
  name: 'openReceipt',
  method: 'GET',
  path: '/api/console/members/:id/payments/:payment/receipt',
  access: 'officer',
  permission: 'money.look',
  summary: 'Download the receipt of a payment as a PDF',
  params: z.object({ id, payment: id }),
  media: 'application/pdf',
  failures: ['NOT_FOUND'],
})

export const dayField = (sentence: string) =>
  z.string(sentence).check(
    z.trim(),
    z.refine((text) => isDay(text.trim()), sentence),
  )

export const setTerm = endpoint({
  ...oneMember,
  name: 'setTerm',
  method: 'POST',
  path: '/api/console/members/:id/term',
  permission: 'members.change',
  requiresFreshFactor: true,
  summary: 'Grant a membership without payment, or change the end of the current one',
  body: z.object({
    levelKey: lineField('Please choose a level', 64),
    /** Omit for a lifetime level. */
    endsOn: z.optional(dayField('Please enter the last day')),
    reason: reasonField,
    version: z.string(),
  }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'RENEWS_BY_CARD', 'ACCOUNT_CLOSED', 'OWN_ACCOUNT'],
})

/** Dollars as typed, '100' or '100.50'; parsed to cents. */
export const amountField = z.pipe(
  z.string('Please enter the amount').check(
    z.trim(),
    z.regex(/^\$?\d{1,5}(\.\d{1,2})?$/, 'Please enter the amount, like 100 or 100.50'),
    z.refine((text) => Number(text.replace('$', '')) > 0, 'Please enter an amount above zero'),
  ),
  z.transform((text: string) => Math.round(Number(text.replace('$', '')) * 100)),
)

export const stopRenewal = endpoint({
  ...oneMember,
  name: 'stopRenewal',
  method: 'POST',
  path: '/api/console/members/:id/stop-renewal',
  permission: 'members.change',
  requiresFreshFactor: true,
  summary: 'Cancel the renewal of a membership, so that it ends with its paid period',
  body: z.object({ reason: reasonField, version: z.string() }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NO_MEMBERSHIP', 'PROVIDER_FAILED'],
})

export const refundPayment = endpoint({
  ...oneMember,
  name: 'refundPayment',
  method: 'POST',
  path: '/api/console/members/:id/payments/:payment/refund',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'Refund the rest of a card payment; a membership that depends on it ends',
  params: z.object({ id, payment: id }),
  body: z.object({ reason: reasonField }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NOT_REFUNDABLE', 'PROVIDER_FAILED', 'OWN_ACCOUNT'],
})
