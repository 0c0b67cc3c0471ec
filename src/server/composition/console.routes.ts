import {
  beginSecondFactor,
  confirmSecondFactor,
  endRole,
  getOfficer,
  getToday,
  giveRole,
  listOfficers,
  proveSecondFactor,
  renewRecoveryCodes,
} from '#contract/console.ts'
import { exportAudit, listAudit } from '#contract/console-audit.ts'
import { beginViewAs, endViewAs } from '#contract/console-view-as.ts'
import { requireCaller, requireOfficer, type Officer, type Server } from '#server/http/serve.ts'
import type { AuditService } from '../audit/audit.service.ts'
import { approvalRoutes } from './approval.routes.ts'
import type { ApprovalService } from './approval.service.ts'
import type { Factors } from './factors.ts'
import type { OfficerService } from './officer.service.ts'
import { passkeyRoutes } from './passkey.routes.ts'
import type { PasskeyService } from './passkey.service.ts'
import type { SecondFactorService } from './second-factor.service.ts'
import type { TodayService } from './today.service.ts'
import type { ViewAsService } from './view-as.service.ts'

export function consoleRoutes(
  server: Server,
  services: {
    officers: OfficerService
    factors: Factors
    secondFactors: SecondFactorService
    passkeys: PasskeyService
    today: TodayService
    audit: AuditService
    views: ViewAsService
    approvals: ApprovalService
  },
): void {
  const { officers, secondFactors, today, audit, views } = services

  server.serve(getOfficer, async ({ caller: anybody }) => {
    const caller = requireCaller(anybody)
    const { name, email, roles, permissions } = await officers.identify(caller.accountId)
    return { name, email, roles, permissions, secondFactor: await secondFactors.state(caller) }
  })

  server.serve(beginSecondFactor, async ({ caller, body }) => secondFactors.begin(requireCaller(caller), body.password))
  server.serve(confirmSecondFactor, async ({ caller, body }) => ({
    recoveryCodes: await secondFactors.confirm(requireCaller(caller), body.code),
  }))
  server.serve(proveSecondFactor, async ({ caller, body }) => secondFactors.prove(requireCaller(caller), body.code))
  server.serve(renewRecoveryCodes, async ({ caller }) => ({
    recoveryCodes: await secondFactors.renewRecoveryCodes(requireCaller(caller)),
  }))

  passkeyRoutes(server, services)
  approvalRoutes(server, services.approvals)

  server.serve(getToday, async ({ officer }) => today.list(requireOfficer(officer)))

  const terms = async (by: Officer) => ({
    terms: await officers.list(),
    mayChange: by.permissions.includes('officers.change'),
  })
  server.serve(listOfficers, async ({ officer }) => terms(requireOfficer(officer)))
  server.serve(giveRole, async ({ officer, body }) => {
    const by = requireOfficer(officer)
    await officers.give(by, body)
    return terms(by)
  })
  server.serve(endRole, async ({ officer, params }) => {
    const by = requireOfficer(officer)
    const held = await officers.end(by, params.id)
    return { ...(await terms(by)), held }
  })

  server.serve(beginViewAs, async ({ officer, caller, params, body }) =>
    views.begin(requireOfficer(officer), requireCaller(caller), { accountId: params.id, reason: body.reason }),
  )
  server.serve(endViewAs, async ({ officer, params }) => views.end(requireOfficer(officer), params.id))

  server.serve(listAudit, async ({ query }) => audit.page(query))
  server.serveFile(exportAudit, ({ officer, query }) => audit.export(requireOfficer(officer), query))
}
