const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const GB = 1024 ** 3

/** Emails may wait minutes when the mail server is down; longer than this needs attention. */
const MAX_OUTBOX_DELAY_MS = 30 * MINUTE_MS
/** The provider sends an event within seconds and retries within the hour. */
export const MAX_WEBHOOK_DELAY_MS = HOUR_MS
/** Tolerance between our time of a payment and its webhook event. */
const EVENT_TIME_TOLERANCE_MS = 10 * MINUTE_MS
/** Webhook events older than five minutes are refused, and authenticator codes expire after two: stay below both. */
const MAX_CLOCK_OFFSET_MS = 2 * MINUTE_MS
const MAX_MISSED_RUNS = 3

/** Whether the oldest email or call is overdue for too long. Like the other checks here, returns a message, or null when all is well. */
export function checkOutboxDelay(waitingMs: number): string | null {
  if (waitingMs < MAX_OUTBOX_DELAY_MS) return null
  return `The oldest email or call has been waiting for ${Math.round(waitingMs / MINUTE_MS)} minutes. Check the mail server and the card provider.`
}

/** The provider must have sent an event about something that happened at `dueAt`, but none has arrived since: the webhook is disabled or unreachable. */
export function checkWebhookSilence({
  dueAt,
  lastAt,
  now,
}: {
  /** null: nothing happened recently that would cause an event. */
  dueAt: number | null
  lastAt: number | null
  now: number
}): string | null {
  if (dueAt === null || now - dueAt < MAX_WEBHOOK_DELAY_MS) return null
  if (lastAt !== null && lastAt >= dueAt - EVENT_TIME_TOLERANCE_MS) return null
  const last = lastAt === null ? 'none ever arrived' : `the last arrived ${new Date(lastAt).toISOString()}`
  return `Webhook events from Stripe do not arrive (${last}). Check in the Stripe dashboard whether the webhook is disabled or failing. Until then, memberships are updated every 15 minutes.`
}

/** @param endsAt when the certificate that signs cards for Apple Wallet expires; null if it cannot be read */
export function checkPassCertificate(endsAt: number | null, now: number): string | null {
  if (endsAt === null || endsAt - now >= 30 * DAY_MS) return null
  const day = new Date(endsAt).toISOString().slice(0, 10)
  const what = `The certificate for Apple Wallet ${endsAt <= now ? 'expired' : 'expires'} on ${day}.`
  return `${what} Request a new one from Apple and set APPLE_WALLET_CERTIFICATE and its key. After that day, cards are not offered for Apple Wallet; cards that members added stay valid.`
}

/** @param offsetMs how far this machine's clock is ahead of the provider's; null when the provider is unreachable */
export function checkClockOffset(offsetMs: number | null): string | null {
  if (offsetMs === null || Math.abs(offsetMs) < MAX_CLOCK_OFFSET_MS) return null
  const minutes = Math.round(Math.abs(offsetMs) / MINUTE_MS)
  return `The clock of this machine is ${minutes} minutes ${offsetMs > 0 ? 'fast' : 'slow'}. Turn on time synchronization (NTP). Until then, webhook events are refused and links expire at the wrong time.`
}

export interface DiskSpace {
  free: number
  size: number
}

/** Low means less than a gigabyte, or less than a tenth of a small disk. */
export function checkDiskSpace({ free, size }: DiskSpace): string | null {
  if (free >= Math.min(GB, size / 10)) return null
  const megabytes = Math.floor(free / 1024 ** 2)
  return `The data disk has ${megabytes} MB left. Free up space or use a larger disk. When it is full, nothing can be saved and forms fail.`
}

/** Jobs whose last run failed and that have not succeeded for three intervals. */
export function checkFailingJobs(
  jobs: readonly { name: string; everyMs: number; lastDoneAt: number | null; error: string | null }[],
  now: number,
): string | null {
  const failing = jobs.filter(
    ({ everyMs, lastDoneAt, error }) => error !== null && now - (lastDoneAt ?? 0) > MAX_MISSED_RUNS * everyMs,
  )
  if (failing.length === 0) return null
  return `Jobs have failed several times in a row: ${failing.map(({ name }) => name).join(', ')}. See the log for the reasons.`
}
