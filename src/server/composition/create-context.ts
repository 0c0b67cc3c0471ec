import { dayOf } from '#contract/dates/dates.ts'
import type { AppContext } from '#server/app-context.ts'
import { createAlerts } from '#server/alerts/alerts.ts'
import { withTimeZone } from '#server/features/content-store/region.queries.ts'
import type { Config } from '#server/config/config.ts'
import type { Database } from '#server/db/database.ts'
import { createContentCache } from '#server/features/content/content-cache.service.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Log } from '#server/lib/logger.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { createBotCheck } from '#server/limits/bot-check.ts'
import { createRateLimiter } from '#server/limits/rate-limiter.ts'
import { createStripeGateway } from '#server/stripe/stripe-gateway.ts'

const DAY_MS = 86_400_000

/** Resolves once the content is loaded: the database must be migrated and seeded. */
export async function createContext({
  config: given,
  sessionSecret,
  database: { db },
  clock,
  log,
  polling,
  wakeOutbox,
}: {
  config: Config
  sessionSecret: string
  database: Pick<Database, 'db'>
  clock: Clock
  log: Log
  /** Whether the content is reloaded when another process changes it. */
  polling: boolean
  wakeOutbox(): void
}): Promise<AppContext> {
  const config = await withTimeZone(given, db)
  const { siteUrl, timeZone } = config
  const secrets = createSecrets(sessionSecret)
  const alerts = createAlerts(db, clock, log)
  const cache = await createContentCache({ db, clock, log, timeZone, siteUrl, polling })
  const settings = () => cache.content().settings
  return {
    config,
    siteUrl,
    timeZone,
    db,
    clock,
    log,
    secrets,
    alerts,
    botCheck: createBotCheck(config.recaptcha, alerts),
    limiter: createRateLimiter(db, clock, secrets, config.rateLimitFactor),
    gateway: createStripeGateway(config.stripe),
    cache,
    settings,
    association: async () => settings().association,
    graceMs: () => settings().membership.graceDays * DAY_MS,
    yearOf: (instant) => dayOf(instant, timeZone).slice(0, 4),
    wakeOutbox,
  }
}
