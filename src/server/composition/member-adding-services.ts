import type { AppContext } from '#server/app-context.ts'
import { createAddMemberService } from '#server/features/member-admin/account/add-member.service.ts'
import { createImportInvitations } from '#server/features/member-admin/import/import-invitation.service.ts'
import { createMemberImportRun } from '#server/features/member-admin/import/member-import-run.service.ts'
import { createMemberImportService } from '#server/features/member-admin/import/member-import.service.ts'
import { createMemberImportUndo } from '#server/features/member-admin/import/member-import-undo.service.ts'
import { createImportReports } from '#server/features/member-admin/import/review/import-report.service.ts'
import { createRowReview } from '#server/features/member-admin/import/review/row-review.service.ts'
import type { ManualPayments } from '#server/features/memberships/payments/manual-payment.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'

/** Creates the services by which officers add members, one at a time or from a file, and invite them. */
export function createMemberAddingServices(
  ctx: AppContext,
  { guard, manualPayments }: { guard: ActAuthorizer; manualPayments: ManualPayments },
) {
  const invitations = createImportInvitations(ctx)
  const reports = createImportReports(ctx)
  return {
    invitations,
    memberAdding: createAddMemberService(ctx, { manualPayments, invitations }),
    memberImportReports: reports,
    memberImports: createMemberImportService(ctx, { reports, rowReview: createRowReview(ctx) }),
    memberImportRun: createMemberImportRun(ctx, { invitations, guard }),
    memberImportUndo: createMemberImportUndo(ctx),
  }
}
