import { formatMoney } from '#contract/money.ts'
import { amountField } from '#contract/console-member.ts'
import { isDay } from '#contract/days.ts'
import { findAccount } from '../features/account/account.repository.ts'
import { handWords } from '../features/membership/by-hand.rules.ts'
import { returnedOf } from '../features/membership/payment-return.rules.ts'
import {
  findPaymentByNumber,
  findReplacement,
  listPaymentsBetween,
  listVoidedBetween,
  type PaymentRecord,
} from '../features/membership/payment.repository.ts'
import type { PaidByHand } from '../features/membership/hand-corrections.ts'
import { noonOf } from '../features/membership/term-days.rules.ts'
import { Problem } from '../platform/problem.ts'
import type { Tools } from './tools.ts'
import { withApp } from './with-app.ts'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const USAGE =
  'Say "payments", "payments YYYY-MM", "payments void RECEIPT REASON" or "payments correct RECEIPT [--amount 90.50] [--method check|cash] [--reference 1043] [--paid-on YYYY-MM-DD] [--level KEY] REASON".'

/** `payments [YYYY-MM]`, `payments void` and `payments correct`. */
export async function payments(words: readonly string[], tools: Tools): Promise<number> {
  const [action = '', ...rest] = words
  if (action === 'void') return voidOne(rest, tools)
  if (action === 'correct') return correctOne(rest, tools)
  return list(action, tools)
}

/** Dues received in a month (UTC), by default the running one, with what went back and what was canceled. */
async function list(month: string, { database: { db }, clock, say }: Tools): Promise<number> {
  const wanted = month || new Date(clock.now()).toISOString().slice(0, 7)
  if (!MONTH.test(wanted)) {
    say(USAGE)
    return 2
  }
  const from = Date.parse(`${wanted}-01T00:00:00Z`)
  const until = new Date(from)
  until.setUTCMonth(until.getUTCMonth() + 1)
  const found = await listPaymentsBetween(db, from, until.getTime())
  const voided = await listVoidedBetween(db, from, until.getTime())
  const totals = new Map<string, number>()
  const count = (currency: string, amount: number) => totals.set(currency, (totals.get(currency) ?? 0) + amount)
  for (const payment of found) {
    const { paidAt, receiptNumber, purpose, levelKey, amount, amountRefunded, currency, dispute } = payment
    const account = await findAccount(db, payment.accountId)
    const returned = amountRefunded > 0 ? `  returned ${formatMoney(amountRefunded, currency)}` : ''
    const disputed = dispute ? `  dispute ${dispute}` : ''
    say(
      `${new Date(paidAt).toISOString()}  ${receiptNumber}  ${purpose}  ${levelKey}  ${formatMoney(amount, currency)}${returned}${disputed}  ${account?.email ?? 'an account that is gone'}`,
    )
    // A canceled record is taken off on the day it was canceled.
    count(currency, amount - returnedOf({ ...payment, voidedAt: null }))
  }
  for (const { voidedAt, voidReason, receiptNumber, amount, currency } of voided) {
    say(
      `${new Date(voidedAt ?? 0).toISOString()}  ${receiptNumber}  canceled  ${formatMoney(-amount, currency)}  ${voidReason ?? ''}`,
    )
    count(currency, -amount)
  }
  const sums = [...totals].map(([currency, total]) => formatMoney(total, currency)).join(', ')
  const isEmpty = found.length + voided.length === 0
  say(isEmpty ? `Nothing was paid in ${wanted}.` : `${found.length} payments in ${wanted}, ${sums} kept.`)
  return 0
}

async function voidOne([receipt, ...reason]: readonly string[], tools: Tools): Promise<number> {
  const payment = await requirePayment(receipt, reason, tools)
  if (!payment) return 2
  const target = targetOf(payment, reason)
  return explained(tools, async () => {
    await withApp(tools, (app) => app.features.settlements.voidByHand(target))
    tools.say(`${payment.receiptNumber} is canceled; the running site emails the member.`)
  })
}

async function correctOne([receipt, ...words]: readonly string[], tools: Tools): Promise<number> {
  const { options, rest: reason } = readOptions(words)
  const payment = await requirePayment(receipt, reason, tools)
  if (!payment) return 2
  const wanted = readPaid(payment, options)
  if (typeof wanted === 'string') {
    tools.say(wanted)
    return 2
  }
  return explained(tools, async () => {
    await withApp(tools, (app) => app.features.settlements.correctByHand(targetOf(payment, reason), wanted))
    const replacement = await findReplacement(tools.database.db, payment.id)
    tools.say(
      `${payment.receiptNumber} is canceled and replaced by ${replacement?.receiptNumber ?? ''}; the running site emails the member.`,
    )
  })
}

async function requirePayment(
  receipt: string | undefined,
  reason: readonly string[],
  { database: { db }, say }: Tools,
): Promise<PaymentRecord | null> {
  if (!receipt || reason.join('').trim() === '') {
    say(USAGE)
    return null
  }
  const payment = await findPaymentByNumber(db, receipt.toUpperCase())
  if (!payment) say(`There is no receipt ${receipt}.`)
  return payment
}

function targetOf({ id: paymentId, accountId }: PaymentRecord, reason: readonly string[]) {
  return { accountId, paymentId, version: null, actor: 'webmaster', reason: reason.join(' ').trim() }
}

type Options = Partial<Record<string, string>>

function readOptions(words: readonly string[]): { options: Options; rest: string[] } {
  const options: Options = {}
  const rest: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word.startsWith('--')) options[word.slice(2)] = words[++at] ?? ''
    else rest.push(word)
  }
  return { options, rest }
}

const METHODS = { check: 'cheque', cash: 'cash' } as const

/** What was recorded, with what is said otherwise; a sentence when that cannot be read. */
function readPaid(payment: PaymentRecord, options: Options): (PaidByHand & { levelKey: string }) | string {
  const unknown = Object.keys(options).find(
    (name) => !['amount', 'method', 'reference', 'paid-on', 'level'].includes(name),
  )
  if (unknown !== undefined) return USAGE
  const [method = '', ...known] = (handWords(payment.reference) ?? '').split(' ')
  const asked = options['method'] ?? method.toLowerCase()
  if (asked !== 'check' && asked !== 'cash') return 'A method is "check" or "cash".'
  const day = options['paid-on']
  if (day !== undefined && !isDay(day)) return 'Write the day as 2026-03-02.'
  const amount = amountField.safeParse(options['amount'] ?? String(payment.amount / 100))
  if (!amount.success) return 'Write the amount in dollars, like 100 or 100.50.'
  return {
    method: METHODS[asked],
    reference: options['reference'] ?? known.join(' '),
    amount: amount.data,
    paidAt: day === undefined ? payment.paidAt : noonOf(day),
    levelKey: options['level'] ?? payment.levelKey,
  }
}

/** A refusal as its sentence. */
async function explained({ say }: Tools, act: () => Promise<void>): Promise<number> {
  try {
    await act()
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    say(Object.values(error.fields ?? {})[0] ?? error.message)
    return 1
  }
}
