import * as z from 'zod/mini'
import { subscription } from './account.ts'
import { auditEntry } from './console-audit.ts'
import { memberState } from './console-members.ts'
import { CREDENTIAL_KINDS } from './credentials.ts'
import { isDay } from './days.ts'
import { endpoint, fileEndpoint } from './endpoint.ts'
import { firstNameField, lastNameField, lineField, profileUsernameField } from './fields.ts'
import { messages } from './messages.ts'

/** One person in the console: everything that is known, and everything an officer may do. Instants are ISO 8601. */

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
  /** End of what it paid for; null for lifetime. */
  periodEndsAt: z.nullable(z.string()),
  receiptSentAt: z.nullable(z.string()),
  /** How it came when no card was charged: 'Check 1042'; null for the card provider's. */
  byHand: z.nullable(z.string()),
  /** The code that was typed, and what it took off; left out without one. */
  coupon: z.optional(z.object({ code: z.string(), amount: z.int() })),
  /** How much can be refunded here, or 0 and why nothing. */
  refund: z.object({ amount: z.int(), refusal: z.nullable(z.string()) }),
  /** What becomes of the membership when all of it comes back, or its record is canceled. */
  ifReturned: z.union([z.literal('stays'), z.literal('ends'), z.object({ endsAt: z.string() })]),
  /** What of it lowered the price of other memberships, by their receipts. */
  credits: z.array(paymentCredit),
  /** What was credited and came back all the same: the member owes it. */
  creditOwed: z.int(),
  /** What lowered its price, by the receipts it came from. */
  creditsUsed: z.array(paymentCredit),
  /** When and why its record was canceled; null while it counts. */
  voided: z.nullable(z.object({ at: z.string(), reason: z.string() })),
  /** The receipt it replaces, or by which it was replaced. */
  replaces: z.nullable(z.string()),
  replacedBy: z.nullable(z.string()),
})
export type MemberPaymentRecord = z.infer<typeof memberPaymentRecord>

const memberLetter = z.object({
  /** Of the queue; null when only the proof is left. */
  id: z.nullable(z.string()),
  what: z.string(),
  at: z.string(),
  state: z.enum(['waiting', 'sent', 'failed', 'dropped']),
  /** The address it went to, or why it failed. */
  detail: z.nullable(z.string()),
  maySendAgain: z.boolean(),
})
export type MemberLetter = z.infer<typeof memberLetter>

const memberCredential = z.object({
  id: z.string(),
  kind: z.enum(CREDENTIAL_KINDS),
  npi: z.string(),
  licenceState: z.string(),
  place: z.nullable(z.string()),
  endsOn: z.nullable(z.string()),
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
  /** null: nothing was ever held. */
  subscription: z.nullable(subscription),
  /** Why the present term costs nothing; left out where it was paid for. */
  complimentary: z.optional(z.string()),
  /** When it renews, ends or ended; null for life and for none. */
  endsAt: z.nullable(z.string()),
  /** The level whose running term an officer moves or renews as it stands, without a welcome email; null: every term begins a membership. */
  movesTermOf: z.nullable(z.string()),
  /** Whether the card provider charges for it. */
  hasSubscription: z.boolean(),
  /** What the membership was when this was read: acts name it, so that none rests on something that changed meanwhile. */
  version: z.string(),
  /** null: the caller's role does not look at money. */
  payments: z.nullable(z.array(memberPaymentRecord)),
  letters: z.array(memberLetter),
  consents: z.array(z.object({ kind: z.string(), version: z.string(), givenAt: z.string() })),
  newsletter: z.nullable(z.object({ state: z.string(), source: z.string(), since: z.string() })),
  credentials: z.array(memberCredential),
  devices: z.int(),
  /** Other accounts of the same person that became one with this, newest first. */
  merges: z.array(
    z.object({
      id: z.string(),
      /** Whether this account is the one that stayed. */
      isKept: z.boolean(),
      other: z.object({ id: z.string(), name: z.string(), email: z.string() }),
      at: z.string(),
      by: z.string(),
      /** null once it was undone, or is too long ago. */
      undoUntil: z.nullable(z.string()),
      /** Why it cannot be undone exactly although there is time; null when it can. */
      undoRefused: z.nullable(z.string()),
      undoneAt: z.nullable(z.string()),
      /** What would go back, such as '3 payments'. */
      moved: z.array(z.string()),
    }),
  ),
  /** The last 50, newest first. */
  history: z.array(auditEntry),
  levels: z.array(z.object({ key: z.string(), name: z.string(), isLifetime: z.boolean(), unitAmount: z.int() })),
  /** Another address that was asked for and is not confirmed; left out when there is none. */
  emailChange: z.optional(
    z.object({
      email: z.string(),
      /** null: the member asked for it. */
      askedBy: z.nullable(z.string()),
      askedAt: z.string(),
      expiresAt: z.string(),
      reason: z.nullable(z.string()),
    }),
  ),
  /** Requests about this account that wait for a second officer; left out when there are none. */
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
  /** How officers ended the account; left out where they did not. */
  ended: z.optional(z.object({ as: z.enum(['request', 'deceased']), at: z.string() })),
  /** Whether it is the caller's own account. */
  isOwn: z.optional(z.boolean()),
  mayChange: z.boolean(),
  /** Whether the caller may see the site as this person does. */
  mayViewAs: z.boolean(),
  /** Whether the credential desk opens for the caller. */
  mayDecide: z.boolean(),
  mayChangeMoney: z.boolean(),
})
export type ConsoleMember = z.infer<typeof consoleMember>

