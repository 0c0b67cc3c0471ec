const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const GB = 1024 ** 3

/** Letters wait minutes when the mail server is down; longer than this somebody should look. */
const OUTBOX_PATIENCE_MS = 30 * MINUTE_MS
/** The provider sends a notice within seconds and tries again within the hour. */
export const NOTICE_PATIENCE_MS = HOUR_MS
/** Between what we take for the time of an event and its notice. */
const NOTICE_SLACK_MS = 10 * MINUTE_MS
/** Notices older than five minutes are refused, and codes of two minutes expire: less than both. */
const CLOCK_PATIENCE_MS = 2 * MINUTE_MS
const JOB_PATIENCE_TURNS = 3

/** Whether the oldest letter or call is overdue for too long. @returns the sentence, null when all is well; as the others here */
export function judgeOutbox(waitingMs: number): string | null {
  if (waitingMs < OUTBOX_PATIENCE_MS) return null
  return `The oldest letter or call waits for ${Math.round(waitingMs / MINUTE_MS)} minutes: see whether the mail server and the card provider answer.`
}

/**
 * The provider must have sent something about what happened at `dueAt`, and nothing came since: its endpoint is switched off, or its notices do not
 * reach us.
 */
export function judgeNotices({
  dueAt,
  lastAt,
  now,
}: {
  /** null: nothing happened lately that a notice tells of. */
  dueAt: number | null
  lastAt: number | null
  now: number
}): string | null {
  if (dueAt === null || now - dueAt < NOTICE_PATIENCE_MS) return null
  if (lastAt !== null && lastAt >= dueAt - NOTICE_SLACK_MS) return null
  const last = lastAt === null ? 'none ever came' : `the last came ${new Date(lastAt).toISOString()}`
  return `Stripe's notices do not arrive (${last}): look at the webhook in the Stripe dashboard, whether it is switched off or refused. Memberships are brought up to date every 15 minutes without them.`
}

/** @param offsetMs how far this machine's clock is ahead of the provider's; null when nobody could be asked */
export function judgeClock(offsetMs: number | null): string | null {
  if (offsetMs === null || Math.abs(offsetMs) < CLOCK_PATIENCE_MS) return null
  const minutes = Math.round(Math.abs(offsetMs) / MINUTE_MS)
  return `The clock of this machine is ${minutes} minutes ${offsetMs > 0 ? 'fast' : 'slow'}: switch its synchronization (NTP) on. Until then Stripe's notices are refused and links end at the wrong time.`
}

export interface DiskSpace {
  free: number
  size: number
}

/** Low is less than a gigabyte, on small disks less than a tenth. */
export function judgeDisk({ free, size }: DiskSpace): string | null {
  if (free >= Math.min(GB, size / 10)) return null
  const megabytes = Math.floor(free / 1024 ** 2)
  return `The disk of the data has ${megabytes} MB left: make room or a larger disk. When it is full, nothing can be saved and forms answer that they cannot.`
}

/** Jobs whose last turn failed and that have not succeeded for three turns. */
export function judgeJobs(
  jobs: readonly { name: string; everyMs: number; lastDoneAt: number | null; error: string | null }[],
  now: number,
): string | null {
  const failing = jobs.filter(
    ({ everyMs, lastDoneAt, error }) => error !== null && now - (lastDoneAt ?? 0) > JOB_PATIENCE_TURNS * everyMs,
  )
  if (failing.length === 0) return null
  return `Work that comes round again has failed several times: ${failing.map(({ name }) => name).join(', ')}. The log says why.`
}
