import { describe, expect, test } from 'vitest'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { newId } from '#server/lib/ids.ts'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { replaceLevels } from '#server/features/levels/level.commands.ts'
import { insertCurrentMembership } from '#server/features/memberships/membership.commands.ts'
import { countPaidTerms, listEndingBetween, listSpansBetween } from './member-report.repository.ts'
import { CONTINUED_WITHIN_MS, monthsUntil } from './member-report.rules.ts'
import { BY_HAND } from '#server/features/memberships/membership.rules.ts'

const database = useTestDatabase()
const at = (day: string) => Date.parse(`${day}T00:00:00Z`)

const MEMBERSHIP = {
  levelKey: 'annual_member',
  stripeSubscriptionId: null,
  ...BY_HAND,
}

async function addPerson(id: string): Promise<void> {
  const person = { id, username: id, email: `${id}@example.com`, passwordHash: '' }
  await createAccount(database(), { ...person, firstName: 'Leela', lastName: 'Menon', createdAt: 0 }, 0)
}

async function pay(
  accountId: string,
  term: { paid: string; until: string | null; refunded?: number; voided?: boolean },
): Promise<void> {
  const id = newId(0)
  const fixed = { id, accountId, reference: id, receiptNumber: id, levelKey: 'annual_member', amount: 100 }
  await database()
    .insertInto('payment')
    .values({
      ...fixed,
      currency: 'usd',
      purpose: 'renewal',
      paidAt: at(term.paid),
      recordedAt: at(term.paid),
      periodEndsAt: term.until === null ? null : at(term.until),
      voidedAt: term.voided ? 1 : null,
      amountRefunded: term.refunded ?? 0,
      discount: 0,
      refundAsked: 0,
    })
    .execute()
}

describe('a term that was paid for counts in the month it ended, as renewed if another one followed', () => {
  const now = at('2026-03-15')
  const months = monthsUntil('2026-03-15', 3, at)

  test.each<[string, Parameters<typeof pay>[1][], string]>([
    ['no other one', [], '2026-02: 0 of 1'],
    ['one for the next year', [{ paid: '2026-02-20', until: '2027-02-10' }], '2026-02: 1 of 1'],
    ['one paid long before', [{ paid: '2025-12-01', until: '2027-02-10' }], '2026-02: 1 of 1'],
    ['one for life', [{ paid: '2026-02-20', until: null }], '2026-02: 1 of 1'],
    ['one paid too late', [{ paid: '2026-04-12', until: '2027-04-12' }], '2026-02: 0 of 1'],
    ['one that was canceled', [{ paid: '2026-02-20', until: '2027-02-10', voided: true }], '2026-02: 0 of 1'],
    ['an earlier one', [{ paid: '2025-01-10', until: '2026-01-10' }], '2026-01: 1 of 1, 2026-02: 0 of 1'],
    ['one that was refunded in full', [{ paid: '2026-02-01', until: '2026-01-31', refunded: 100 }], '2026-02: 0 of 1'],
    ['one that ends this month, later than today', [{ paid: '2025-03-20', until: '2026-03-20' }], '2026-02: 1 of 1'],
  ])('beside %s', async (_, others, expected) => {
    await addPerson('leela')
    await addPerson('someone-else')
    await pay('leela', { paid: '2025-02-10', until: '2026-02-10' })
    await pay('someone-else', { paid: '2026-02-15', until: '2027-06-30' })
    for (const other of others) await pay('leela', other)
    const counts = await countPaidTerms(database(), months, { now, withinMs: CONTINUED_WITHIN_MS })
    const found = counts.map(({ month, due, renewed }) => `${month}: ${renewed} of ${due}`)
    expect(found.sort().join(', ')).toBe(expected)
  })
})

test('members with rights whose term ends are listed, soonest first; those whose membership was ended are not', async () => {
  const db = database()
  const now = at('2026-03-01')
  const level = { key: 'annual_member', name: 'Annual member', description: '', unitAmount: 100, currency: 'usd' }
  await replaceLevels(db, [{ ...level, interval: 'year', intervalCount: 1 }], () => newId(0))
  const common = { ...MEMBERSHIP, startedAt: at('2025-03-01'), kind: 'RECURRING' as const }
  const members: Record<string, Partial<Parameters<typeof insertCurrentMembership>[1]>> = {
    later: { endsAt: at('2026-03-20') },
    sooner: { endsAt: at('2026-03-10'), stripeStatus: 'active' },
    owing: { endsAt: at('2026-03-12'), stripeStatus: 'past_due', pastDueSince: at('2026-02-25') },
    ended: { endsAt: at('2026-03-11'), endedAt: at('2026-02-01') },
    outside: { endsAt: at('2026-04-01') },
  }
  for (const [id, change] of Object.entries(members)) {
    await addPerson(id)
    await insertCurrentMembership(db, { ...common, id, accountId: id, endsAt: 0, ...change }, 0)
  }
  const period = { from: now, until: at('2026-04-01') }
  const found = await listEndingBetween(db, period, { now, graceMs: 14 * 86_400_000 })
  expect(found.map(({ id, isAutomatic }) => [id, isAutomatic])).toEqual([
    ['sooner', true],
    ['owing', false],
    ['later', false],
  ])
})

test('memberships of a period are found with their neighbors outside of it', async () => {
  const db = database()
  await addPerson('leela')
  const spans = [
    ['first', '2024-01-01', '2024-12-31'],
    ['second', '2025-06-01', '2025-12-31'],
    ['third', '2026-01-15', '2026-12-31'],
  ] as const
  for (const [id, from, until] of spans) {
    await db.updateTable('membership').set({ isCurrent: null }).execute()
    await insertCurrentMembership(
      db,
      { ...MEMBERSHIP, id, accountId: 'leela', kind: 'RECURRING', startedAt: at(from), endsAt: at(until) },
      0,
    )
  }

  const found = (from: string, until: string) => listSpansBetween(db, { from: at(from), until: at(until) })
  expect(await found('2025-06-01', '2025-07-01')).toEqual([
    {
      startedAt: at('2025-06-01'),
      endsAt: at('2025-12-31'),
      endedBefore: at('2024-12-31'),
      nextStartedAt: at('2026-01-15'),
    },
  ])
  expect((await found('2025-12-01', '2026-02-01')).map(({ startedAt }) => startedAt)).toEqual([
    at('2025-06-01'),
    at('2026-01-15'),
  ])
  expect(await found('2025-01-01', '2025-06-01')).toEqual([])
})
