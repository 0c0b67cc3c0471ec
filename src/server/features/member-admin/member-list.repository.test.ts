import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import type { AccountTable } from '#server/db/schema/account-schema.ts'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { newId } from '#server/lib/ids.ts'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { countMemberRows, ALL_MEMBERS } from './member-list.queries.ts'
import { findMemberRows } from './member-list.repository.ts'
import { suggestMembers } from './member-search.queries.ts'
import { insertCurrentMembership } from '#server/features/memberships/membership.commands.ts'
import { membershipStatus, runsUntil } from '#server/features/memberships/membership.rules.ts'

const database = useTestDatabase()
const DAY = 86_400_000
const now = Date.parse('2026-06-01T12:00:00Z')
const graceMs = 14 * DAY

const NOTHING_OWED = { pastDueSince: null, nextAttemptAt: null, gaveUpAt: null }
const owed = (daysAgo: number) => ({ ...NOTHING_OWED, pastDueSince: now - daysAgo * DAY })

test('the status and end date in SQL match the rules for every combination of fields', async () => {
  const db = database()
  const expected = new Map<string, string>()
  const ends = new Map<string, number | null>()
  const statuses = [null, 'active', 'trialing', 'past_due', 'unpaid', 'canceled', 'incomplete', 'incomplete_expired']
  const debts = [
    NOTHING_OWED,
    owed(3),
    owed(14),
    { ...owed(20), nextAttemptAt: now + DAY },
    { ...owed(20), nextAttemptAt: now - DAY },
    { ...owed(20), gaveUpAt: now - DAY },
  ]
  const accounts: Insertable<AccountTable>[] = []
  const memberships: Parameters<typeof insertCurrentMembership>[1][] = []
  for (const stripeStatus of statuses) {
    for (const debt of debts) {
      for (const endsAt of [null, now - DAY, now, now + DAY]) {
        for (const cancelAtPeriodEnd of [false, true]) {
          for (const endedAt of [null, now, now + DAY]) {
            const id = newId(now)
            const kind = endsAt === null && stripeStatus === null ? 'ONE_TIME' : 'RECURRING'
            const snapshot = { kind, endsAt, stripeStatus, cancelAtPeriodEnd, endedAt, ...debt } as const
            expected.set(id, membershipStatus(snapshot, now, graceMs))
            ends.set(id, runsUntil(snapshot, graceMs))
            const email = `m${accounts.length}@example.com`
            accounts.push({
              id,
              username: `m${accounts.length}`,
              email,
              emailKey: email,
              passwordHash: '',
              firstName: 'A',
              lastName: 'B',
              tokenVersion: 1,
              deactivatedBy: null,
              isOfficer: 0,
              stripeCustomerId: null,
              createdAt: now,
              updatedAt: now,
            })
            const held = { id, accountId: id, levelKey: 'annual_member', startedAt: now, ...snapshot }
            memberships.push({ ...held, stripeSubscriptionId: null })
          }
        }
      }
    }
  }
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('account').values(accounts).execute()
    for (const held of memberships) await insertCurrentMembership(tx, held, now)
  })
  const page = { now, graceMs, order: 'name', descending: false } as const
  const rows = await findMemberRows(db, ALL_MEMBERS, page)
  const differing = rows.filter(({ id, state }) => expected.get(id) !== state)
  expect(differing).toEqual([])
  expect(rows.filter(({ id, endsAt }) => ends.get(id) !== endsAt)).toEqual([])
  expect(new Set(rows.map(({ state }) => state)).size).toBe(5)
  expect(rows).toHaveLength(expected.size)
})

test('search terms are matched literally, including SQL wildcards', async () => {
  const db = database()
  const person = { passwordHash: '', createdAt: now }
  await createAccount(
    db,
    { ...person, id: 'p1', username: 'per_cent', email: 'x1@example.net', firstName: 'Per', lastName: '100%' },
    now,
  )
  await createAccount(
    db,
    { ...person, id: 'p2', username: 'percent', email: 'x2@example.net', firstName: "O'Neil", lastName: 'Van\\Dyk' },
    now,
  )
  const found = async (...words: string[]) =>
    (
      await findMemberRows(
        db,
        { ...ALL_MEMBERS, searchTerms: words },
        { now, graceMs, order: 'name', descending: false, limit: 50 },
      )
    ).map(({ id }) => id)
  expect(await found('100%')).toEqual(['p1'])
  expect(await found('per_')).toEqual(['p1'])
  expect(await found("o'neil", 'EXAMPLE.net')).toEqual(['p2'])
  expect(await found('van\\d')).toEqual(['p2'])
  expect(await found('per', '%%')).toEqual([])
})

test('search ignores accents and case, and follows name changes', async () => {
  const db = database()
  const person = { passwordHash: '', createdAt: now }
  const make = (id: string, firstName: string, lastName: string) =>
    createAccount(db, { ...person, id, username: `user-${id}`, email: `${id}@example.net`, firstName, lastName }, now)
  await make('s1', 'Kavítha', 'Sen-Ravi')
  await make('s2', 'Kavitha', 'ØSTERGAARD')
  const found = async (...words: string[]) => {
    const page = { now, graceMs, order: 'name', descending: false, limit: 50 } as const
    const rows = await findMemberRows(db, { ...ALL_MEMBERS, searchTerms: words }, page)
    expect(await countMemberRows(db, { ...ALL_MEMBERS, searchTerms: words }, { now, graceMs })).toBe(rows.length)
    return rows.map(({ id }) => id).sort()
  }
  expect(await found('kavitha')).toEqual(['s1', 's2'])
  expect(await found('KAVÍTHA', 'sen-ravi')).toEqual(['s1'])
  expect(await found('ostergaard')).toEqual(['s2'])
  expect(await found('avit', 'RAVI')).toEqual(['s1'])
  await db.updateTable('account').set({ lastName: 'Iyer' }).where('id', '=', 's1').execute()
  expect(await found('sen-ravi')).toEqual([])
  expect(await found('iyer')).toEqual(['s1'])
  expect((await suggestMembers(db, 'Kavita Iyerr')).map(({ id }) => id)).toEqual(['s1'])
  expect(await suggestMembers(db, 'zzz')).toEqual([])
})
