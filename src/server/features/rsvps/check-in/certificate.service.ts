import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import { formatLongDate } from '#contract/dates.ts'
import type { EventDetails } from '#contract/events.ts'
import type { Schema } from '#server/db/schema.ts'
import type { ServedFile } from '#server/http/serve.ts'
import { printPaper } from '#server/mail/receipt-pdf.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { findOffer } from './offer.repository.ts'
import { readRsvpToken } from './rsvp-link.ts'
import { findRsvp, type Rsvp } from './rsvp.repository.ts'

export interface CertificateService {
  /** By the link of a letter. @throws Problem RSVP_LINK_INVALID also for somebody who was not there */
  print(token: string): Promise<ServedFile>
  /** @throws Problem RSVP_LINK_INVALID when it was not given */
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
    const offer = await findOffer(db, rsvp.eventId)
    const sender = await association()
    const facts: [string, string][] = [
      ['Attended by', rsvp.name],
      ['Event', event.title],
      ['Date', event.date],
      ['Place', event.location],
      ...(offer?.creditHours ? [['Credit hours', String(offer.creditHours)] as [string, string]] : []),
      ['Issued', formatLongDate(rsvp.certificateAt, timeZone)],
      ['Number', rsvp.id.toUpperCase()],
    ]
    const notes = [
      `${sender.name} confirms that the person named above was checked in at this event.`,
      `To have this confirmed, write to ${sender.email} with its number.`,
    ]
    const title = 'Certificate of attendance'
    const content = await printPaper({ title, heading: title, at: rsvp.certificateAt, facts, notes }, sender)
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
