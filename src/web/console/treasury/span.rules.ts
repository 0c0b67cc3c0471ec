import { MONTHS } from '#contract/dates/days.ts'
import { formatMoney } from '#contract/money.ts'
import { region } from '#contract/region.ts'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What a page of money shows: a month, or any days. */
export interface Span {
  from: string
  to: string
  /** `YYYY-MM`; null for a span of other days. */
  month: string | null
  /** 'November 2026'. */
  name: string
}

/** The last day of a month. */
export function monthSpan(month: string): Span {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return { from: `${month}-01`, to: `${month}-${last}`, month, name: `${MONTHS[number - 1]} ${year}` }
}

/** The span in an address: a month, or first and last day; otherwise this month. */
export function readSpan(params: URLSearchParams, thisMonth: string): Span {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  if (DAY.test(from) && DAY.test(to) && from <= to) return { from, to, month: null, name: `${from} to ${to}` }
  const month = params.get('month') ?? ''
  return monthSpan(MONTH.test(month) ? month : thisMonth)
}

export function addMonths(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

/** Dollars as typed, in cents; null if they cannot be read. */
export function readDollars(typed: string): number | null {
  const text = typed.replace(/^\$/, '').replaceAll(',', '').trim()
  return /^\d{1,7}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null
}

/** Cents for a text field: '100', '100.50'. */
export function dollarsOf(cents: number): string {
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)
}

interface AmountSpan {
  /** In cents; null for none. */
  least: number | null
  most: number | null
  /** By field; null when it can be used. */
  errors: { least: string | null; most: string | null }
}

/** The least and the most of an amount, each as typed or empty. */
export function readAmountSpan(typedLeast: string, typedMost: string): AmountSpan {
  const [least, most] = [readDollars(typedLeast.trim()), readDollars(typedMost.trim())]
  const errorOf = (typed: string, cents: number | null) =>
    typed.trim() !== '' && cents === null ? 'Please enter an amount, such as 25 or 1,250.50' : null
  const isBelow = least !== null && most !== null && most < least
  return {
    least,
    most,
    errors: {
      least: errorOf(typedLeast, least),
      most: isBelow ? `Please enter at least ${formatMoney(least, region().currency)}` : errorOf(typedMost, most),
    },
  }
}
