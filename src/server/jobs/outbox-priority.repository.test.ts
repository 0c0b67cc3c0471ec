import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { engineOf } from '../db/database.ts'
import { createHolder, freeLeasesOfPredecessor } from './holder.ts'
import { startOutbox, type EffectHandler } from './outbox-worker.ts'
import { addToOutbox, claimEffects, isEmailDue, markEffectsDone, renewLeases } from './outbox.repository.ts'
import { PRIORITIES } from './effect-priorities.ts'
import { createShares } from './shares.ts'

const db = useTestDatabase()
const LEASE_MS = 120_000
const MANY = 10_000
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: () => NOW + 1_000, close() {} }

function claim(places = createShares([16, 14, 12, 8]), holder = 'one') {
  return claimEffects(db(), { lane: 'letters', places, leaseMs: LEASE_MS, holder, now: NOW + 1_000 })
}

async function invite(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `bulk-${String(index).padStart(6, '0')}`,
    kind: 'letter.invitation',
    payload: '{}',
    created_at: NOW,
    due_at: NOW,
    lane: 'letters' as const,
    priority: PRIORITIES.bulk,
    attempts: 0,
  }))
  for (let from = 0; from < rows.length; from += 1_000)
    await db()
      .insertInto('outbox')
      .values(rows.slice(from, from + 1_000))
      .execute()
}

test('the most urgent effects are taken first, whenever they were queued', async () => {
  await invite(20)
  await addToOutbox(db(), { kind: 'letter.membership_notice', payload: {} }, NOW + 10)
  await addToOutbox(db(), { kind: 'letter.receipt', payload: {} }, NOW + 20)
  await addToOutbox(db(), { kind: 'letter.password_reset', payload: {} }, NOW + 30)
  const kinds = (await claim()).map(({ kind }) => kind)
  expect(kinds.slice(0, 3)).toEqual(['letter.password_reset', 'letter.receipt', 'letter.membership_notice'])
})

test('bulk email is given half the places at most, and what is urgent then still finds one', async () => {
  await invite(40)
  const places = createShares([16, 14, 12, 8])
  expect(await claim(places)).toHaveLength(8)
  expect(await claim(places)).toEqual([])
  await addToOutbox(db(), { kind: 'letter.password_reset', payload: {} }, NOW + 30)
  expect((await claim(places)).map(({ kind }) => kind)).toEqual(['letter.password_reset'])
})

test('while bulk email is stuck at the mail server, a password reset is sent', async () => {
  await invite(40)
  const sent: string[] = []
  let finish = () => {}
  const stuck = new Promise<void>((resolve) => (finish = resolve))
  const handlers: Record<string, EffectHandler> = {
    'letter.invitation': () => stuck,
    'letter.password_reset': async () => void sent.push('reset'),
  }
  const outbox = startOutbox({ db: db(), clock, log: quiet, handlers, polling: false, onDead: async () => {} })
  outbox.wake()
  await expect
    .poll(async () => (await db().selectFrom('outbox').select('id').where('attempts', '>', 0).execute()).length)
    .toBe(8)
  await addToOutbox(db(), { kind: 'letter.password_reset', payload: {} }, NOW)
  outbox.wake()
  await expect.poll(() => sent).toEqual(['reset'])
  finish()
  await outbox.stop()
})

test(`with ${MANY} emails waiting, claims read only what they take`, async () => {
  await invite(MANY)
  await sql`analyze`.execute(db())
  const query = db()
    .selectFrom('outbox')
    .select(['id', 'priority'])
    .where('lane', '=', 'letters')
    .where('done_at', 'is', null)
    .where('dead_at', 'is', null)
    .where('due_at', '<=', NOW + 1_000)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', NOW + 1_000)]))
    .orderBy('priority')
    .orderBy('due_at')
    .limit(16)
  const isSqlite = engineOf(db()) === 'sqlite'
  const plan = JSON.stringify(await query.explain(undefined, isSqlite ? sql`query plan` : undefined))
  expect(plan).toContain('outbox_waiting')
  expect(plan).not.toMatch(/\bSort\b|TEMP B-TREE|\bSeq Scan\b|SCAN outbox/)
})

test('a newsletter lets pass what one person waits for, and nothing else', async () => {
  const isDue = () => isEmailDue(db(), PRIORITIES.personal, NOW + 1_000)
  await invite(1)
  await addToOutbox(db(), { kind: 'letter.membership_notice', payload: {} }, NOW)
  await addToOutbox(db(), { kind: 'stripe.payment', payload: {} }, NOW)
  await addToOutbox(db(), { kind: 'letter.receipt', payload: {}, dueAt: NOW + 60_000 }, NOW)
  expect(await isDue()).toBe(false)
  await addToOutbox(db(), { kind: 'letter.receipt', payload: {} }, NOW)
  expect(await isDue()).toBe(true)
  // Also while it is just being sent.
  const claimed = await claim()
  expect(await isDue()).toBe(true)
  await markEffectsDone(
    db(),
    claimed.map(({ id }) => id),
    NOW,
  )
  expect(await isDue()).toBe(false)
})

test('what a killed process held is free for the next process of the same instance', async () => {
  await invite(3)
  const killed = createHolder('folder:3000')
  await claim(undefined, killed.id)
  expect(await claim()).toEqual([])
  expect(await freeLeasesOfPredecessor(db(), createHolder('folder:3000'), 1)).toBe(3)
  expect(await claim()).toHaveLength(3)
})

test.each([
  ['another port of the same data folder', 'folder:3001'],
  ['a port that begins alike', 'folder:300'],
  ['another data folder', 'fold:3000'],
])('%s frees nothing of a live instance', async (_, name) => {
  await invite(3)
  await claim(undefined, createHolder('folder:3000').id)
  expect(await freeLeasesOfPredecessor(db(), createHolder(name), 1)).toBe(0)
  expect(await freeLeasesOfPredecessor(db(), createHolder(), 1)).toBe(0)
  expect(await claim()).toEqual([])
})

test('a process that lives and renews its leases keeps them, also from one of the same name', async () => {
  await invite(3)
  const alive = createHolder('folder:3000')
  const ids = (await claim(undefined, alive.id)).map(({ id }) => id)
  const taking = freeLeasesOfPredecessor(db(), createHolder('folder:3000'), 300)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const leasedUntil = NOW + 1_000 + LEASE_MS + 1
  await renewLeases(db(), ids, { leasedUntil, holder: alive.id })
  expect(await taking).toBe(0)
  expect(await claim()).toEqual([])
})

test('a lease that another process took over is not renewed by the one that lost it', async () => {
  await invite(1)
  const [effect] = await claim(undefined, 'slow')
  await db().updateTable('outbox').set({ leased_by: 'quick', leased_until: NOW }).execute()
  await renewLeases(db(), [effect?.id ?? ''], { leasedUntil: NOW + LEASE_MS, holder: 'slow' })
  const row = await db().selectFrom('outbox').select('leased_until').executeTakeFirstOrThrow()
  expect(row.leased_until).toBe(NOW)
})
