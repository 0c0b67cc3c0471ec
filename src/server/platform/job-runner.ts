import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Clock } from './clock.ts'
import type { Log } from './logger.ts'

/** Work that comes round again, done by one process at a time. */
export interface Job {
  name: string
  everyMs: number
  /** Nobody else begins so long, for work that takes more than five minutes. */
  leaseMs?: number
  /** The first turn ever is now and not after `everyMs`. */
  startsAtOnce?: boolean
  run(): Promise<void>
}

export interface JobRunner {
  /** Runs every job that is due now; for tests. */
  runDue(): Promise<void>
  stop(): Promise<void>
}

const POLL_MS = 500
const LEASE_MS = 5 * 60_000

/** Runs jobs when they are due. Instances share the table: a lease gives each turn to one of them. */
export async function startJobRunner({
  db,
  clock,
  log,
  jobs,
  polling = true,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  jobs: Job[]
  polling?: boolean
}): Promise<JobRunner> {
  for (const { name, everyMs, startsAtOnce = false } of jobs) {
    const dueAt = clock.now() + (startsAtOnce ? 0 : everyMs)
    await db
      .insertInto('job')
      .values({ name, due_at: dueAt, leased_until: null, last_done_at: null, last_error: null })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  }
  let stopped = false
  let running: Promise<void> | null = null

  async function runDue(): Promise<void> {
    const now = clock.now()
    const due = await db.selectFrom('job').select('name').where('due_at', '<=', now).execute()
    for (const job of jobs.filter(({ name }) => due.some((row) => row.name === name))) {
      if (stopped || !(await claim(job, now))) continue
      const failure = await job.run().then(
        () => null,
        (error: unknown) => String((error as Error).message ?? error).slice(0, 200),
      )
      if (failure) log.error({ job: job.name, reason: failure }, 'job failed')
      await db
        .updateTable('job')
        .set({
          due_at: clock.now() + job.everyMs,
          leased_until: null,
          last_error: failure,
          last_done_at: failure ? sql`last_done_at` : clock.now(),
        })
        .where('name', '=', job.name)
        .execute()
    }
  }

  async function claim({ name, leaseMs = LEASE_MS }: Job, now: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('job')
      .set({ leased_until: now + leaseMs })
      .where('name', '=', name)
      .where('due_at', '<=', now)
      .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now)]))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  function turn(): Promise<void> {
    running ??= runDue()
      .catch((error: unknown) => log.warn({ reason: String((error as Error).message).slice(0, 200) }, 'jobs not read'))
      .finally(() => {
        running = null
      })
    return running
  }

  const timer = polling ? setInterval(() => void turn(), POLL_MS) : null
  timer?.unref()
  return {
    runDue: turn,
    async stop() {
      stopped = true
      if (timer) clearInterval(timer)
      await running
    },
  }
}
