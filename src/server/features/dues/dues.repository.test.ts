import { expect, test } from 'vitest'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { insertCurrentMembership } from '#server/features/memberships/membership.commands.ts'
import { hasRights, membershipStatus } from '#server/features/memberships/membership.rules.ts'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { countHolders, listLevelMembers } from './dues.repository.ts'
import { renewalKind } from './dues.rules.ts'

const database = useTestDatabase()
const DAY = 86_400_000
const now = Date.parse('2026-06-01T12:00:00Z')
const moment = { now, graceMs: 14 * DAY }
const STATES = [null, 'active', 'past_due', 'canceled', 'incomplete'] as const

/** Members of each state of a subscription, canceled or not, ending before or after now, at two prices; some are disabled. */
async function fill(): Promise<void> {
  const db = database()
  for (let number = 0; number < 60; number++) {
    const id = `m${number}`
    const person = { id, username: id, email: `${id}@example.com`, passwordHash: '', firstName: 'A', lastName: 'B' }
    await createAccount(db, { ...person, createdAt: now }, now)
    const stripeStatus = STATES[number % STATES.length] ?? null
    await insertCurrentMembership(
      db,
      {
        id,
        accountId: id,
        levelKey: number % 7 === 0 ? 'student_member' : 'annual_member',
        kind: number % 11 === 0 ? 'ONE_TIME' : 'RECURRING',
        startedAt: now - 100 * DAY,
        endsAt: now + (number - 30) * 5 * DAY,
        stripeSubscriptionId: stripeStatus && id,
        stripeStatus,
        cancelAtPeriodEnd: number % 4 === 0,
        pastDueSince: stripeStatus === 'past_due' ? now - number * DAY : null,
        nextAttemptAt: null,
        gaveUpAt: null,
        endedAt: number % 13 === 0 ? now - DAY : null,
      },
      now,
    )
    const renewalAmount = number % 3 === 0 ? 9_000 : null
    await db.updateTable('membership').set({ renewalAmount }).where('id', '=', id).execute()
    if (number % 17 === 0)
      await db.updateTable('account').set({ deactivatedBy: 'officer' }).where('id', '=', id).execute()
  }
}

test('holders are counted as the rules for each member say', async () => {
  await fill()
  for (const levelKey of ['annual_member', 'student_member']) {
    const members = (await listLevelMembers(database(), levelKey)).filter((member) =>
      hasRights(membershipStatus(member, now, moment.graceMs)),
    )
    const expected = Map.groupBy(members, (member) => `${renewalKind(member) === 'card'} ${member.renewalAmount}`)
    expect(expected.size).toBeGreaterThan(1)
    const counts = await countHolders(database(), moment, levelKey)
    expect(new Map(counts.map(({ isByCard, amount, count }) => [`${isByCard} ${amount}`, count]))).toEqual(
      new Map([...expected].map(([key, { length }]) => [key, length])),
    )
    const all = await countHolders(database(), moment)
    expect(all.filter((one) => one.levelKey === levelKey)).toEqual(expect.arrayContaining(counts))
  }
})
