import type { Server } from '#server/http/serve.ts'
import { monthPaymentsRoutes } from '../billing/month-payments.routes.ts'
import { createMonthPaymentsService } from '../billing/month-payments.service.ts'
import type { OfficerService } from '../console/officer.service.ts'
import { credentialDeskRoutes } from './credential-desk.routes.ts'
import { createCredentialDeskService } from './credential-desk.service.ts'
import { createMemberActsService } from './member-acts.service.ts'
import { memberConsoleRoutes } from './member-console.routes.ts'
import { createMemberListService } from './member-list.service.ts'
import { createMemberPageService } from './member-page.service.ts'
import { membersConsoleRoutes } from './members-console.routes.ts'
import type { ReceiptService } from './receipt.service.ts'

type Tools = Parameters<typeof createMemberListService>[0] &
  Omit<Parameters<typeof createMemberPageService>[0], 'isOfficer'> &
  Omit<Parameters<typeof createMemberActsService>[0], 'isOfficer'> &
  Parameters<typeof createCredentialDeskService>[0] & {
    receipts: ReceiptService
    officers: OfficerService
  }

/** What officers see of members and their money, and do about them (issue 8, 3 and 4); answers the routes of it. */
export function createMembersConsole(tools: Tools): (server: Server) => void {
  const list = createMemberListService(tools)
  const { isOfficer } = tools.officers
  const page = createMemberPageService({ ...tools, isOfficer })
  const acts = createMemberActsService({ ...tools, isOfficer })
  const desk = createCredentialDeskService(tools)
  const payments = createMonthPaymentsService(tools)
  return (server) => {
    membersConsoleRoutes(server, { list })
    memberConsoleRoutes(server, { page, acts, receipts: tools.receipts })
    credentialDeskRoutes(server, desk)
    monthPaymentsRoutes(server, payments)
  }
}
