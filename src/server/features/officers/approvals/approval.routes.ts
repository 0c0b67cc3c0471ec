import { approveRequest, declineRequest, listApprovals, withdrawRequest } from '#contract/console/approvals.ts'
import { requireOfficer, type Officer, type Server } from '#server/http/serve.ts'
import type { ApprovalService } from './approval.service.ts'

/** Each decision returns the updated list. */
export function approvalRoutes(server: Server, approvals: ApprovalService): void {
  const list = async (by: Officer) => ({ approvals: await approvals.list(by) })

  server.serve(listApprovals, ({ officer }) => list(requireOfficer(officer)))
  server.serve(approveRequest, async ({ officer, params, body }) => {
    const by = requireOfficer(officer)
    await approvals.approve(by, params.id, body.version)
    return list(by)
  })
  server.serve(declineRequest, async ({ officer, params, body }) => {
    const by = requireOfficer(officer)
    await approvals.decline(by, params.id, body.reason)
    return list(by)
  })
  server.serve(withdrawRequest, async ({ officer, params }) => {
    const by = requireOfficer(officer)
    await approvals.withdraw(by, params.id)
    return list(by)
  })
}
