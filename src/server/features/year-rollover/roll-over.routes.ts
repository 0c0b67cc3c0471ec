import {
  createRollOver,
  applyRollOver,
  discardRollOver,
  getRollOver,
  unscheduleRollOver,
  saveRollOver,
  undoRollOver,
} from '#contract/console/roll-over.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { RollOverService } from './roll-over.service.ts'

export function rollOverRoutes(server: Server, rollOver: RollOverService): void {
  server.serve(getRollOver, async () => rollOver.get())
  server.serve(createRollOver, async ({ officer }) => rollOver.begin(requireOfficer(officer)))
  server.serve(saveRollOver, async ({ officer, params, body }) =>
    rollOver.save(requireOfficer(officer), params.id, body),
  )
  server.serve(discardRollOver, async ({ officer, params }) => rollOver.deletePlan(requireOfficer(officer), params.id))
  server.serve(applyRollOver, async ({ officer, params, body }) =>
    rollOver.confirm(requireOfficer(officer), params.id, body),
  )
  server.serve(unscheduleRollOver, async ({ officer, params }) =>
    rollOver.unschedule(requireOfficer(officer), params.id),
  )
  server.serve(undoRollOver, async ({ officer, params }) => rollOver.undo(requireOfficer(officer), params.id))
}
