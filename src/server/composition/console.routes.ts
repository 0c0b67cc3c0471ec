import {
  beginSecondFactor,
  confirmSecondFactor,
  endRole,
  getOfficer,
  getToday,
  assignRole,
  listOfficers,
  verifySecondFactor,
  renewRecoveryCodes,
} from '#contract/console/console.ts'
import { exportAudit, listAudit } from '#contract/console/audit.ts'
import { beginViewAs, endViewAs } from '#contract/console/view-as.ts'
import { requireCaller, requireOfficer, type Officer, type Server } from '#server/http/serve.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import { approvalRoutes } from '#server/features/officers/approvals/approval.routes.ts'
import type { ApprovalService } from '#server/features/officers/approvals/approval.service.ts'
import type { SecondFactors } from '#server/features/officers/factors/factors.service.ts'
import type { OfficerService } from '#server/features/officers/officer.service.ts'
import { passkeyRoutes } from '#server/features/officers/factors/passkey.routes.ts'
import type { PasskeyService } from '#server/features/officers/factors/passkey.service.ts'
import type { SecondFactorService } from '#server/features/officers/factors/second-factor.service.ts'
import type { TodayService } from '#server/features/today/today.service.ts'
import type { ViewAsService } from '#server/features/officers/view-as/view-as.service.ts'

export function consoleRoutes(
  server: Server,
  services: {
    officers: OfficerService
    factors: SecondFactors
    secondFactors: SecondFactorService
    passkeys: PasskeyService
    today: TodayService
    audit: AuditService
    views: ViewAsService
    approvals: ApprovalService
  },
): void {
  const { officers, secondFactors, today, audit, views } = services

  server.serve(getOfficer, async ({ caller: maybeCaller }) => {
    const caller = requireCaller(maybeCaller)
    const { name, email, roles, permissions } = await officers.identify(caller.accountId)
    return { name, email, roles, permissions, secondFactor: await secondFactors.state(caller) }
  })

  server.serve(beginSecondFactor, async ({ caller, body }) => secondFactors.begin(requireCaller(caller), body.password))
  server.serve(confirmSecondFactor, async ({ caller, body }) => ({
    recoveryCodes: await secondFactors.confirm(requireCaller(caller), body.code),
  }))
  server.serve(verifySecondFactor, async ({ caller, body }) => secondFactors.prove(requireCaller(caller), body.code))
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
  server.serve(assignRole, async ({ officer, body }) => {
    const by = requireOfficer(officer)
    await officers.assignRole(by, body)
    return terms(by)
  })
  server.serve(endRole, async ({ officer, params }) => {
    const by = requireOfficer(officer)
    const held = await officers.endRole(by, params.id)
    return { ...(await terms(by)), held }
  })

  server.serve(beginViewAs, async ({ officer, caller, params, body }) =>
    views.start(requireOfficer(officer), requireCaller(caller), { accountId: params.id, reason: body.reason }),
  )
  server.serve(endViewAs, async ({ officer, params }) => views.end(requireOfficer(officer), params.id))

  server.serve(listAudit, async ({ query }) => audit.page(query))
  server.serveFile(exportAudit, ({ officer, query }) => audit.export(requireOfficer(officer), query))
}
