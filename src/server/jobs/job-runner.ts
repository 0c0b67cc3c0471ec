import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Log } from '#server/lib/logger.ts'

/** A recurring job; one instance runs it at a time. */
export interface Job {
  name: string
  everyMs: number
  /** How long the job is leased to one instance; for work that takes more than five minutes. */
  leaseMs?: number
  /** Runs the first time immediately, not after `everyMs`. */
  runsImmediately?: boolean
  /** Runs concurrently with the other jobs; for work that may take hours. */
  runsConcurrently?: boolean
  run(): Promise<void>
}

export interface JobRunner {
  /** Runs every due job to completion; for tests. */
  runDue(): Promise<void>
  /** Waits for running jobs, concurrent ones included. */
  stop(): Promise<void>
}

const POLL_MS = 500
const LEASE_MS = 5 * 60_000

/** When the job last succeeded; null when it never did. */
export async function findLastSuccess(db: Db, name: string): Promise<number | null> {
  const row = await db.selectFrom('job').select('lastDoneAt').where('name', '=', name).executeTakeFirst()
  return row?.lastDoneAt ?? null
}

/** Runs jobs when they are due. Instances share the table; a lease gives each run to one of them. */
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
  for (const { name, everyMs, runsImmediately: startsAtOnce = false } of jobs) {
    const dueAt = clock.now() + (startsAtOnce ? 0 : everyMs)
    await db
      .insertInto('job')
      .values({ name, dueAt, leasedUntil: null, lastDoneAt: null, lastError: null })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  }
  let stopped = false
  let running: Promise<void> | null = null
  const concurrent = new Map<string, Promise<void>>()

  async function runDue(): Promise<void> {
    const now = clock.now()
    const due = await db.selectFrom('job').select('name').where('dueAt', '<=', now).execute()
    for (const job of jobs.filter(({ name }) => due.some((row) => row.name === name))) {
      if (stopped) return
      // The lease may have expired while the job is still running here.
      if (concurrent.has(job.name) || !(await claim(job, now))) continue
      if (!job.runsConcurrently) await runClaimed(job)
      else
        concurrent.set(
          job.name,
          runClaimed(job)
            .catch(logFailure)
            .finally(() => concurrent.delete(job.name)),
        )
    }
  }

  async function runClaimed(job: Job): Promise<void> {
    const failure = await job.run().then(
      () => null,
      (error: unknown) => String((error as Error).message ?? error).slice(0, 200),
    )
    if (failure) log.error({ job: job.name, reason: failure }, 'job failed')
    await db
      .updateTable('job')
      .set({
        dueAt: clock.now() + job.everyMs,
        leasedUntil: null,
        lastError: failure,
        lastDoneAt: failure ? sql`last_done_at` : clock.now(),
      })
      .where('name', '=', job.name)
      .execute()
  }

  async function claim({ name, leaseMs = LEASE_MS }: Job, now: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('job')
      .set({ leasedUntil: now + leaseMs })
      .where('name', '=', name)
      .where('dueAt', '<=', now)
      .where((eb) => eb.or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<=', now)]))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  function logFailure(error: unknown): void {
    log.warn({ reason: String((error as Error).message).slice(0, 200) }, 'jobs could not be read')
  }

  function tick(): Promise<void> {
    running ??= runDue()
      .catch(logFailure)
      .finally(() => {
        running = null
      })
    return running
  }

  async function finish(): Promise<void> {
    await running
    await Promise.all(concurrent.values())
  }

  const timer = polling ? setInterval(() => void tick(), POLL_MS) : null
  timer?.unref()
  return {
    async runDue() {
      await tick()
      await finish()
    },
    async stop() {
      stopped = true
      if (timer) clearInterval(timer)
      await finish()
    },
  }
}
