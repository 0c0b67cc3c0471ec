import {
  callOffRsvpEvent,
  closeRsvpEvent,
  exportRsvps,
  listRsvpEvents,
  readDoorList,
  readRsvpEvent,
  removeRsvp,
  saveRsvpOffer,
  sendDoorMarks,
} from '#contract/console-rsvp.ts'
import { refundRsvpOrder } from '#contract/console-payments.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { CallOffService } from './call-off.service.ts'
import type { DoorService } from './door.service.ts'
import type { RsvpConsoleService } from './rsvp-console.service.ts'
import type { RsvpMoneyService } from './rsvp-money.service.ts'

export function rsvpConsoleRoutes(
  server: Server,
  {
    console,
    door,
    money,
    endings,
  }: { console: RsvpConsoleService; door: DoorService; money: RsvpMoneyService; endings: CallOffService },
): void {
  server.serve(listRsvpEvents, async () => ({ events: await console.list() }))
  server.serve(readRsvpEvent, async ({ params }) => console.read(params.id))
  server.serve(saveRsvpOffer, async ({ officer, params, body }) =>
    console.save(requireOfficer(officer), params.id, body),
  )
  server.serve(closeRsvpEvent, async ({ officer, params }) => console.close(requireOfficer(officer), params.id))
  server.serve(callOffRsvpEvent, async ({ officer, params, body }) =>
    endings.callOff(requireOfficer(officer), params.id, body),
  )
  server.serve(readDoorList, async ({ params }) => door.read(params.id))
  server.serve(sendDoorMarks, async ({ officer, params, body }) => door.take(requireOfficer(officer), params.id, body))
  server.serve(removeRsvp, async ({ officer, params }) =>
    door.remove(requireOfficer(officer), params.id, params.rsvpId),
  )
  server.serve(refundRsvpOrder, async ({ officer, params, body }) => ({
    amount: await money.refund(requireOfficer(officer), params.id, body),
  }))
  server.serveFile(exportRsvps, async ({ officer, params }) => door.export(requireOfficer(officer), params.id))
}
