import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import type { Alerts } from './alerts/alerts.ts'
import type { SiteConfig } from './config/config.ts'
import type { Schema } from './db/schema/schema.ts'
import type { ContentCache } from './features/content/content-cache.service.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/logger.ts'
import type { Secrets } from './lib/secrets.ts'
import type { BotCheck } from './limits/bot-check.ts'
import type { RateLimiter } from './limits/rate-limiter.ts'
import type { PaymentGateway } from './stripe/payment-gateway.ts'

/** What every service may use: one per process, created by `createContext`. A service takes it first, and other services it needs second. */
export interface AppContext {
  config: SiteConfig
  /** Origin of the site, without a slash at the end. */
  siteUrl: string
  /** IANA name of the association's time zone. */
  timeZone: string
  db: Kysely<Schema>
  clock: Clock
  log: Log
  secrets: Secrets
  alerts: Alerts
  botCheck: BotCheck
  limiter: RateLimiter
  gateway: PaymentGateway
  /** The published content, in memory. */
  cache: ContentCache
  /** Settings that officers edit, as published now: read them at each use. */
  settings(): ReturnType<ContentCache['content']>['settings']
  association(): Promise<Association>
  /** How long rights last after the end of a term. */
  graceMs(): number
  /** The year at an instant in the association's time zone. */
  yearOf(instant: number): string
  /** Call it after the commit of a transaction that queued an effect. */
  wakeOutbox(): void
}
