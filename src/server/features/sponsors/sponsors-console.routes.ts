import {
  getRunOfShow,
  setBenefitDeadline,
  setBenefitDelivered,
  listRunDays,
  listSponsorships,
  saveRunOfShow,
  resendSponsorReceipt,
} from '#contract/console/sponsors.ts'
import { requireOfficer, type Officer, type Server } from '#server/http/serve.ts'
import type { BenefitsService } from './benefits.service.ts'
import type { RunOfShowService } from './run-of-show.service.ts'

export function sponsorsConsoleRoutes(
  server: Server,
  { benefits, runs }: { benefits: BenefitsService; runs: RunOfShowService },
): void {
  const mayChange = (officer: Officer | null) => requireOfficer(officer).permissions.includes('sponsors.change')

  server.serve(listSponsorships, async ({ officer, query }) => ({
    ...(await benefits.page(query)),
    mayChange: mayChange(officer),
  }))
  server.serve(setBenefitDelivered, async ({ officer, params: { id, kind }, body: { isKept } }) => {
    await benefits.setDelivered(requireOfficer(officer).accountId, { id, kind, isKept })
    return benefits.read(id)
  })
  server.serve(setBenefitDeadline, async ({ officer, params: { id, kind }, body: { dueOn } }) => {
    await benefits.setDeadline(requireOfficer(officer).accountId, { id, kind, dueOn })
    return benefits.read(id)
  })
  server.serve(resendSponsorReceipt, async ({ officer, params }) => ({
    email: await benefits.resendReceipt(requireOfficer(officer).accountId, params.id),
  }))

  server.serve(listRunDays, async () => runs.days())
  server.serve(getRunOfShow, async ({ officer, params }) => ({
    ...(await runs.read(params.day)),
    mayChange: mayChange(officer),
  }))
  server.serve(saveRunOfShow, async ({ officer, params, body }) => ({
    ...(await runs.save(requireOfficer(officer), params.day, body)),
    mayChange: mayChange(officer),
  }))
}
