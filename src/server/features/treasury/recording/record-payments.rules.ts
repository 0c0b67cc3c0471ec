import type { PaymentRow, PaymentRowField } from '#contract/console/money/record-payments.ts'
import { writesDayFirst } from '#contract/dates/day-order.ts'
import { isDay } from '#contract/dates/days.ts'
import { region } from '#contract/region.ts'
import { readDay, readsDayFirst } from '#server/lib/csv/read-day.rules.ts'
import { emailField } from '#contract/fields.ts'
import type { ManualRow } from '#server/features/orders/payments/manual-kind.registry.ts'
import { paidAtOn } from '#server/features/memberships/term-days.rules.ts'

export interface TypedFault {
  field: PaymentRowField
  message: string
}

/** The largest amount of one payment, in cents. */
export const MAX_AMOUNT = 10_000_000
const MOST_GUESTS = 50

/** Cents of an amount as typed: '100', '$1,250.50', '£80'; null if it cannot be read. */
export function readAmount(typed: string): number | null {
  const text = typed.replace(/^(?:[$€£₹]|R|CHF)/, '').trim()
  if (!/^(\d{1,3}(,\d{3})+|\d{1,7})(\.\d{1,2})?$/.test(text)) return null
  return Math.round(Number(text.replaceAll(',', '')) * 100)
}

/** A day as typed: '2026-11-20', or '11/20/2026' in the order of the association's country; null if it cannot be read. */
function readTypedDay(typed: string): string | null {
  const day = readDay(typed, readsDayFirst([typed], writesDayFirst(region().country)))
  return isDay(day) ? day : null
}

/** Reads what an officer typed, without looking anything up. @param today the last day a payment can have been received */
export function readRow(
  row: PaymentRow,
  today: string,
  now: number,
): { row: ManualRow | null; amount: number | null; faults: TypedFault[] } {
  const faults: TypedFault[] = []
  const fault = (field: PaymentRowField, message: string) => void faults.push({ field, message })
  const amount = readAmount(row.amount)
  if (amount === null)
    fault('amount', row.amount === '' ? 'Please enter the amount' : 'Please enter the amount, like 100 or 100.50')
  else if (amount === 0 || amount > MAX_AMOUNT)
    fault('amount', amount === 0 ? 'Please enter an amount above zero' : 'This amount is too large')
  const day = readTypedDay(row.paidOn)
  if (day === null) fault('paidOn', 'Please enter the day it was received')
  else if (day > today) fault('paidOn', 'This date is in the future')
  if (row.reference === '') fault('reference', REFERENCE_HINTS[row.method])
  if (!emailField.safeParse(row.email).success)
    fault('email', row.email === '' ? 'Please enter an email' : 'Please enter a valid email')
  if (row.kind !== 'dues' && row.name === '') fault('name', 'Please enter the name of the payer')
  if (row.kind === 'dues' && row.levelKey === '') fault('levelKey', 'Please choose a level')
  if (row.kind === 'seats' && row.eventId === '') fault('eventId', 'Please choose an event')
  if (row.kind === 'sponsorship' && row.tierName === '') fault('tierName', 'Please choose a sponsorship')
  const guests = row.guests === '' ? 0 : /^\d{1,2}$/.test(row.guests) ? Number(row.guests) : null
  if (row.kind === 'seats' && (guests === null || guests > MOST_GUESTS))
    fault('guests', 'Please enter the number of guests')
  if (faults.length > 0 || amount === null || day === null) return { row: null, amount, faults }
  return { row: { ...row, guests: guests ?? 0, amount, paidAt: paidAtOn(day, now) }, amount, faults }
}

/** An amount other than the price needs a reason, so that the next treasurer understands it. */
export function noteFault(price: number | null, { amount, note }: Pick<ManualRow, 'amount' | 'note'>): TypedFault[] {
  if (price === null || price === amount || note !== '') return []
  return [{ field: 'note', message: 'Please say why the amount is not the price' }]
}

const REFERENCE_HINTS = {
  cheque: 'Please enter the check number',
  cash: 'Please enter a reference for the cash, such as the envelope or the event',
  zelle: 'Please enter the confirmation number',
  wire: 'Please enter the reference of the wire',
  other: 'Please enter a reference',
} as const
