import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { ApprovalAct } from '#contract/console-approvals.ts'
import type { TaskOfToday } from '#contract/console.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logger.ts'
import type { RateLimiter } from '#server/platform/rate-limiter.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { PasswordProof } from '../account/password-proof.ts'
import type { ContentCache } from '../association/content-cache.ts'
import { createAuditService } from '../audit/audit.service.ts'
import type { ActGuard } from './act-guard.ts'
import { createApprovalService, type ApprovableAct } from './approval.service.ts'
import { createFactors } from './factors.ts'
import type { HeldWork } from './held-work.ts'
import { createOfficerService } from './officer.service.ts'
import { createPasskeyService } from './passkey.service.ts'
import { createSecondFactorService } from './second-factor.service.ts'
import { createTodayService } from './today.service.ts'
import { createViewAsService } from './view-as.service.ts'

/** The console's own part: who may enter, what waits, and what was done. */
export function createConsole(tools: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  alarms: Alarms
  secrets: Secrets
  limiter: RateLimiter
  cache: ContentCache
  proof: PasswordProof
  siteUrl: string
  timeZone: string
  graceMs(): number
  association(): Promise<Association>
  wakeOutbox(): void
  guard: ActGuard
  heldWork: HeldWork
  countCredentialsAgain(): Promise<number>
  rollOverTask(): Promise<TaskOfToday>
  approvalActs(): Record<ApprovalAct, ApprovableAct>
  siteWarnings(): Promise<{ reason: string }[]>
  contentTitles: Parameters<typeof createAuditService>[0]['contentTitles']
}) {
  const { cache } = tools
  const officers = createOfficerService(tools)
  const issuer = () => cache.content().settings.association.name
  const wrongCodeLimit = () => cache.content().settings.rateLimits.secondFactorWrong
  const approvals = createApprovalService({ ...tools, acts: tools.approvalActs })
  const factors = createFactors({ ...tools, officers, wrongCodeLimit })
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