/** What calls about one person share. */
export const onePerson = { access: 'officer', params: z.object({ id }), reply: consoleMember } as const

export const getMember = endpoint({
  ...onePerson,
  name: 'getMember',
  method: 'GET',
  path: '/api/console/members/:id',
  permission: 'members.look',
  summary: 'Everything about one person',
  failures: ['NOT_FOUND'],
})

export const editMember = endpoint({
  ...onePerson,
  name: 'editMember',
  method: 'PUT',
  path: '/api/console/members/:id/profile',
  permission: 'members.change',
  summary: 'Changes name and username; the address is for its owner to change',
  body: z.object({
    username: profileUsernameField,
    firstName: firstNameField,
    lastName: lastNameField,
    /** What stood in the form when it was opened. */
    seen: z.object({ username: z.string(), firstName: z.string(), lastName: z.string() }),
  }),
  failures: ['NOT_FOUND', 'USERNAME_TAKEN', 'CHANGED_MEANWHILE', 'OFFICER_ACCOUNT'],
})

export const reasonField = lineField('Please give a reason for the audit log', 300)

export const disableMember = endpoint({
  ...onePerson,
  name: 'disableMember',
  method: 'POST',
  path: '/api/console/members/:id/disable',
  permission: 'members.change',
  asksAgain: true,
  summary: 'Keeps somebody from logging in; nothing more is charged',
  body: z.object({ reason: reasonField }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'IS_AN_OFFICER'],
})

export const enableMember = endpoint({
  ...onePerson,
  name: 'enableMember',
  method: 'POST',
  path: '/api/console/members/:id/enable',
  permission: 'members.change',
  summary: 'Lets somebody log in again whom an officer kept out',
  body: z.object({}),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'IS_MERGED', 'OWN_ACCOUNT', 'OFFICER_ACCOUNT'],
})

export const sendResetLetter = endpoint({
  ...onePerson,
  name: 'sendResetLetter',
  method: 'POST',
  path: '/api/console/members/:id/reset-letter',
  permission: 'members.change',
  summary: 'Sends the letter of "Forgot password": nobody but its owner learns a password',
  body: z.object({}),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const resendLetter = endpoint({
  ...onePerson,
  name: 'resendLetter',
  method: 'POST',
  path: '/api/console/members/:id/letters/:letter/send',
  permission: 'members.change',
  summary: 'Tries a letter again that was given up',
  params: z.object({ id, letter: id }),
  body: z.object({}),
  failures: ['NOT_FOUND', 'ACCOUNT_CLOSED'],
})

export const resendReceipt = endpoint({
  ...onePerson,
  name: 'resendReceipt',
  method: 'POST',
  path: '/api/console/members/:id/payments/:payment/receipt',
  permission: 'members.change',
  summary: 'Mails a receipt again',
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
  summary: 'The receipt of a payment, as a PDF',
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
  ...onePerson,
  name: 'setTerm',
  method: 'POST',
  path: '/api/console/members/:id/term',
  permission: 'members.change',
  asksAgain: true,
  summary: 'Grants a membership without payment, or moves the end of the one that runs',
  body: z.object({
    levelKey: lineField('Please choose a level', 64),
    /** Left out for a lifetime level. */
    endsOn: z.optional(dayField('Please enter the last day')),
    reason: reasonField,
    version: z.string(),
  }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'RENEWS_BY_CARD', 'ACCOUNT_CLOSED', 'OWN_ACCOUNT'],
})

/** Dollars as they are typed, '100' or '100.50'; comes out as cents. */
export const amountField = z.pipe(
  z.string('Please enter the amount').check(
    z.trim(),
    z.regex(/^\$?\d{1,5}(\.\d{1,2})?$/, 'Please enter the amount in dollars, like 100 or 100.50'),
    z.refine((text) => Number(text.replace('$', '')) > 0, 'Please enter an amount above zero'),
  ),
  z.transform((text: string) => Math.round(Number(text.replace('$', '')) * 100)),
)

export const stopRenewal = endpoint({
  ...onePerson,
  name: 'stopRenewal',
  method: 'POST',
  path: '/api/console/members/:id/stop-renewal',
  permission: 'members.change',
  asksAgain: true,
  summary: 'Lets a membership end at the close of what is paid for',
  body: z.object({ reason: reasonField, version: z.string() }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NO_MEMBERSHIP', 'PROVIDER_FAILED'],
})

export const refundPayment = endpoint({
  ...onePerson,
  name: 'refundPayment',
  method: 'POST',
  path: '/api/console/members/:id/payments/:payment/refund',
  permission: 'money.change',
  asksAgain: true,
  summary: 'Gives back what is left of a card payment; a membership that rests on it ends',
  params: z.object({ id, payment: id }),
  body: z.object({ reason: reasonField }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NOT_REFUNDABLE', 'PROVIDER_FAILED', 'OWN_ACCOUNT'],
})
