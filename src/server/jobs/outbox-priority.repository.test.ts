import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { engineOf } from '#server/db/database.ts'
import { createLeaseOwner, freeLeasesOfPredecessor } from '#server/lib/lease-owner.ts'
import { startOutbox, type EffectHandler } from './outbox-worker.ts'
import { addToOutbox, claimEffects, isEmailDue, markEffectsDone, renewLeases } from './outbox.repository.ts'
import { PRIORITIES } from './effect-priorities.ts'
import { createPrioritySlots } from '#server/lib/priority-slots.ts'
import { testEffect } from '#tests/support/test-effect.ts'
import { sendPasswordReset } from '#server/features/auth/auth.emails.ts'
import { sendMembershipReminder } from '#server/features/memberships/reminders/reminder.emails.ts'
import { sendReceipt } from '#server/features/memberships/membership.emails.ts'

const db = useTestDatabase()
const LEASE_MS = 120_000
const MANY = 10_000
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: () => NOW + 1_000, close() {} }

function claim(slots = createPrioritySlots([16, 14, 12, 8]), holder = 'one') {
  return claimEffects(db(), { lane: 'emails', slots, leaseMs: LEASE_MS, holder, now: NOW + 1_000 })
}

async function invite(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `bulk-${String(index).padStart(6, '0')}`,
    kind: 'email.invitation',
    payload: '{}',
    createdAt: NOW,
    dueAt: NOW,
    lane: 'emails' as const,
    priority: PRIORITIES.bulk,
    attempts: 0,
  }))
  for (let from = 0; from < rows.length; from += 1_000)
    await db()
      .insertInto('outbox')
      .values(rows.slice(from, from + 1_000))
      .execute()
}

test('the most urgent effects are claimed first, whenever they were queued', async () => {
  await invite(20)
  await addToOutbox(db(), { effect: sendMembershipReminder, payload: { reminderId: 'r' } }, NOW + 10)
  await addToOutbox(db(), { effect: sendReceipt, payload: { paymentId: 'p' } }, NOW + 20)
  await addToOutbox(db(), { effect: sendPasswordReset, payload: { tokenId: 't' } }, NOW + 30)
  const kinds = (await claim()).map(({ kind }) => kind)
  expect(kinds.slice(0, 3)).toEqual(['email.password_reset', 'email.receipt', 'email.membership_reminder'])
})

test('bulk email gets at most half of the slots, and an urgent effect still finds one', async () => {
  await invite(40)
  const slots = createPrioritySlots([16, 14, 12, 8])
  expect(await claim(slots)).toHaveLength(8)
  expect(await claim(slots)).toEqual([])
  await addToOutbox(db(), { effect: sendPasswordReset, payload: { tokenId: 't' } }, NOW + 30)
  expect((await claim(slots)).map(({ kind }) => kind)).toEqual(['email.password_reset'])
})

test('while bulk email is stuck at the mail server, a password reset is sent', async () => {
  await invite(40)
  const sent: string[] = []
  let finish = () => {}
  const stuck = new Promise<void>((resolve) => (finish = resolve))
  const handlers: Record<string, EffectHandler> = {
    'email.invitation': () => stuck,
    'email.password_reset': async () => void sent.push('reset'),
  }
  const outbox = startOutbox({ db: db(), clock, log: quiet, handlers, polling: false, onDead: async () => {} })
  outbox.wake()
  await expect
    .poll(async () => (await db().selectFrom('outbox').select('id').where('attempts', '>', 0).execute()).length)
    .toBe(8)
  await addToOutbox(db(), { effect: sendPasswordReset, payload: { tokenId: 't' } }, NOW)
  outbox.wake()
  await expect.poll(() => sent).toEqual(['reset'])
  finish()
  await outbox.stop()
})

