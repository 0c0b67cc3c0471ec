import { lastStripeEventAt } from './features/billing/stripe-event.repository.ts'
import type { Db } from './db/database.ts'
import type { ReadinessCheck } from './http/health.routes.ts'
import type { BotCheck } from './platform/bot-check.ts'
import type { Clock } from './platform/clock.ts'
import { outboxHealth } from './platform/outbox.repository.ts'

// Letters wait minutes when the mail server is down; longer than this somebody should look.
const OUTBOX_PATIENCE_MS = 30 * 60_000

/** What `/readyz` looks at; each reason says the cure. */
export function readinessChecks({
  db,
  clock,
  botCheck,
}: {
  db: Db
  clock: Clock
  botCheck: BotCheck
}): ReadinessCheck[] {
  return [
    {
      name: 'database',
      async check() {
        await db.selectFrom('content_version').select('version').executeTakeFirst()
        return null
      },
    },
    {
      name: 'outbox',
      async check() {
        const { waitingMs } = await outboxHealth(db, clock.now())
        if (waitingMs < OUTBOX_PATIENCE_MS) return null
        return `The oldest letter or call waits for ${Math.round(waitingMs / 60_000)} minutes: see whether the mail server and the card provider answer.`
      },
    },
    {
      name: 'bot-check',
      async check() {
        return botCheck.isMisconfigured() ? 'The provider refuses our key: correct RECAPTCHA_SECRET_KEY.' : null
      },
    },
  ]
}

/** How long the outbox waits, what it gave up, and when the card provider was heard of last. */
export async function readinessFacts(db: Db, clock: Clock): Promise<Record<string, string | number | null>> {
  const [{ waitingMs, dead }, lastNotice] = await Promise.all([outboxHealth(db, clock.now()), lastStripeEventAt(db)])
  return {
    outboxWaitingSeconds: Math.round(waitingMs / 1_000),
    outboxGivenUp: dead,
    lastWebhookAt: lastNotice === null ? null : new Date(lastNotice).toISOString(),
  }
}
