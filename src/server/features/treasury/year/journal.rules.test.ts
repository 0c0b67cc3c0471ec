import { describe, expect, test } from 'vitest'
import { journalOf, summarizeByDay, type BookedLine, type FeeLine, type JournalEntry } from './journal.rules.ts'

/** A generator of numbers that is the same for the same seed. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
}

/** A life of payments, refunds, disputes, fees and payouts, as the ledger and the card provider tell it. */
function life(seed: number) {
  const pick = random(seed)
  const one = <T>(of: readonly T[]) => of[pick(of.length)] as T
  const day = () => `2026-${String(1 + pick(12)).padStart(2, '0')}-${String(1 + pick(28)).padStart(2, '0')}`
  const ledger: BookedLine[] = []
  const lines: FeeLine[] = []
  const payouts = []
  for (let index = 0; index < 40; index++) {
    const kind = one(['dues', 'seats', 'sponsorship'] as const)
    const method = one(['card', 'cheque', 'cash', 'zelle', 'wire', 'other'] as const)
    const amount = 1 + pick(200_000)
    const about = { kind, method, receiptNumber: `R-${index}`, memo: 'Someone' }
    ledger.push({ ...about, type: 'payment', amount, day: day() })
    if (method === 'card')
      lines.push({ kind: 'payment', amount, fee: 30 + pick(5_000), description: 'charge', day: day() })
    if (pick(3) === 0) {
      const part = 1 + pick(amount)
      ledger.push({ ...about, type: 'refund', amount: -part, day: day() })
      if (method === 'card')
        lines.push({
          kind: 'refund',
          amount: -part,
          fee: pick(2) === 0 ? 0 : -pick(100),
          description: 'refund',
          day: day(),
        })
      // It failed at the bank.
      if (pick(4) === 0) ledger.push({ ...about, type: 'refund', amount: part, day: day() })
    }
    if (method === 'card' && pick(5) === 0) {
      lines.push({ kind: 'dispute', amount: -amount, fee: 1_500, description: 'dispute', day: day() })
      if (pick(2) === 0) lines.push({ kind: 'dispute', amount, fee: -1_500, description: 'won', day: day() })
      else ledger.push({ ...about, type: 'dispute', amount: -amount, day: day() })
    }
    if (method !== 'card' && pick(6) === 0) ledger.push({ ...about, type: 'canceled', amount: -amount, day: day() })
    if (pick(9) === 0)
      lines.push({ kind: 'other', amount: pick(2_000) - 1_000, fee: 0, description: 'adjustment', day: day() })
    if (pick(7) === 0)
      payouts.push({
        id: `po_${index}`,
        amount: pick(100_000) - 20_000,
        arrivesOn: day(),
        state: one(['arrived', 'failed', 'on-its-way'] as const),
      })
  }
  return { ledger, provider: { lines, payouts } }
}

const sumOf = (entries: readonly JournalEntry[], side: 'debit' | 'credit') =>
  entries.flatMap(({ lines }) => lines).reduce((sum, line) => sum + line[side], 0)

/** Debits less credits of an account. */
const balance = (entries: readonly JournalEntry[], account: string) =>
  entries
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => (line.account === account ? sum + line.debit - line.credit : sum), 0)

describe('any life of payments', () => {
  const seeds = Array.from({ length: 500 }, (_, index) => index + 1)

  test('gives a balanced journal: each entry, and each day of the summary', () => {
    for (const seed of seeds) {
      const { ledger, provider } = life(seed)
      const entries = journalOf(ledger, provider)
      for (const part of [entries, summarizeByDay(entries)]) {
        for (const entry of part) expect([seed, sumOf([entry], 'debit')]).toEqual([seed, sumOf([entry], 'credit')])
        for (const { debit, credit } of part.flatMap(({ lines }) => lines))
          expect(debit === 0 ? credit : debit).toBeGreaterThan(0)
      }
      for (const account of ['dues', 'seats', 'sponsorships', 'clearing', 'bank', 'undeposited', 'fees', 'disputes'])
        expect(balance(summarizeByDay(entries), account)).toBe(balance(entries, account))
    }
  })

  test('books as income exactly what is kept, and as fees what the provider took', () => {
    for (const seed of seeds) {
      const { ledger, provider } = life(seed)
      const entries = journalOf(ledger, provider)
      for (const [kind, account] of [
        ['dues', 'dues'],
        ['seats', 'seats'],
        ['sponsorship', 'sponsorships'],
      ] as const) {
        const kept = ledger.filter((line) => line.kind === kind).reduce((sum, { amount }) => sum + amount, 0)
        expect(-balance(entries, account)).toBe(kept)
      }
      const fees = provider.lines.reduce((sum, { kind, amount, fee }) => sum + fee - (kind === 'other' ? amount : 0), 0)
      expect(balance(entries, 'fees')).toBe(fees)
      const arrived = provider.payouts
        .filter(({ state }) => state !== 'failed')
        .reduce((sum, { amount }) => sum + amount, 0)
      expect(balance(entries, 'bank')).toBe(arrived)
    }
  })
})

test('a check is held in undeposited funds, and a dispute that is lost leaves nothing among disputed payments', () => {
  const about = { kind: 'dues', receiptNumber: 'R-1', memo: 'Rao, Meera, Annual Member', day: '2026-03-01' } as const
  const entries = journalOf(
    [
      { ...about, type: 'payment', amount: 10_000, method: 'cheque' },
      { ...about, type: 'payment', amount: 5_000, method: 'card' },
      { ...about, type: 'dispute', amount: -5_000, method: 'card' },
    ],
    {
      lines: [{ kind: 'dispute', amount: -5_000, fee: 1_500, description: 'Dispute', day: '2026-03-02' }],
      payouts: [],
    },
  )
  expect(entries.map(({ memo }) => memo)).toEqual([
    'Rao, Meera, Annual Member',
    'Rao, Meera, Annual Member',
    'Dispute lost: Rao, Meera, Annual Member',
    'Dispute',
  ])
  expect([balance(entries, 'undeposited'), balance(entries, 'disputes'), balance(entries, 'clearing')]).toEqual([
    10_000, 0, -1_500,
  ])
})
