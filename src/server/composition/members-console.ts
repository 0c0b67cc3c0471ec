import type { Server } from '#server/http/serve.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import type * as importEffects from '#server/features/member-admin/import/member-import.effects.ts'
import { treasurerRoutes } from '#server/features/treasury/treasurer.routes.ts'
import { createPayoutsService } from '#server/features/treasury/payouts.service.ts'
import { createMonthPaymentsService } from '#server/features/treasury/month-payments.service.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import type { OfficerService } from '#server/features/officers/officer.service.ts'
import { credentialReviewRoutes } from '#server/features/credentials/credential-review.routes.ts'
import { createCredentialReviewService } from '#server/features/credentials/credential-review.service.ts'
import {
  createAddMemberService,
  type AddMemberService,
} from '#server/features/member-admin/account/add-member.service.ts'
import { createAccountEndPreview } from '#server/features/member-admin/account/account-end-preview.service.ts'
import { memberAccountRoutes } from '#server/features/member-admin/account/member-account.routes.ts'
import {
  createMemberAccountService,
  type MemberAccountService,
} from '#server/features/member-admin/account/member-account.service.ts'
import { createMemberActionsService } from '#server/features/member-admin/member-actions.service.ts'
import { memberDetailRoutes } from '#server/features/member-admin/member-detail.routes.ts'
import { createImportInvitations } from '#server/features/member-admin/import/import-invitation.service.ts'
import {
  memberImportRoutes,
  memberImportUploadRoutes,
} from '#server/features/member-admin/import/member-import.routes.ts'
import { createMemberImportRun } from '#server/features/member-admin/import/member-import-run.service.ts'
import { createMemberImportUndo } from '#server/features/member-admin/import/member-import-undo.service.ts'
import { createMemberImportService } from '#server/features/member-admin/import/member-import.service.ts'
import { createMemberListService } from '#server/features/member-admin/member-list.service.ts'
import { createMemberPageService } from '#server/features/member-admin/member-page.service.ts'
import { memberListRoutes } from '#server/features/member-admin/member-list.routes.ts'
import { createPairReader } from '#server/features/member-admin/merge/merge-pair.queries.ts'
import { createMergePlanService } from '#server/features/member-admin/merge/merge-plan.service.ts'
import { mergeRoutes } from '#server/features/member-admin/merge/merge.routes.ts'
import { createMergeService } from '#server/features/member-admin/merge/merge.service.ts'
import type { ReceiptService } from '#server/features/memberships/billing/receipt.service.ts'

type Tools = Parameters<typeof createMemberListService>[0] &
  Omit<Parameters<typeof createMemberPageService>[0], 'isOfficer' | 'mergesOf' | 'accountOf'> &
  Parameters<typeof createMemberActionsService>[0] &
  Parameters<typeof createCredentialReviewService>[0] &
  Parameters<typeof createImportInvitations>[0] &
  Omit<Parameters<typeof createMemberAccountService>[0], 'loadEndPreview'> &
  Parameters<typeof createAccountEndPreview>[0] & {
    receipts: ReceiptService
    officers: OfficerService
    guard: ActAuthorizer
  }

export interface MemberAdmin {
  routes(server: Server): void
  /** Endpoints with a file upload. */
  uploadRoutes(server: Server): void
  /** Approved credentials that are due for a recheck. */
  countCredentialsDue(): Promise<number>
  effects: HandlersOf<(typeof importEffects)[keyof typeof importEffects]>
  /** Also used by the admin commands. */
  memberAccounts: MemberAccountService
  adding: AddMemberService
}

/** The officers' view of members and their payments, and the actions on them. */
export function createMemberAdmin(tools: Tools): MemberAdmin {
  const list = createMemberListService(tools)
  const { isOfficer } = tools.officers
  const pairs = createPairReader(tools)
  const merges = createMergeService({ ...tools, pairs })
  const plans = createMergePlanService({ ...tools, pairs })
  const memberAccounts = createMemberAccountService({ ...tools, loadEndPreview: createAccountEndPreview(tools) })
  const page = createMemberPageService({
    ...tools,
    isOfficer,
    mergesOf: merges.describeMerges,
    accountOf: memberAccounts.describe,
  })
  const acts = createMemberActionsService(tools)
  const desk = createCredentialReviewService(tools)
  const payments = createMonthPaymentsService(tools)
  const payouts = createPayoutsService(tools)
  const invitations = createImportInvitations(tools)
  const imports = createMemberImportService(tools)
  const importRun = createMemberImportRun({ ...tools, invitations })
  const importUndo = createMemberImportUndo(tools)
  const adding = createAddMemberService({ ...tools, invitations })
  return {
    routes(server) {
      memberListRoutes(server, { list })
      memberImportRoutes(server, imports)
      memberDetailRoutes(server, { page, acts, receipts: tools.receipts })
      memberAccountRoutes(server, { page, memberAccounts, adding })
      mergeRoutes(server, { merges, plans, page })
      credentialReviewRoutes(server, desk)
      treasurerRoutes(server, payments, payouts)
    },
    uploadRoutes: (server) => memberImportUploadRoutes(server, imports),
    countCredentialsDue: desk.countDueForRecheck,
    effects: { ...importRun.effects, ...importUndo.effects },
    memberAccounts,
    adding,
  }
}
