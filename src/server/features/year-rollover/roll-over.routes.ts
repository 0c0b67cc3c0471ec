import {
  beginRollOver,
  confirmRollOver,
  discardRollOver,
  getRollOver,
  holdRollOver,
  saveRollOver,
  undoRollOver,
} from '#contract/console-roll-over.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { RollOverService } from './roll-over.service.ts'

export function rollOverRoutes(server: Server, rollOver: RollOverService): void {
  server.serve(getRollOver, async () => rollOver.get())
  server.serve(beginRollOver, async ({ officer }) => rollOver.begin(requireOfficer(officer)))
  server.serve(saveRollOver, async ({ officer, params, body }) =>
    rollOver.save(requireOfficer(officer), params.id, body),
  )
  server.serve(discardRollOver, async ({ officer, params }) => rollOver.discard(requireOfficer(officer), params.id))
  server.serve(confirmRollOver, async ({ officer, params, body }) =>
    rollOver.confirm(requireOfficer(officer), params.id, body),
  )
  server.serve(holdRollOver, async ({ officer, params }) => rollOver.hold(requireOfficer(officer), params.id))
  server.serve(undoRollOver, async ({ officer, params }) => rollOver.undo(requireOfficer(officer), params.id))
}
