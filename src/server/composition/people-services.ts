import type { AppContext } from '#server/app-context.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import type { BrandFiles } from '#server/features/brand/brand-files.service.ts'
import { createCardScans } from '#server/features/card/card-scan.service.ts'
import { createCardService } from '#server/features/card/card.service.ts'
import { createDirectoryChoiceService } from '#server/features/directory/directory-choice.service.ts'
import { createDirectoryMessages } from '#server/features/directory/directory-messages.service.ts'
import { createDirectoryService } from '#server/features/directory/directory.service.ts'
import { createCopyTrace } from '#server/features/directory/planted/copy-trace.service.ts'
import { createPlantedEntries } from '#server/features/directory/planted/planted-entries.service.ts'
import { createBulkPlan } from '#server/features/member-admin/bulk/bulk-plan.service.ts'
import { createBulkRun } from '#server/features/member-admin/bulk/bulk-run.service.ts'
import { createBulkService } from '#server/features/member-admin/bulk/bulk.service.ts'
import { createMemberListService } from '#server/features/member-admin/member-list.service.ts'
import { createNoteService } from '#server/features/member-admin/notes/note.service.ts'
import { createTimelineService } from '#server/features/member-admin/timeline/timeline.service.ts'
import type { ManualPayments } from '#server/features/memberships/payments/manual-payment.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { createSavedViewsService } from '#server/features/officers/saved-views/saved-views.service.ts'
import type { SubscriptionService } from '#server/features/memberships/subscription.service.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import { createDeathReports } from '#server/features/person-state/death-reports.service.ts'
import { createPersonStateService } from '#server/features/person-state/person-state.service.ts'
import { EMAIL_NAMES } from './effects.ts'

/** The services of the member list, of a person's timeline, of the directory, of membership cards and of person states. */
export function createPeopleServices(
  ctx: AppContext,
  {
    guard,
    audit,
    brandFiles,
    manualPayments,
    subscriptions,
    heldWork,
  }: {
    guard: ActAuthorizer
    audit: AuditService
    brandFiles: BrandFiles
    manualPayments: ManualPayments
    subscriptions: SubscriptionService
    heldWork: HeldWork
  },
) {
  const savedViews = createSavedViewsService(ctx)
  const plan = createBulkPlan(ctx)
  const plantedEntries = createPlantedEntries(ctx)
  const directory = createDirectoryService(ctx, { planted: plantedEntries })
  const deathReports = createDeathReports(ctx)
  return {
    directory,
    directoryChoices: createDirectoryChoiceService(ctx, { directory, guard }),
    directoryMessages: createDirectoryMessages(ctx, { directory }),
    plantedEntries,
    copyTrace: createCopyTrace(ctx, { planted: plantedEntries }),
    cards: createCardService(ctx, { guard, brandFiles }),
    cardScans: createCardScans(ctx),
    deathReports,
    personStates: createPersonStateService(ctx, { guard, reports: deathReports, subscriptions, heldWork }),
    savedViews,
    memberList: createMemberListService(ctx, { savedViews }),
    notes: createNoteService(ctx, { guard }),
    timeline: createTimelineService(ctx, { audit, emailNames: EMAIL_NAMES }),
    bulk: createBulkService(ctx, { plan }),
    bulkRun: createBulkRun(ctx, { plan, manualPayments }),
  }
}
