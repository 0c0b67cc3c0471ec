import type { getPaymentChoices, PaymentRow, PaymentRowField } from '#contract/console/money/record-payments.ts'
import { parseEventDate } from '#contract/dates/event-dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { dollarsOf } from '#web/console/treasury/span.rules.ts'

export type Choices = ReplyOf<typeof getPaymentChoices>

/** A row of the form; the id is only known to the page. */
export interface EditedRow extends PaymentRow {
  id: string
}

/** A new row; after an event, most of it is like the row before. */
export function newRow(id: string, today: string, before?: EditedRow, given: Partial<PaymentRow> = {}): EditedRow {
  return {
    id,
    kind: before?.kind ?? 'dues',
    email: '',
    name: '',
    company: '',
    levelKey: before?.levelKey ?? '',
    eventId: before?.eventId ?? '',
    guests: '',
    tierName: before?.tierName ?? '',
    method: before?.method ?? 'cheque',
    reference: '',
    amount: before?.amount ?? '',
    paidOn: before?.paidOn ?? today,
    note: '',
    ...given,
  }
}

/** The price of what a row is for, in cents; null if it is not known. A member's price is found by the check. */
function priceOf({ kind, levelKey, eventId, guests, tierName }: PaymentRow, choices: Choices): number | null {
  if (kind === 'dues') return choices.levels.find(({ key }) => key === levelKey)?.price ?? null
  if (kind === 'sponsorship') return choices.tiers.find(({ name }) => name === tierName)?.price ?? null
  const event = choices.events.find(({ id }) => id === eventId)
  return event && event.price !== null ? event.price * (1 + (Number(guests) || 0)) : null
}

/** Applies a change to a row: a price fills in the amount, unless the officer typed another one. */
export function changeRow(row: EditedRow, changes: Partial<PaymentRow>, choices: Choices): EditedRow {
  const next = { ...row, ...changes }
  if ('amount' in changes) return next
  const before = priceOf(row, choices)
  const price = priceOf(next, choices)
  const isTyped = row.amount !== '' && row.amount !== (before === null ? '' : dollarsOf(before))
  return price === null || isTyped ? next : { ...next, amount: dollarsOf(price) }
}

/** Whether nothing was entered yet, so that it has no verdict. */
export function isBlank({ email, reference }: PaymentRow): boolean {
  return email === '' && reference === ''
}

export type PastedRow = Pick<PaymentRow, 'email' | 'amount' | 'reference' | 'paidOn'>

/** Rows pasted from a spreadsheet: email, amount, check number, and optionally a day, separated by tabs. Or what is wrong with them. */
export function readPasted(text: string): { rows: PastedRow[] } | { problem: string } {
  const rows: PastedRow[] = []
  for (const [at, line] of text.trim().split(/\r?\n/).entries()) {
    const [email = '', amount = '', reference, day = ''] = line.split('\t').map((cell) => cell.trim())
    if (reference === undefined) return { problem: 'Each row needs at least email, amount and check number' }
    const paidOn = day === '' ? '' : parseEventDate(day)?.startsOn
    if (paidOn === undefined) return { problem: `The day “${day}” in row ${at + 1} cannot be read: write 11/20/2026` }
    rows.push({ email, amount, reference, paidOn })
  }
  return { rows }
}

export function withoutId({ id: _id, ...row }: EditedRow): PaymentRow {
  return row
}

export const FIELD_LABELS: Record<PaymentRowField, string> = {
  kind: 'Payment for',
  email: 'Email',
  name: 'Name',
  company: 'Company',
  levelKey: 'Level',
  eventId: 'Event',
  guests: 'Guests besides the payer',
  tierName: 'Sponsorship',
  method: 'Paid by',
  reference: 'Check number or reference',
  amount: 'Amount',
  paidOn: 'Received on',
  note: 'Why another amount than the price',
}
