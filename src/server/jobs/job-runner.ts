import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
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
  /** For work that may take hours: the other jobs go on meanwhile. */
  runsBeside?: boolean
  run(): Promise<void>
}

export interface JobRunner {
  /** Runs every job that is due now, to its end; for tests. */
  runDue(): Promise<void>
  /** Finishes what is in flight, also beside. */
  stop(): Promise<void>
}

const POLL_MS = 500
const LEASE_MS = 5 * 60_000

/** When a job last ended well; null when it never did. */
export async function findLastDone(db: Db, name: string): Promise<number | null> {
  const row = await db.selectFrom('job').select('last_done_at').where('name', '=', name).executeTakeFirst()
  return row?.last_done_at ?? null
}

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
  const beside = new Map<string, Promise<void>>()

  async function runDue(): Promise<void> {
    const now = clock.now()
    const due = await db.selectFrom('job').select('name').where('due_at', '<=', now).execute()
    for (const job of jobs.filter(({ name }) => due.some((row) => row.name === name))) {
      if (stopped) return
      // Its lease may be over while it is still at work here.
      if (beside.has(job.name) || !(await claim(job, now))) continue
      if (!job.runsBeside) await runClaimed(job)
      else
        beside.set(
          job.name,
          runClaimed(job)
            .catch(tell)
            .finally(() => beside.delete(job.name)),
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
        due_at: clock.now() + job.everyMs,
        leased_until: null,
        last_error: failure,
        last_done_at: failure ? sql`last_done_at` : clock.now(),
      })
      .where('name', '=', job.name)
      .execute()
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

  function tell(error: unknown): void {
    log.warn({ reason: String((error as Error).message).slice(0, 200) }, 'jobs not read')
  }

  function turn(): Promise<void> {
    running ??= runDue()
      .catch(tell)
      .finally(() => {
        running = null
      })
    return running
  }

  async function finish(): Promise<void> {
    await running
    await Promise.all(beside.values())
  }

  const timer = polling ? setInterval(() => void turn(), POLL_MS) : null
  timer?.unref()
  return {
    async runDue() {
      await turn()
      await finish()
    },
    async stop() {
      stopped = true
      if (timer) clearInterval(timer)
      await finish()
    },
  }
}