test(`with ${MANY} emails waiting, claims read only the rows they take`, async () => {
  await invite(MANY)
  await sql`analyze`.execute(db())
  const query = db()
    .selectFrom('outbox')
    .select(['id', 'priority'])
    .where('lane', '=', 'emails')
    .where('doneAt', 'is', null)
    .where('deadAt', 'is', null)
    .where('dueAt', '<=', NOW + 1_000)
    .where((eb) => eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<=', NOW + 1_000)]))
    .orderBy('priority')
    .orderBy('dueAt')
    .limit(16)
  const isSqlite = engineOf(db()) === 'sqlite'
  const plan = JSON.stringify(await query.explain(undefined, isSqlite ? sql`query plan` : undefined))
  expect(plan).toContain('outbox_waiting')
  expect(plan).not.toMatch(/\bSort\b|TEMP B-TREE|\bSeq Scan\b|SCAN outbox/)
})

test('a newsletter yields to personal email, and to nothing else', async () => {
  const isDue = () => isEmailDue(db(), PRIORITIES.personal, NOW + 1_000)
  await invite(1)
  await addToOutbox(db(), { effect: sendMembershipReminder, payload: { reminderId: 'r' } }, NOW)
  await addToOutbox(db(), { effect: testEffect(), payload: {} }, NOW)
  await addToOutbox(db(), { effect: sendReceipt, payload: { paymentId: 'p' }, dueAt: NOW + 60_000 }, NOW)
  expect(await isDue()).toBe(false)
  await addToOutbox(db(), { effect: sendReceipt, payload: { paymentId: 'p' } }, NOW)
  expect(await isDue()).toBe(true)
  // Also while it is being sent.
  const claimed = await claim()
  expect(await isDue()).toBe(true)
  await markEffectsDone(
    db(),
    claimed.map(({ id }) => id),
    NOW,
  )
  expect(await isDue()).toBe(false)
})

test('leases of a killed process are freed by the next process of the same instance', async () => {
  await invite(3)
  const killed = createLeaseOwner('folder:3000')
  await claim(undefined, killed.id)
  expect(await claim()).toEqual([])
  expect(await freeLeasesOfPredecessor(db(), createLeaseOwner('folder:3000'), 1)).toBe(3)
  expect(await claim()).toHaveLength(3)
})

test.each([
  ['another port with the same data directory', 'folder:3001'],
  ['a port with the same prefix', 'folder:300'],
  ['another data directory', 'fold:3000'],
])('%s frees no lease of a live instance', async (_, name) => {
  await invite(3)
  await claim(undefined, createLeaseOwner('folder:3000').id)
  expect(await freeLeasesOfPredecessor(db(), createLeaseOwner(name), 1)).toBe(0)
  expect(await freeLeasesOfPredecessor(db(), createLeaseOwner(), 1)).toBe(0)
  expect(await claim()).toEqual([])
})

test('a live process that renews its leases keeps them, even from one of the same name', async () => {
  await invite(3)
  const alive = createLeaseOwner('folder:3000')
  const ids = (await claim(undefined, alive.id)).map(({ id }) => id)
  const taking = freeLeasesOfPredecessor(db(), createLeaseOwner('folder:3000'), 300)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const leasedUntil = NOW + 1_000 + LEASE_MS + 1
  await renewLeases(db(), ids, { leasedUntil, holder: alive.id })
  expect(await taking).toBe(0)
  expect(await claim()).toEqual([])
})

test('a lease taken over by another process is not renewed by the former owner', async () => {
  await invite(1)
  const [effect] = await claim(undefined, 'slow')
  await db().updateTable('outbox').set({ leasedBy: 'quick', leasedUntil: NOW }).execute()
  await renewLeases(db(), [effect?.id ?? ''], { leasedUntil: NOW + LEASE_MS, holder: 'slow' })
  const row = await db().selectFrom('outbox').select('leasedUntil').executeTakeFirstOrThrow()
  expect(row.leasedUntil).toBe(NOW)
})
