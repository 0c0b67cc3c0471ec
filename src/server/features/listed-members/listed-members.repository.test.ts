import { sql, type Updateable } from 'kysely'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Db } from '#server/db/database.ts'
import type { CredentialTable, MembershipTable } from '#server/db/schema/membership-schema.ts'
import { createAccount } from '#server/features/accounts/account.commands.ts'
import { insertCredential } from '#server/features/credentials/credential.commands.ts'
import { insertCurrentMembership } from '#server/features/memberships/membership.commands.ts'
import { BY_HAND } from '#server/features/memberships/membership.rules.ts'
import type { StatusContext } from '#server/features/memberships/membership-state.queries.ts'
import { newId } from '#server/lib/ids.ts'
import { testEngine } from '#tests/support/test-database.ts'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { Random } from '#tests/trust/random.ts'
import { membersNow, refreshListedMembers } from './listed-members.queries.ts'
import { ALL_MEMBERS, countMemberRows } from '#server/features/member-admin/member-list.queries.ts'

const database = useTestDatabase()
const DAY = 86_400_000
const NOW = Date.parse('2026-06-01T12:00:00Z')
const MEMBERS = 30
const STEPS = 600
/** Those whose members may still be tried are there more often: their dates count only then. */
const STRIPE_STATUSES = [null, 'active', 'past_due', 'past_due', 'unpaid', 'unpaid', 'canceled', 'incomplete']

/** What lists read, and what they ought to read. */
async function storedAndExpected(db: Db, moment: StatusContext) {
  await refreshListedMembers(db, moment)
  const read = async (from: ReturnType<typeof membersNow>) => {
    const rows = await db.selectFrom(from.as('listed')).selectAll().orderBy('accountId').execute()
    // The kept row may hold longer than it knows: only what it says is compared.
    return rows.map((row) => ({ ...row, holdsUntil: null, graceMs: null }))
  }
  return { stored: await read(sql`listed_member`), expected: await read(membersNow(moment)) }
}

test('the stored list is the same as the list worked out from the tables, after any changes and at any time', async () => {
  const db = database()
  const random = new Random(9)
  const below = (limit: number) => random.between(0, limit - 1)
  let now = NOW
  let graceMs = 14 * DAY
  for (let number = 0; number < MEMBERS; number++) await addMember(db, number, now)
  const id = () => `p${below(MEMBERS)}`
  const soon = () => now + (below(60) - 30) * DAY
  const maybe = (value: number) => (below(2) === 0 ? null : value)
  // One column at a time: a trigger may watch all but one.
  const columns: (() => Updateable<MembershipTable>)[] = [
    () => ({ endsAt: maybe(soon()) }),
    () => ({ stripeStatus: random.pick(STRIPE_STATUSES) }),
    () => ({ cancelAtPeriodEnd: below(2) }),
    () => ({ pastDueSince: below(4) === 0 ? null : now - below(60) * DAY }),
    () => ({ nextAttemptAt: maybe(soon()) }),
    () => ({ gaveUpAt: maybe(soon()) }),
    () => ({ endedAt: below(4) === 0 ? soon() : null }),
    () => ({ levelKey: random.pick(['annual_member', 'resident_fellow']) }),
    () => ({ renewalAmount: maybe(below(900)) }),
    () => ({ startedAt: soon() }),
    () => ({ kind: random.pick(['ONE_TIME', 'RECURRING', 'RECURRING']) }),
  ]
  const credentialColumns: (() => Updateable<CredentialTable>)[] = [
    () => ({ endsOn: random.pick([null, '2026-05-31', '2026-07-31']) }),
    () => ({ decidedAt: maybe(soon()) }),
    () => ({ countedFrom: maybe(soon()) }),
    () => ({ askedAt: below(4) === 0 ? null : soon() }),
    () => ({ answeredAt: maybe(soon()) }),
  ]
  const changes: (() => Promise<unknown>)[] = [
    () =>
      db
        .updateTable('account')
        .set({ lastName: `Name ${below(9)}` })
        .where('id', '=', id())
        .execute(),
    () =>
      db
        .updateTable('account')
        .set({ deactivatedBy: random.pick([null, 'self', 'officer', 'deceased'] as const) })
        .where('id', '=', id())
        .execute(),
    () =>
      db
        .updateTable('account')
        .set({ firstName: `Given ${below(9)}` })
        .where('id', '=', id())
        .execute(),
    () => db.updateTable('account').set({ createdAt: soon() }).where('id', '=', id()).execute(),
    async () => {
      const given = await db.selectFrom('credential').select('id').orderBy('id').execute()
      if (given.length === 0) return
      const one = random.pick(given).id
      await db.updateTable('credential').set({ givenAt: soon() }).where('id', '=', one).execute()
    },
    ...credentialColumns.map(
      (column) => () => db.updateTable('credential').set(column()).where('accountId', '=', id()).execute(),
    ),
    () => db.updateTable('payment').set({ paidAt: soon() }).where('accountId', '=', id()).execute(),
    ...columns.map(
      (column) => () => db.updateTable('membership').set(column()).where('accountId', '=', id()).execute(),
    ),
    () =>
      db
        .updateTable('membership')
        .set({ isCurrent: random.pick([null, 1, 1]) })
        .where('accountId', '=', id())
        .execute(),
    () => db.deleteFrom('membership').where('accountId', '=', id()).execute(),
    async () => {
      const accountId = id()
      const held = await db.selectFrom('membership').select('id').where('accountId', '=', accountId).execute()
      if (held.length === 0) await addMembership(db, accountId, now)
    },
    async () => {
      const [from, to] = [id(), id()]
      const held = await db.selectFrom('membership').select('id').where('accountId', '=', to).execute()
      if (held.length === 0)
        await db.updateTable('membership').set({ accountId: to }).where('accountId', '=', from).execute()
    },
    async () => {
      const given = { kind: 'licence', npi: '1', licenceState: 'GA', place: null, endsOn: null }
      await insertCredential(db, id(), given, now - below(9) * DAY)
    },
    () =>
      db
        .updateTable('credential')
        .set({ status: random.pick(['waiting', 'approved', 'declined']) })
        .where('accountId', '=', id())
        .execute(),
    () => db.updateTable('credential').set({ accountId: id() }).where('accountId', '=', id()).execute(),
    () => db.deleteFrom('credential').where('accountId', '=', id()).execute(),
    () => addPayment(db, id(), now - below(90) * DAY),
    () =>
      db
        .updateTable('payment')
        .set({ voidedAt: maybe(now) })
        .where('accountId', '=', id())
        .execute(),
    () => db.updateTable('payment').set({ accountId: id() }).where('accountId', '=', id()).execute(),
    () => db.deleteFrom('payment').where('accountId', '=', id()).execute(),
    async () => void (now += below(9) * DAY),
    async () => void (graceMs = random.pick([0, 7, 14, 30]) * DAY),
  ]
  const states = new Set<string>()
  for (let step = 0; step < STEPS; step++) {
    for (let more = below(4); more >= 0; more--) await random.pick(changes)()
    const { stored, expected } = await storedAndExpected(db, { now, graceMs })
    expect(stored, `step ${step}`).toEqual(expected)
    for (const { state } of stored) states.add(state)
  }
  expect([...states].sort()).toEqual([
    'ACTIVE',
    'CANCELED',
    'DECEASED',
    'DISABLED',
    'EXPIRED',
    'INCOMPLETE',
    'LEFT',
    'NONE',
    'PAST_DUE',
  ])
})

