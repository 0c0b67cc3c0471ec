import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import type { ApprovalAct } from '#contract/console/approvals.ts'
import type { TodayTask } from '#contract/console/console.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Log } from '#server/lib/logger.ts'
import type { RateLimiter } from '#server/limits/rate-limiter.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import type { PasswordCheck } from '#server/features/auth/password-proof.service.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import { createAuditService } from '#server/features/audit/audit.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { createApprovalService, type ApprovableAct } from '#server/features/officers/approvals/approval.service.ts'
import { createSecondFactors } from '#server/features/officers/factors/factors.service.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { createOfficerService } from '#server/features/officers/officer.service.ts'
import { createPasskeyService } from '#server/features/officers/factors/passkey.service.ts'
import { createSecondFactorService } from '#server/features/officers/factors/second-factor.service.ts'
import { createTodayService } from '#server/features/today/today.service.ts'
import { createViewAsService } from '#server/features/officers/view-as/view-as.service.ts'

/** Assembles the core of the console: authorization, tasks, approvals and the audit log. */
export function createConsoleFeatures(tools: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  alerts: Alerts
  secrets: Secrets
  limiter: RateLimiter
  cache: ContentCache
  proof: PasswordCheck
  siteUrl: string
  timeZone: string
  graceMs(): number
  association(): Promise<Association>
  wakeOutbox(): void
  guard: ActAuthorizer
  heldWork: HeldWork
  countCredentialRechecks(): Promise<number>
  rollOverTask(): Promise<TodayTask>
  approvalActs(): Record<ApprovalAct, ApprovableAct>
  siteWarnings(): Promise<{ reason: string }[]>
  contentTitles: Parameters<typeof createAuditService>[0]['contentTitles']
}) {
  const { cache } = tools
  const officers = createOfficerService(tools)
  const issuer = () => cache.content().settings.association.name
  const wrongCodeLimit = () => cache.content().settings.rateLimits.secondFactorWrong
  const approvals = createApprovalService({ ...tools, acts: tools.approvalActs })
  const factors = createSecondFactors({ ...tools, officers, wrongCodeLimit })
  const secondFactors = createSecondFactorService({ ...tools, factors, officers, issuer })
  const passkeys = createPasskeyService({ ...tools, factors, officers, issuer })
  return {
    officers,
    approvals,
    factors,
    secondFactors,
    passkeys,
    views: createViewAsService({ ...tools, officers }),
    today: createTodayService({
      ...tools,
      approvals,
      scholarshipDeadline: () => cache.content().settings.scholarships.deadline,
    }),
    audit: createAuditService(tools),
  }
}
