import { ticketLines } from '#contract/tickets/tickets.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Db } from '#server/db/database.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { countCell, moneyCell, writeCsv } from '#server/lib/csv/csv.ts'
import { sumSeatPayments } from '../orders/rsvp-refund.repository.ts'
import type { Rsvp } from '../rsvp.repository.ts'

const FIRST = ['Name', 'Email', 'Guests']
const REST = ['Meals', 'Status', 'Arrived', 'Paid', 'RSVP at']

interface ExportedAttendees {
  by: Officer
  event: { id: string; title: string }
  rsvps: readonly Rsvp[]
  /** The first word of the file's name. */
  name: string
}

/** RSVPs of an event as a CSV file; the export is written to the audit log. */
export async function exportAttendeeFile(
  db: Db,
  { by, event, rsvps, name }: ExportedAttendees,
  now: number,
): Promise<ServedFile> {
  const details = { before: null, after: { title: event.title, rows: rsvps.length } }
  await writeAudit(db, { actor: by.accountId, action: 'rsvp.exported', subjectId: event.id, details }, now)
  const paid = await sumSeatPayments(db, { eventId: event.id })
  const hasTickets = rsvps.some(({ tickets }) => tickets.length > 0)
  const rows = rsvps.map((rsvp) => [
    rsvp.name,
    rsvp.email ?? '',
    countCell(rsvp.guests),
    ...(hasTickets ? [ticketLines(rsvp.tickets).join('; ')] : []),
    rsvp.meals.join('; '),
    rsvp.isWalkIn ? 'walk-in' : rsvp.status,
    countCell(rsvp.arrived),
    moneyCell(paid.get(rsvp.id) ?? 0),
    new Date(rsvp.askedAt).toISOString(),
  ])
  const filename = `${name}-${event.id.replaceAll(/[^A-Za-z0-9-]/g, '')}.csv`
  return {
    filename,
    content: Buffer.from(writeCsv([[...FIRST, ...(hasTickets ? ['Tickets'] : []), ...REST], ...rows])),
  }
}