test('a member whose account is deleted leaves the list', async () => {
  const db = database()
  await addMember(db, 1, NOW)
  await db.deleteFrom('membership').execute()
  await db.deleteFrom('loginName').execute()
  await db.deleteFrom('account').where('id', '=', 'p1').execute()
  expect(await db.selectFrom('listedMember').selectAll().execute()).toEqual([])
})

test('a transaction lists what it has changed itself, and leaves the stored list to others', async () => {
  const db = database()
  await addMember(db, 1, NOW)
  const moment = { now: NOW, graceMs: 0 }
  const disabled = { ...ALL_MEMBERS, states: ['DISABLED' as const] }
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('account').set({ deactivatedBy: 'officer' }).execute()
    expect(await countMemberRows(tx, disabled, moment)).toBe(1)
    await expect(refreshListedMembers(tx, moment)).rejects.toThrow('A transaction works out')
  })
  expect(await countMemberRows(db, disabled, moment)).toBe(1)
})

// SQLite has one writer at a time.
test.runIf(testEngine === 'postgres')(
  'a change that commits during a refresh makes the member out of date again',
  async () => {
    const db = database()
    const moment = { now: NOW, graceMs: 0 }
    await addMember(db, 1, NOW)
    const change = await db.startTransaction().execute()
    await change.updateTable('membership').set({ levelKey: 'resident_fellow' }).execute()
    const refreshed = refreshListedMembers(db, moment)
    await wait(100)
    await change.commit().execute()
    await refreshed
    const { stored, expected } = await storedAndExpected(db, moment)
    expect(stored).toEqual(expected)
    expect(stored[0]?.levelKey).toBe('resident_fellow')
  },
)

async function addMember(db: Db, number: number, now: number): Promise<void> {
  const id = `p${number}`
  const person = { passwordHash: '', createdAt: now, firstName: 'First', lastName: `Last ${number}` }
  await createAccount(db, { ...person, id, username: id, email: `${id}@example.net` }, now)
  await addMembership(db, id, now)
}

async function addMembership(db: Db, accountId: string, now: number): Promise<void> {
  await insertCurrentMembership(
    db,
    {
      ...BY_HAND,
      id: newId(now),
      accountId,
      levelKey: 'annual_member',
      kind: 'RECURRING',
      startedAt: now,
      endsAt: now + 30 * DAY,
      stripeSubscriptionId: null,
    },
    now,
  )
}

let payments = 0

async function addPayment(db: Db, accountId: string, paidAt: number): Promise<void> {
  const number = ++payments
  await db
    .insertInto('payment')
    .values({
      id: `payment-${number}`,
      accountId,
      reference: `in_${number}`,
      receiptNumber: `R-${number}`,
      levelKey: 'annual_member',
      amount: 100,
      currency: 'usd',
      purpose: 'renewal',
      paidAt,
      recordedAt: paidAt,
      amountRefunded: 0,
      discount: 0,
      refundAsked: 0,
    })
    .execute()
}
