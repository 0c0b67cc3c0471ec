import {
  beginSecondFactor,
  confirmSecondFactor,
  endRole,
  getOfficer,
  assignRole,
  listOfficers,
  verifySecondFactor,
  renewRecoveryCodes,
} from '#contract/console/console.ts'
import { beginViewAs, endViewAs } from '#contract/console/view-as.ts'
import { requireCaller, requireOfficer, type Officer, type Server } from '#server/http/serve.ts'
import type { SecondFactorService } from './factors/second-factor.service.ts'
import type { OfficerService } from './officer.service.ts'
import type { ViewAsService } from './view-as/view-as.service.ts'

export function officerRoutes(
  server: Server,
  {
    officers,
    secondFactors,
    views,
  }: { officers: OfficerService; secondFactors: SecondFactorService; views: ViewAsService },
): void {
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

  const terms = async (by: Officer) => ({
    terms: await officers.list(),
    mayChange: by.permissions.includes('officers.change'),
    year: officers.year(),
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
}
