import type { AppContext } from '#server/app-context.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { ServedFile } from '#server/http/serve.ts'
import { renderPdf } from '#server/emails/receipt-pdf.ts'
import { Problem } from '#server/lib/problem.ts'
import { findRsvpSettings } from '../rsvp-settings.repository.ts'
import { readRsvpToken } from '../rsvp-token.service.ts'
import { findRsvp, type Rsvp } from '../rsvp.repository.ts'

export function createCertificateService({ db, secrets, timeZone, association, cache }: AppContext) {
  /** @throws Problem RSVP_LINK_INVALID if no certificate was issued */
  async function printFor(rsvp: Rsvp): Promise<ServedFile> {
    const event = cache.content().events.get(rsvp.eventId)
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
    /** Prints the certificate for an emailed link. @throws Problem RSVP_LINK_INVALID, also for a guest who did not attend */
    async print(token: string): Promise<ServedFile> {
      const id = readRsvpToken(secrets, token)
      const rsvp = id === null ? null : await findRsvp(db, id)
      if (!rsvp) throw new Problem('RSVP_LINK_INVALID')
      return printFor(rsvp)
    },
  }
}

export type CertificateService = ReturnType<typeof createCertificateService>
