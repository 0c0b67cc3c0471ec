import type { AccountRole } from '#contract/console/money/year.ts'
import type { LedgerEntryTable, PaymentKind, PaymentMethod } from '#server/db/schema/money-schema.ts'
import type { PayoutLine, PayoutSnapshot } from '#server/stripe/payment-gateway.ts'

export type AccountNames = Record<AccountRole, string>

/** One account of an entry: cents, one of the two is 0. */
export interface JournalLine {
  account: AccountRole
  debit: number
  credit: number
}

/** A balanced entry of the journal. */
export interface JournalEntry {
  /** `YYYY-MM-DD` on the association's calendar. */
  day: string
  /** A receipt or a payout; empty if there is none. */
  reference: string
  memo: string
  lines: readonly JournalLine[]
}

export type BookedLine = Pick<LedgerEntryTable, 'kind' | 'type' | 'amount' | 'method'> & {
  day: string
  receiptNumber: string
  /** The payer and what was paid for. */
  memo: string
}

export type FeeLine = Pick<PayoutLine, 'kind' | 'amount' | 'fee' | 'description'> & { day: string }

const INCOME: Record<PaymentKind, AccountRole> = { dues: 'dues', seats: 'seats', sponsorship: 'sponsorships' }
const MEMOS = {
  payment: '',
  refund: 'Refund: ',
  dispute: 'Dispute lost: ',
  canceled: 'Canceled record: ',
  complimentary: '',
} as const

/** Where money of a method is until it reaches the bank. */
function heldIn(method: PaymentMethod): AccountRole {
  return method === 'card' ? 'clearing' : 'undeposited'
}

/** Moves an amount from one account to another; the other way round if it is negative, and nothing if it is 0. */
function move(amount: number, from: AccountRole, to: AccountRole): JournalLine[] {
  if (amount === 0) return []
  const [debited, credited] = amount > 0 ? [to, from] : [from, to]
  return [
    { account: debited, debit: Math.abs(amount), credit: 0 },
    { account: credited, debit: 0, credit: Math.abs(amount) },
  ]
}

/**
 * The journal of a span. What was paid and returned is booked from the ledger, on its day; what only the card provider knows, from its balance: its fees, what a
 * bank holds during a dispute, and payouts. Every entry is balanced by itself.
 */
export function journalOf(
  ledger: readonly BookedLine[],
  provider: {
    lines: readonly FeeLine[]
    payouts: readonly Pick<PayoutSnapshot, 'id' | 'amount' | 'arrivesOn' | 'state'>[]
  },
): JournalEntry[] {
  const entries: JournalEntry[] = [
    ...ledger.map(({ kind, type, amount, method, day, receiptNumber: reference, memo }) => ({
      day,
      reference,
      memo: MEMOS[type] + memo,
      // The bank took a lost dispute when it was opened.
      lines: move(amount, INCOME[kind], type === 'dispute' ? 'disputes' : heldIn(method)),
    })),
    ...provider.lines.map(({ kind, amount, fee, day, description }) => ({
      day,
      reference: '',
      memo: kind === 'payment' || kind === 'refund' ? `Card fee: ${description}` : description,
      lines: [
        ...(kind === 'dispute' ? move(amount, 'disputes', 'clearing') : []),
        ...(kind === 'other' ? move(amount, 'fees', 'clearing') : []),
        ...move(fee, 'clearing', 'fees'),
      ],
    })),
    ...provider.payouts
      .filter(({ state }) => state !== 'failed')
      .map(({ id, amount, arrivesOn }) => ({
        day: arrivesOn,
        reference: id,
        memo: 'Payout',
        lines: move(amount, 'clearing', 'bank'),
      })),
  ]
  return entries.filter(({ lines }) => lines.length > 0).sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
}

/** One entry a day, with one line an account and side: what accounting software imports. */
export function summarizeByDay(entries: readonly JournalEntry[]): JournalEntry[] {
  const days = new Map<string, Map<AccountRole, JournalLine>>()
  for (const { day, lines } of entries) {
    const accounts = days.get(day) ?? new Map<AccountRole, JournalLine>()
    days.set(day, accounts)
    for (const { account, debit, credit } of lines) {
      const known = accounts.get(account) ?? { account, debit: 0, credit: 0 }
      accounts.set(account, { account, debit: known.debit + debit, credit: known.credit + credit })
    }
  }
  return [...days]
    .map(([day, accounts]) => ({
      day,
      reference: '',
      memo: 'Website payments',
      lines: [...accounts.values()].map(netted).filter(({ debit, credit }) => debit + credit > 0),
    }))
    .filter(({ lines }) => lines.length > 0)
}

function netted({ account, debit, credit }: JournalLine): JournalLine {
  return { account, debit: Math.max(0, debit - credit), credit: Math.max(0, credit - debit) }
}
