import {
  cancelRsvpEvent,
  closeRsvpEvent,
  exportRsvps,
  listRsvpEvents,
  readCheckInList,
  readRsvpEvent,
  removeRsvp,
  saveRsvpSettings,
  sendCheckIns,
} from '#contract/console/rsvp.ts'
import { refundRsvpOrder } from '#contract/console/money/payments.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { EventCancellationService } from './cancel-event.service.ts'
import type { CheckInService } from './check-in/check-in.service.ts'
import type { RsvpConsoleService } from './rsvp-console.service.ts'
import type { RsvpMoneyService } from './orders/rsvp-money.service.ts'

export function rsvpConsoleRoutes(
  server: Server,
  {
    rsvpConsole,
    checkIns,
    rsvpMoney,
    eventCancellations,
  }: {
    rsvpConsole: RsvpConsoleService
    checkIns: CheckInService
    rsvpMoney: RsvpMoneyService
    eventCancellations: EventCancellationService
  },
): void {
  server.serve(listRsvpEvents, async () => ({ events: await rsvpConsole.list() }))
  server.serve(readRsvpEvent, async ({ params }) => rsvpConsole.read(params.id))
  server.serve(saveRsvpSettings, async ({ officer, params, body }) =>
    rsvpConsole.save(requireOfficer(officer), params.id, body),
  )
  server.serve(closeRsvpEvent, async ({ officer, params }) => rsvpConsole.close(requireOfficer(officer), params.id))
  server.serve(cancelRsvpEvent, async ({ officer, params, body }) =>
    eventCancellations.cancel(requireOfficer(officer), params.id, body),
  )
  server.serve(readCheckInList, async ({ params }) => checkIns.read(params.id))
  server.serve(sendCheckIns, async ({ officer, params, body }) =>
    checkIns.store(requireOfficer(officer), params.id, body),
  )
  server.serve(removeRsvp, async ({ officer, params }) =>
    checkIns.remove(requireOfficer(officer), params.id, params.rsvpId),
  )
  server.serve(refundRsvpOrder, async ({ officer, params, body }) => ({
    amount: await rsvpMoney.refund(requireOfficer(officer), params.id, body),
  }))
  server.serveFile(exportRsvps, async ({ officer, params }) => checkIns.export(requireOfficer(officer), params.id))
}
