import { expect, test } from 'vitest'
import { MEMBER_SORTS } from '#contract/console/member-list.ts'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { insertCredential } from '#server/features/credentials/credential.commands.ts'
import { insertCurrentMembership } from '#server/features/memberships/membership.commands.ts'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { groupMembers } from './member-counts.repository.ts'
import { countMatching } from './member-counts.rules.ts'
import { memberFilter } from './member-filter.rules.ts'
import { ALL_MEMBERS, countMemberRows } from './member-list.queries.ts'
import { findMemberIds } from './member-list.repository.ts'
import { BY_HAND } from '#server/features/memberships/membership.rules.ts'

const database = useTestDatabase()
const DAY = 86_400_000
const now = Date.parse('2026-06-01T12:00:00Z')
const moment = { now, graceMs: 14 * DAY }

/** Members that differ in level, end, renewal and credentials. */
async function fill(): Promise<void> {
  const db = database()
  for (let number = 0; number < 24; number++) {
    const id = `m${number}`
    const names = { firstName: `A${number % 5}`, lastName: `B${number % 7}` }
    await createAccount(
      db,
      { id, username: id, email: `${id}@example.com`, passwordHash: '', createdAt: now, ...names },
      now,
    )
    if (number % 6 !== 0) {
      const isForLife = number % 4 === 0
      const isByCard = !isForLife && number % 3 === 0
      await insertCurrentMembership(
        db,
        {
          id,
          accountId: id,
          levelKey: isForLife ? 'life_member' : 'annual_member',
          kind: isForLife ? 'ONE_TIME' : 'RECURRING',
          startedAt: now - 100 * DAY,
          endsAt: isForLife ? null : now + (number - 6) * 5 * DAY,
          ...BY_HAND,
          stripeSubscriptionId: isByCard ? id : null,
          stripeStatus: isByCard ? 'active' : null,
          cancelAtPeriodEnd: number % 5 === 0,
        },
        now,
      )
    }
    if (number % 3 !== 0) {
      const given = { kind: 'licence', npi: '1234567893', licenceState: 'GA', place: null, endsOn: null } as const
      await insertCredential(db, id, given, now - DAY)
      await insertCredential(db, id, given, now)
    }
  }
}

test('groups count the same members as the list, for every filter', async () => {
  await fill()
  const db = database()
  const groups = await groupMembers(db, ALL_MEMBERS, { ...moment, days: [30, 60] })
  const filters = [
    {},
    { status: 'ACTIVE' },
    { status: 'EXPIRED,NONE' },
    { level: 'life_member' },
    { renewal: 'manual' },
    { renewal: 'card,ends,never' },
    { credentials: 'waiting' },
    { credentials: 'none' },
    { credentials: 'none,waiting' },
    { ending: '30' },
    { status: 'ACTIVE', renewal: 'manual', credentials: 'waiting', ending: '60' },
  ]
  for (const filter of filters) {
    const listed = await countMemberRows(
      db,
      memberFilter(filter, { now, timeZone: 'America/New_York', recordFields: [] }),
      moment,
    )
    expect([filter, countMatching(groups, filter)]).toEqual([filter, listed])
  }
})

test('each order lists every member once, in both directions and across pages', async () => {
  await fill()
  const db = database()
  for (const order of MEMBER_SORTS) {
    for (const descending of [false, true]) {
      const pages = [0, 10, 20].map((offset) =>
        findMemberIds(db, ALL_MEMBERS, { ...moment, order, descending, limit: 10, offset }),
      )
      const ids = (await Promise.all(pages)).flat()
      expect([order, new Set(ids).size, ids.length]).toEqual([order, 24, 24])
    }
  }
})
