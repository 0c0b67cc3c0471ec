import * as z from 'zod/mini'
import { amountField, dayField, oneMember, reasonField } from '../member.ts'
import { endpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'

/** Console endpoints that correct payments of dues outside the card provider. They are recorded by `record-payments.ts`. */

/** `cheque` is the older word for a check. */
export const MANUAL_METHODS = ['cheque', 'cash', 'zelle', 'wire', 'other'] as const
export type ManualMethod = (typeof MANUAL_METHODS)[number]

export const METHOD_NAMES: Record<ManualMethod, string> = {
  cheque: 'Check',
  cash: 'Cash',
  zelle: 'Zelle',
  wire: 'Wire',
  other: 'Other',
}

const id = lineField(messages.text.unreadable, 64)

const handPayment = {
  levelKey: lineField('Please choose a level', 64),
  method: z.enum(MANUAL_METHODS, 'Please choose how it was paid'),
  /** The check number, or an identifier for cash. The same one is recorded only once. */
  reference: lineField('Please enter the check number, or a reference for the cash', 80),
  amount: amountField,
  paidOn: dayField('Please enter the day it was received'),
}

const recordedPayment = { ...oneMember, params: z.object({ id, payment: id }), requiresFreshFactor: true } as const

export const voidPayment = endpoint({
  ...recordedPayment,
  name: 'voidPayment',
  method: 'POST',
  path: '/api/console/members/:id/payments/:payment/void',
  permission: 'money.change',
  summary:
    'Cancel the record of a check or cash payment: the receipt keeps its number, and the membership loses the paid term',
  body: z.object({ reason: reasonField, version: z.string() }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NOT_BY_HAND', 'OWN_ACCOUNT'],
})

export const correctPayment = endpoint({
  ...recordedPayment,
  name: 'correctPayment',
  method: 'POST',
  path: '/api/console/members/:id/payments/:payment/correct',
  permission: 'money.change',
  summary: 'Cancel the record of a check or cash payment and replace it with a corrected one, with a new receipt',
  body: z.object({ ...handPayment, reason: reasonField, version: z.string() }),
  failures: [
    'NOT_FOUND',
    'CHANGED_MEANWHILE',
    'NOT_BY_HAND',
    'OWN_ACCOUNT',
    'RENEWS_BY_CARD',
    'ACCOUNT_CLOSED',
    'LIFETIME_MEMBERSHIP',
  ],
})
