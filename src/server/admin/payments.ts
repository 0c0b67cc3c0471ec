import { formatMoney } from '#contract/money.ts'
import { amountField } from '#contract/console/member.ts'
import { isDay } from '#contract/dates/days.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { describeManualPayment, type ManualPayment } from '#server/features/orders/payments/manual-payment.rules.ts'
import { refundedAmount } from '#server/features/orders/payments/refunded-amount.rules.ts'
import {
  findPaymentByNumber,
  findReplacement,
  listPaymentsBetween,
  listVoidedBetween,
} from '#server/features/memberships/payments/payment.repository.ts'
import { type PaymentRecord } from '#server/features/memberships/payments/payment.queries.ts'
import { requirePaidAt } from '#server/features/memberships/payments/paid-on.service.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Tools } from './tools.ts'
import { withApp } from './with-app.ts'

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const USAGE =
  'Usage: payments [YYYY-MM] | payments void RECEIPT REASON | payments correct RECEIPT [--amount 90.50] [--method check|cash] [--reference 1043] [--paid-on YYYY-MM-DD] [--level KEY] REASON'

/** `payments [YYYY-MM]`, `payments void` and `payments correct`. */
export async function payments(args: readonly string[], tools: Tools): Promise<number> {
  const [action = '', ...rest] = args
  if (action === 'void') return voidOne(rest, tools)
  if (action === 'correct') return correctOne(rest, tools)
  return list(action, tools)
}

/** Lists dues received in a month (UTC, by default the current one), with refunds and voided records. */
async function list(month: string, { database: { db }, clock, say }: Tools): Promise<number> {
  const selectedMonth = month || new Date(clock.now()).toISOString().slice(0, 7)
  if (!MONTH.test(selectedMonth)) {
    say(USAGE)
    return 2
  }
  const from = Date.parse(`${selectedMonth}-01T00:00:00Z`)
  const until = new Date(from)
  until.setUTCMonth(until.getUTCMonth() + 1)
  const found = await listPaymentsBetween(db, from, until.getTime())
  const voided = await listVoidedBetween(db, from, until.getTime())
  const totals = new Map<string, number>()
  const addToTotal = (currency: string, amount: number) => totals.set(currency, (totals.get(currency) ?? 0) + amount)
  for (const payment of found) {
    const { paidAt, receiptNumber, purpose, levelKey, amount, amountRefunded, currency, dispute } = payment
    const account = await findAccount(db, payment.accountId)
    const refunded = amountRefunded > 0 ? `  refunded ${formatMoney(amountRefunded, currency)}` : ''
    const disputed = dispute ? `  dispute ${dispute}` : ''
    say(
      `${new Date(paidAt).toISOString()}  ${receiptNumber}  ${purpose}  ${levelKey}  ${formatMoney(amount, currency)}${refunded}${disputed}  ${account?.email ?? 'a deleted account'}`,
    )
    // A voided record is subtracted on the day it was voided.
    addToTotal(currency, amount - refundedAmount({ ...payment, voidedAt: null }))
  }
  for (const { voidedAt, voidReason, receiptNumber, amount, currency } of voided) {
    say(
      `${new Date(voidedAt ?? 0).toISOString()}  ${receiptNumber}  voided  ${formatMoney(-amount, currency)}  ${voidReason ?? ''}`,
    )
    addToTotal(currency, -amount)
  }
  const sums = [...totals].map(([currency, total]) => formatMoney(total, currency)).join(', ')
  const isEmpty = found.length + voided.length === 0
  say(isEmpty ? `No payments in ${selectedMonth}.` : `${found.length} payments in ${selectedMonth}, ${sums} net.`)
  return 0
}

async function voidOne([receipt, ...reason]: readonly string[], tools: Tools): Promise<number> {
  const payment = await requirePayment(receipt, reason, tools)
  if (!payment) return 2
  const target = buildTarget(payment, reason)
  return reportProblem(tools, async () => {
    await withApp(tools, (app) => app.services.manualPayments.voidManualPayment(target))
    tools.say(`${payment.receiptNumber} was voided. The running site emails the member.`)
  })
}

async function correctOne([receipt, ...args]: readonly string[], tools: Tools): Promise<number> {
  const { options, rest: reason } = parseOptions(args)
  const payment = await requirePayment(receipt, reason, tools)
  if (!payment) return 2
  const typed = parseCorrection(payment, options)
  if (typeof typed === 'string') {
    tools.say(typed)
    return 2
  }
  return reportProblem(tools, async () => {
    const { day, ...paid } = typed
    const paidAt = day === undefined ? payment.paidAt : requirePaidAt(day, tools.clock.now())
    const correction = { ...paid, paidAt }
    await withApp(tools, (app) =>
      app.services.manualPayments.correctManualPayment(buildTarget(payment, reason), correction),
    )
    const replacement = await findReplacement(tools.database.db, payment.id)
    tools.say(
      `${payment.receiptNumber} was voided and replaced by ${replacement?.receiptNumber ?? ''}. The running site emails the member.`,
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

function buildTarget({ id: paymentId, accountId }: PaymentRecord, reason: readonly string[]) {
  return { accountId, paymentId, version: null, actor: 'webmaster', reason: reason.join(' ').trim() }
}

type Options = Partial<Record<string, string>>

function parseOptions(args: readonly string[]): { options: Options; rest: string[] } {
  const options: Options = {}
  const rest: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg.startsWith('--')) options[arg.slice(2)] = args[++index] ?? ''
    else rest.push(arg)
  }
  return { options, rest }
}

const METHODS = { check: 'cheque', cash: 'cash' } as const

interface TypedCorrection extends Omit<ManualPayment, 'paidAt'> {
  levelKey: string
  /** undefined to keep the day. */
  day: string | undefined
}

/** The recorded payment with the given changes applied; an error message when they cannot be parsed. */
function parseCorrection(payment: PaymentRecord, options: Options): TypedCorrection | string {
  const unknown = Object.keys(options).find(
    (name) => !['amount', 'method', 'reference', 'paid-on', 'level'].includes(name),
  )
  if (unknown !== undefined) return USAGE
  const [method = '', ...recordedReference] = (describeManualPayment(payment.reference) ?? '').split(' ')
  const requestedMethod = options['method'] ?? method.toLowerCase()
  if (requestedMethod !== 'check' && requestedMethod !== 'cash') return '--method must be "check" or "cash".'
  const day = options['paid-on']
  if (day !== undefined && !isDay(day)) return 'Write the day like 2026-03-02.'
  const amount = amountField.safeParse(options['amount'] ?? String(payment.amount / 100))
  if (!amount.success) return 'Write the amount like 100 or 100.50.'
  return {
    method: METHODS[requestedMethod],
    reference: options['reference'] ?? recordedReference.join(' '),
    amount: amount.data,
    day,
    levelKey: options['level'] ?? payment.levelKey,
  }
}

/** Reports a refusal as its message. */
async function reportProblem({ say }: Tools, run: () => Promise<void>): Promise<number> {
  try {
    await run()
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    say(Object.values(error.fields ?? {})[0] ?? error.message)
    return 1
  }
}
