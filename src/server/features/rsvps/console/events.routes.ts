import {
  addAttendee,
  copyEvent,
  exportAttendees,
  listAttendees,
  listEvents,
  offerSeat,
  previewGuestMessage,
  readEvent,
  readEventEmails,
  saveEventNotes,
  sendGuestMessage,
} from '#contract/console/events/events.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { Attendees } from './attendees.service.ts'
import type { EventList } from './event-list.service.ts'
import type { GuestMessages } from './guest-messages.service.ts'

export function eventsRoutes(
  server: Server,
  { eventList, attendees, guestMessages }: { eventList: EventList; attendees: Attendees; guestMessages: GuestMessages },
): void {
  server.serve(listEvents, async ({ query }) => eventList.list(query))
  server.serve(readEvent, async ({ params }) => eventList.read(params.id))
  server.serve(copyEvent, async ({ officer, params, body }) =>
    eventList.copy(requireOfficer(officer), params.id, body.startsOn),
  )
  server.serve(listAttendees, async ({ params, query }) => attendees.list(params.id, query))
  server.serveFile(exportAttendees, async ({ officer, params, query }) =>
    attendees.export(requireOfficer(officer), params.id, query),
  )
  server.serve(addAttendee, async ({ officer, params, body }) =>
    attendees.add(requireOfficer(officer), params.id, body),
  )
  server.serve(offerSeat, async ({ officer, params }) =>
    attendees.offerSeat(requireOfficer(officer), params.id, params.rsvpId),
  )
  server.serve(readEventEmails, async ({ params }) => guestMessages.read(params.id))
  server.serve(saveEventNotes, async ({ officer, params, body }) =>
    guestMessages.saveNotes(requireOfficer(officer), params.id, body),
  )
  server.serve(previewGuestMessage, async ({ params, body }) => guestMessages.preview(params.id, body))
  server.serve(sendGuestMessage, async ({ officer, params, body }) =>
    guestMessages.send(requireOfficer(officer), params.id, body),
  )
}
