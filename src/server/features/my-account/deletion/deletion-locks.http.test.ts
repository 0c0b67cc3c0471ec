import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newOfficer } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { lockPresidents } from '#server/features/officers/officer.commands.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { finishDeletion } from '../account.effects.ts'

const app = useTestApp()

async function untilWaiting(): Promise<void> {
  const waiting = sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'update "officer_term"%'`
  while (Number((await waiting.execute(app().database.db)).rows[0]?.count) === 0) await sleep(20)
}

// SQLite runs transactions one at a time.
test.runIf(process.env['TEST_ENGINE'] === 'postgres')(
  'the account of a president is deleted while another officer approves something about it',
  async () => {
    await newOfficer(app(), ['president'])
    const leaving = await newOfficer(app(), ['president'])
    const { db } = app().database
    // The deletion has started; a worker completes it.
    const intent = { askedAt: app().now(), ending: 'self', askedBy: null, approvedBy: null, reason: null } as const
    await db
      .insertInto('accountDeletion')
      .values({ id: 'intent', accountId: leaving.accountId, ...intent })
      .execute()
    const [isHeld, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const approval = db.transaction().execute(async (tx) => {
      await lockPresidents(tx)
      isHeld.resolve()
      await goOn.promise
      await lockAccount(tx, leaving.accountId)
    })
    await isHeld.promise
    await addToOutbox(db, { effect: finishDeletion, payload: { deletionId: 'intent' } }, app().now())
    const deletion = app().drain()
    await untilWaiting()
    goOn.resolve()
    await approval
    await deletion
    const [{ attempts } = { attempts: 0 }] = await db
      .selectFrom('outbox')
      .select('attempts')
      .where('kind', '=', 'account.finish_deletion')
      .execute()
    expect(attempts).toBe(1)
    expect(await db.selectFrom('accountDeletion').selectAll().execute()).toEqual([])
  },
)
