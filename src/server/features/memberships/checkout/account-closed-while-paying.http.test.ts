import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { testEngine } from '#tests/support/test-database.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const { join, pass, rowsOf } = membershipLife(app)

/** Closes an account like a deletion, and commits once another transaction waits for it. */
async function closeWhileAnotherWaits(accountId: string, other: () => Promise<unknown>): Promise<void> {
  const { db } = app().database
  const { waiting } = await db.transaction().execute(async (tx) => {
    await lockAccount(tx, accountId)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    const waiting = other()
    const count = async () =>
      (await sql`select 1 from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`.execute(db)).rows
        .length
    await expect.poll(count, { timeout: 10_000 }).toBeGreaterThan(0)
    await tx.updateTable('account').set({ deactivatedBy: 'self' }).where('id', '=', accountId).execute()
    // Wrapped in an object, since returning the promise would make the transaction await it.
    return { waiting }
  })
  await waiting
}

// SQLite has one writer at a time, so this interleaving cannot occur.
test.runIf(testEngine === 'postgres')('a payment made while its account is being closed is refunded', async () => {
  const member = await join({ levelKey: 'medical_student' })
  await pass(370)
  const browser = app().browser()
  await browser.logIn(member.email)
  const { body } = await browser.post('/api/stripe/checkout/start', { levelKey: 'annual_member' })
  await app().standins.control({ webhooks: 'drop' })
  const success = await app()
    .browser()
    .pay(body.sessionUrl as string)
  const { id } = await rowsOf(member)
  await closeWhileAnotherWaits(id, () => app().browser().verifySession(success))
  await app().drain()
  const { memberships, payments } = await rowsOf(member)
  expect([memberships.map(({ levelKey }) => levelKey), payments]).toEqual([['medical_student'], []])
  const live = app()
    .standins.stripe.subscriptions()
    .filter(({ status }) => status !== 'canceled')
  expect(live).toEqual([])
})
