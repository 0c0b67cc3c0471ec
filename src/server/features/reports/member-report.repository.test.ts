import { expect, test } from 'vitest'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { insertCurrentMembership } from '#server/features/memberships/membership.commands.ts'
import { listSpansBetween } from './member-report.repository.ts'

const database = useTestDatabase()
const at = (day: string) => Date.parse(`${day}T00:00:00Z`)

test('memberships of a period are found with their neighbors outside of it', async () => {
  const db = database()
  const person = { id: 'leela', username: 'leela', email: 'leela@example.com', passwordHash: '' }
  await createAccount(db, { ...person, firstName: 'Leela', lastName: 'Menon', createdAt: at('2024-01-01') }, 0)
  const spans = [
    ['first', '2024-01-01', '2024-12-31'],
    ['second', '2025-06-01', '2025-12-31'],
    ['third', '2026-01-15', '2026-12-31'],
  ] as const
  const membership = {
    accountId: 'leela',
    levelKey: 'annual_member',
    kind: 'RECURRING' as const,
    stripeSubscriptionId: null,
    stripeStatus: null,
    cancelAtPeriodEnd: false,
    pastDueSince: null,
    nextAttemptAt: null,
    gaveUpAt: null,
    endedAt: null,
  }
  for (const [id, from, until] of spans) {
    await db.updateTable('membership').set({ isCurrent: null }).execute()
    await insertCurrentMembership(db, { ...membership, id, startedAt: at(from), endsAt: at(until) }, 0)
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
