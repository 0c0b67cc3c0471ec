import * as z from 'zod/mini'
import { amountField, dayField, onePerson, reasonField } from './console-member.ts'
import { endpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** Calls of the officers' console about checks and cash. */

const id = lineField(messages.text.unreadable, 64)

const handPayment = {
  levelKey: lineField('Please choose a level', 64),
  method: z.enum(['cheque', 'cash'], 'Please choose how it was paid'),
  /** Number of the check, or what the cash is known by: the same is recorded once. */
  reference: lineField('Please enter the number of the check, or what the cash is known by', 80),
  amount: amountField,
  paidOn: dayField('Please enter the day it was received'),
}

export const recordByHand = endpoint({
  ...onePerson,
  name: 'recordByHand',
  method: 'POST',
  path: '/api/console/members/:id/payments',
  permission: 'money.change',
  asksAgain: true,
  summary: 'Records a check or cash: the term it pays for, a receipt, and the letters that go with them',
  body: z.object({ ...handPayment, version: z.string() }),
  failures: [
    'NOT_FOUND',
    'CHANGED_MEANWHILE',
    'RENEWS_BY_CARD',
    'ACCOUNT_CLOSED',
    'LIFETIME_MEMBERSHIP',
    'OWN_ACCOUNT',
  ],
})

const recordedPayment = { ...onePerson, params: z.object({ id, payment: id }), asksAgain: true } as const

export const voidPayment = endpoint({
  ...recordedPayment,
  name: 'voidPayment',
  method: 'POST',
  path: '/api/console/members/:id/payments/:payment/void',
  permission: 'money.change',
  summary:
    'Cancels the record of a check or cash: its receipt keeps its number, and the membership loses what it paid for',
  body: z.object({ reason: reasonField, version: z.string() }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NOT_BY_HAND', 'OWN_ACCOUNT'],
})

export const correctPayment = endpoint({
  ...recordedPayment,
  name: 'correctPayment',
  method: 'POST',
  path: '/api/console/members/:id/payments/:payment/correct',
  permission: 'money.change',
  summary: 'Cancels the record of a check or cash and replaces it by a corrected one, with a new receipt',
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
