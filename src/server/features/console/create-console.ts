import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { RateLimiter } from '#server/platform/rate-limiter.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { PasswordProof } from '../account/password-proof.ts'
import type { ContentCache } from '../association/content-cache.ts'
import { createAuditService } from './audit.service.ts'
import { createOfficerService } from './officer.service.ts'
import { createSecondFactorService } from './second-factor.service.ts'
import { createTodayService } from './today.service.ts'
import { createViewAsService } from './view-as.service.ts'

/** The console's own part: who may enter, what waits, and what was done. */
export function createConsole(tools: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  limiter: RateLimiter
  cache: ContentCache
  proof: PasswordProof
  siteUrl: string
  timeZone: string
  graceMs(): number
  association(): Promise<Association>
  wakeOutbox(): void
}) {
  const { cache } = tools
  const officers = createOfficerService(tools)
  const secondFactors = createSecondFactorService({
    ...tools,
    officers,
    issuer: () => cache.content().settings.association.name,
    wrongCodeLimit: () => cache.content().settings.rateLimits.secondFactorWrong,
  })
  const views = createViewAsService({ ...tools, officers })
  return { officers, secondFactors, views, today: createTodayService(tools), audit: createAuditService(tools) }
}
