import { expect, test } from 'vitest'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { insertDecision, undoDecision } from '#server/features/person-state/person-state.commands.ts'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { listEntitled } from './roll-day.queries.ts'
import { findRollByKey, insertEntries, insertRoll, listEntries } from './roll.repository.ts'

const database = useTestDatabase()
const DAY = 86_400_000
const YEAR = 365 * DAY
/** The end of the record day. */
const AT = NOW - 1
const RULE = { levels: ['life', 'annual'], graceDays: 0, includesLost: true }

async function member(
  db: Db,
  id: string,
  spans: { startedAt: number; endsAt: number | null; endedAt?: number; levelKey?: string }[],
) {
  const names = { username: id, email: `${id}@example.com`, firstName: id, lastName: 'Rao' }
  await createAccount(db, { ...names, id, passwordHash: '', isOfficer: false, createdAt: 1 }, 1)
  for (const [
    index,
    { startedAt, endsAt, endedAt = null, levelKey = endsAt === null ? 'life' : 'annual' },
  ] of spans.entries())
    await db
      .insertInto('membership')
      .values({
        id: `${id}-${index}`,
        accountId: id,
        levelKey,
        kind: endsAt === null ? 'ONE_TIME' : 'RECURRING',
        startedAt,
        endsAt,
        endedAt,
        stripeSubscriptionId: null,
        stripeStatus: null,
        cancelAtPeriodEnd: 0,
        pastDueSince: null,
        nextAttemptAt: null,
        gaveUpAt: null,
        renewalAmount: null,
        isCurrent: index === spans.length - 1 ? 1 : null,
        updatedAt: 1,
      })
      .execute()
}

const idsOf = async (rule = RULE) =>
  (await listEntitled(database(), { at: AT, rule, graceMs: 0 })).map(({ accountId }) => accountId).toSorted()

test('the list of a past day is the same after everyone has lapsed, renewed, left, died or come back', async () => {
  const db = database()
  await member(db, 'for-life', [{ startedAt: 1, endsAt: null }])
  await member(db, 'lapsed-on-the-next-day', [{ startedAt: 1, endsAt: NOW + DAY / 2 }])
  await member(db, 'lapsed-before', [{ startedAt: 1, endsAt: NOW - DAY }])
  await member(db, 'joined-on-the-next-day', [{ startedAt: NOW + 1, endsAt: NOW + YEAR }])
  await member(db, 'of-another-level', [{ startedAt: 1, endsAt: NOW + YEAR, levelKey: 'associate' }])
  await member(db, 'deleted-later', [{ startedAt: 1, endsAt: NOW + YEAR }])
  await member(db, 'disabled-then', [{ startedAt: 1, endsAt: null }])
  const disabled = { actor: 'officer', action: 'account.disabled', subjectId: 'disabled-then' } as const
  await writeAudit(db, disabled, NOW - DAY)
  const expected = ['deleted-later', 'for-life', 'lapsed-on-the-next-day']
  expect(await idsOf()).toEqual(expected)
  expect(await idsOf({ ...RULE, graceDays: 60 })).toEqual([...expected, 'lapsed-before'].toSorted())

  // A year later.
  await db
    .updateTable('membership')
    .set({ endedAt: NOW + YEAR, isCurrent: null })
    .where('accountId', '=', 'lapsed-on-the-next-day')
    .execute()
  await db.updateTable('account').set({ deactivatedBy: 'self' }).where('id', '=', 'deleted-later').execute()
  await writeAudit(db, { actor: 'deleted-later', action: 'account.deleted', subjectId: 'deleted-later' }, NOW + DAY)
  await db.updateTable('account').set({ deactivatedBy: 'deceased' }).where('id', '=', 'for-life').execute()
  await writeAudit(db, { actor: 'officer', action: 'person.deceased', subjectId: 'for-life' }, NOW + 2 * DAY)
  await writeAudit(db, { ...disabled, action: 'account.enabled' }, NOW + DAY)
  expect(await idsOf()).toEqual(expected)
})

test('who came back after a lapse, on a day between: not on it', async () => {
  await member(database(), 'back', [
    { startedAt: 1, endsAt: NOW - 10 * DAY, endedAt: NOW + 10 * DAY },
    { startedAt: NOW + 10 * DAY, endsAt: NOW + YEAR },
  ])
  expect(await idsOf()).toEqual([])
})

test('who changed to a level without the right is not on it for the time after the former term', async () => {
  await member(database(), 'changed', [
    { startedAt: 1, endsAt: NOW - 10 * DAY, endedAt: NOW - 10 * DAY },
    { startedAt: NOW - 10 * DAY, endsAt: NOW + YEAR, levelKey: 'associate' },
  ])
  expect(await idsOf({ ...RULE, graceDays: 60 })).toEqual([])
})

test('contact lost on that day counts by the rule, whatever was found since', async () => {
  const db = database()
  await member(db, 'lost', [{ startedAt: 1, endsAt: null }])
  const decision = { id: 's1', accountId: 'lost', state: 'lost' as const, since: '2030-01-01', sources: ['Silent'] }
  const rest = { decidedBy: 'officer', decidedAt: NOW - DAY, endedRenewal: 0, endedNewsletter: null }
  await insertDecision(db, { ...decision, ...rest })
  await undoDecision(db, 'lost', { undoneBy: 'lost', now: NOW + DAY })
  expect(await idsOf()).toEqual(['lost'])
  expect(await idsOf({ ...RULE, includesLost: false })).toEqual([])
})

test('two officers who freeze at the same time make one roll, with each person once', async () => {
  const db = database()
  await member(db, 'for-life', [{ startedAt: 1, endsAt: null }])
  const freeze = (id: string) =>
    db.transaction().execute(async (tx) => {
      const roll = { id, name: id, recordDay: '2030-06-14', rule: RULE, ruleKey: 'the same' }
      const isFirst = await insertRoll(tx, { ...roll, frozenAt: NOW, frozenBy: id, objectionsUntil: '2030-07-01' })
      if (!isFirst) return (await findRollByKey(tx, 'the same'))?.id
      const [one] = await listEntitled(tx, { at: AT, rule: RULE, graceMs: 0 })
      const entry = { accountId: one?.accountId ?? '', firstName: 'Ana', lastName: 'Rao', level: 'Life' }
      await insertEntries(tx, id, [{ ...entry, way: 'email', address: '' }], { now: NOW, addedBy: null })
      return id
    })
  const [first, second] = await Promise.all([freeze('ana'), freeze('ben')])
  expect(first).toBe(second)
  expect(await db.selectFrom('roll').select('id').execute()).toEqual([{ id: first }])
  expect(await listEntries(db, first ?? '', { page: null, withRemoved: true })).toHaveLength(1)
})
