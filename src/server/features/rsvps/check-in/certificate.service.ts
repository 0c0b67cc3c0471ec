import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { EventDetails } from '#contract/public/events.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { ServedFile } from '#server/http/serve.ts'
import { renderPdf } from '#server/emails/receipt-pdf.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { findRsvpSettings } from '../rsvp-settings.repository.ts'
import { readRsvpToken } from '../rsvp-token.service.ts'
import { findRsvp, type Rsvp } from '../rsvp.repository.ts'

export interface CertificateService {
  /** Prints the certificate for an emailed link. @throws Problem RSVP_LINK_INVALID, also for a guest who did not attend */
  print(token: string): Promise<ServedFile>
  /** @throws Problem RSVP_LINK_INVALID if no certificate was issued */
  printFor(rsvp: Rsvp): Promise<ServedFile>
}

export function createCertificateService({
  db,
  secrets,
  timeZone,
  events,
  association,
}: {
  db: Kysely<Schema>
  secrets: Secrets
  timeZone: string
  events(): ReadonlyMap<string, EventDetails>
  association(): Promise<Association>
}): CertificateService {
  async function printFor(rsvp: Rsvp): Promise<ServedFile> {
    const event = events().get(rsvp.eventId)
    if (!event || rsvp.certificateAt === null || rsvp.arrived === 0) throw new Problem('RSVP_LINK_INVALID')
    const settings = await findRsvpSettings(db, rsvp.eventId)
    const sender = await association()
    const fields: [string, string][] = [
      ['Attended by', rsvp.name],
      ['Event', event.title],
      ['Date', event.date],
      ['Place', event.location],
      ...(settings?.creditHours ? [['Credit hours', String(settings.creditHours)] as [string, string]] : []),
      ['Issued', formatLongDate(rsvp.certificateAt, timeZone)],
      ['Number', rsvp.id.toUpperCase()],
    ]
    const notes = [
      `${sender.name} confirms that the person named above was checked in at this event.`,
      `To verify this certificate, email ${sender.email} with its number.`,
    ]
    const title = 'Certificate of attendance'
    const content = await renderPdf(
      { title, heading: title, createdAt: rsvp.certificateAt, details: fields, notes },
      sender,
    )
    return { filename: `certificate-${event.id.replaceAll(/[^A-Za-z0-9-]/g, '')}.pdf`, content }
  }

  return {
    printFor,
    async print(token) {
      const id = readRsvpToken(secrets, token)
      const rsvp = id === null ? null : await findRsvp(db, id)
      if (!rsvp) throw new Problem('RSVP_LINK_INVALID')
      return printFor(rsvp)
    },
  }
}
