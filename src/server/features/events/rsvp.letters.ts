import type { Kysely } from 'kysely'
import { renderSVG } from 'uqr'
import type { Association } from '#contract/association.ts'
import type { EventDetails } from '#contract/events.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { sharp } from '#server/platform/sharp.ts'
import type { CertificateService } from './certificate.service.ts'
import { findOffer } from './offer.repository.ts'
import { doorCode, writeRsvpToken } from './rsvp-link.ts'
import { DOOR_CODE, rsvpLetter } from './rsvp.emails.ts'
import { findRsvp, type Rsvp } from './rsvp.repository.ts'
import type { RsvpNews } from './waitlist.ts'

type Payload = Record<string, unknown>

/** Letters about RSVPs, composed from what holds when they are sent. */
export function createRsvpLetters({
  db,
  secrets,
  siteUrl,
  events,
  association,
  certificates,
}: {
  db: Kysely<Schema>
  secrets: Secrets
  siteUrl: string
  events(): ReadonlyMap<string, EventDetails>
  association(): Promise<Association>
  certificates: Pick<CertificateService, 'printFor'>
}): Record<string, (payload: Payload) => Promise<OutgoingLetter | null>> {
  return {
    async 'letter.rsvp'({ rsvpId, about: told }) {
      const about = told as RsvpNews
      const rsvp = await findRsvp(db, String(rsvpId))
      const event = rsvp && events().get(rsvp.eventId)
      // The event may have gone from the content, and what was to be told may be true no longer.
      if (!rsvp?.email || !event || !isStillTrue(about, rsvp)) return null
      const offer = await findOffer(db, rsvp.eventId)
      const words = {
        name: rsvp.name,
        guests: rsvp.guests,
        meals: rsvp.meals,
        isWaiting: rsvp.place === 'waiting',
        event,
        creditHours: offer?.creditHours ?? null,
        url: `${siteUrl}/rsvp?${new URLSearchParams({ token: writeRsvpToken(secrets, rsvp.id) })}`,
        eventUrl: `${siteUrl}/events/${encodeURIComponent(event.id)}`,
      }
      const letter = { ...rsvpLetter(about, words, await association()), to: rsvp.email }
      if (about === 'certificate') {
        const { filename, content } = await certificates.printFor(rsvp)
        return { ...letter, attachments: [{ filename, contentType: 'application/pdf', content }] }
      }
      if (rsvp.place !== 'coming') return letter
      return { ...letter, attachments: [await doorPicture(doorCode(secrets, rsvp.id))] }
    },
  }
}

function isStillTrue(about: RsvpNews, { place, certificateAt, arrived }: Rsvp): boolean {
  if (about === 'cancelled' || about === 'removed') return place === 'cancelled'
  if (about === 'certificate') return certificateAt !== null && arrived > 0
  if (about === 'promoted' || about === 'reminder') return place === 'coming'
  return place !== 'cancelled'
}

/** Mail programs show no SVG, and a picture that comes along is there without a network too. */
async function doorPicture(code: string): Promise<NonNullable<OutgoingLetter['attachments']>[number]> {
  const svg = renderSVG(code, { border: 3, pixelSize: 12 })
  const content = await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
  return { filename: 'door-code.png', contentType: 'image/png', content, cid: DOOR_CODE }
}
