import type { Server } from '#server/http/serve.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { EffectHandler } from '#server/platform/outbox-worker.ts'
import { treasurerRoutes } from '../billing/treasurer.routes.ts'
import { createPayoutsService } from '../billing/payouts.service.ts'
import { createMonthPaymentsService } from '../billing/month-payments.service.ts'
import type { ActGuard } from '../console/act-guard.ts'
import type { OfficerService } from '../console/officer.service.ts'
import { credentialDeskRoutes } from './credential-desk.routes.ts'
import { createCredentialDeskService } from './credential-desk.service.ts'
import { createAddMemberService, type AddMemberService } from './add-member.service.ts'
import { createEndingFacts } from './ending-facts.ts'
import { memberAccountRoutes } from './member-account.routes.ts'
import { createMemberAccountService, type MemberAccountService } from './member-account.service.ts'
import { createMemberActsService } from './member-acts.service.ts'
import { memberConsoleRoutes } from './member-console.routes.ts'
import { createImportInvitations } from './import-invitation.ts'
import { memberImportRoutes, memberImportUploads } from './member-import.routes.ts'
import { createMemberImportRun } from './member-import-run.service.ts'
import { createMemberImportUndo } from './member-import-undo.ts'
import { createMemberImportService } from './member-import.service.ts'
import { createMemberListService } from './member-list.service.ts'
import { createMemberPageService } from './member-page.service.ts'
import { membersConsoleRoutes } from './members-console.routes.ts'
import { createPairReader } from './merge-pair.ts'
import { createMergeLetters } from './merge.letters.ts'
import { createMergePlanService } from './merge-plan.service.ts'
import { mergeRoutes } from './merge.routes.ts'
import { createMergeService } from './merge.service.ts'
import type { ReceiptService } from './receipt.service.ts'

type Tools = Parameters<typeof createMemberListService>[0] &
  Omit<Parameters<typeof createMemberPageService>[0], 'isOfficer' | 'mergesOf' | 'accountOf'> &
  Parameters<typeof createMemberActsService>[0] &
  Parameters<typeof createCredentialDeskService>[0] &
  Parameters<typeof createImportInvitations>[0] &
  Omit<Parameters<typeof createMemberAccountService>[0], 'endingFacts'> &
  Parameters<typeof createEndingFacts>[0] & {
    receipts: ReceiptService
    officers: OfficerService
    guard: ActGuard
  }

export interface MembersConsole {
  routes(server: Server): void
  /** Of endpoints whose body is a file. */
  uploadRoutes(server: Server): void
  /** Approved credentials that are due for another look. */
  countCredentialsAgain(): Promise<number>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
  effects: Record<string, EffectHandler>
  /** Also for the admin commands. */
  memberAccounts: MemberAccountService
  adding: AddMemberService
}

/** What officers see of members and their money, and do about them. */
export function createMembersConsole(tools: Tools): MembersConsole {
  const list = createMemberListService(tools)
  const { isOfficer } = tools.officers
  const pairs = createPairReader(tools)
  const merges = createMergeService({ ...tools, pairs })
  const plans = createMergePlanService({ ...tools, pairs })
  const memberAccounts = createMemberAccountService({ ...tools, endingFacts: createEndingFacts(tools) })
  const page = createMemberPageService({
    ...tools,
    isOfficer,
    mergesOf: merges.about,
    accountOf: memberAccounts.about,
  })
  const acts = createMemberActsService(tools)
  const desk = createCredentialDeskService(tools)
  const payments = createMonthPaymentsService(tools)
  const payouts = createPayoutsService(tools)
  const invitations = createImportInvitations(tools)
  const imports = createMemberImportService(tools)
  const importRun = createMemberImportRun({ ...tools, invitations })
  const importUndo = createMemberImportUndo(tools)
  const adding = createAddMemberService({ ...tools, invitations })
  return {
    routes(server) {
      membersConsoleRoutes(server, { list })
      memberImportRoutes(server, imports)
      memberConsoleRoutes(server, { page, acts, receipts: tools.receipts })
      memberAccountRoutes(server, { page, memberAccounts, adding })
      mergeRoutes(server, { merges, plans, page })
      credentialDeskRoutes(server, desk)
      treasurerRoutes(server, payments, payouts)
    },
    uploadRoutes: (server) => memberImportUploads(server, imports),
    countCredentialsAgain: desk.countAgain,
    letters: { ...invitations.letters, ...createMergeLetters(tools) },
    effects: { ...importRun.effects, ...importUndo.effects },
    memberAccounts,
    adding,
  }
}
