import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import { formatDeadline, formatMoment } from '#contract/dates.ts'
import type { EventDetails } from '#contract/events.ts'
import { formatMoney } from '#contract/money.ts'
import { refundSentence } from '#contract/rsvp-money.ts'
import type { Schema } from '#server/db/schema.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import { secretLink } from '#server/mail/secret-link.ts'
import type { Clock } from '#server/platform/clock.ts'
import { qrPicture } from '#server/platform/qr-picture.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { CertificateService } from './certificate.service.ts'
import { CURRENCY } from './event-offers.ts'
import { findOffer } from './offer.repository.ts'
import { listSeatPayments, sumCalledOffRefunds } from './rsvp-refund.repository.ts'
import { costOf } from './rsvp-price.rules.ts'
import { doorCode, writeRsvpToken } from './rsvp-link.ts'
import { DOOR_CODE, HAVE_NO_SEAT, rsvpLetter, type RsvpWords } from './rsvp.emails.ts'
import { findRequest } from './rsvp-request.repository.ts'
import { findRsvp, type Rsvp } from './rsvp.repository.ts'
import type { RsvpNews } from './waitlist.ts'

type Payload = Record<string, unknown>

/** Letters about RSVPs, composed from what holds when they are sent. */
export function createRsvpLetters({
  db,
  clock,
  secrets,
  siteUrl,
  timeZone,
  events,
  association,
  certificates,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  siteUrl: string
  timeZone: string
  events(): ReadonlyMap<string, EventDetails>
  association(): Promise<Association>
  certificates: Pick<CertificateService, 'printFor'>
}): Record<string, (payload: Payload) => Promise<OutgoingLetter | null>> {
  async function paidWords(
    { id, place }: Rsvp,
    refundUntil: string | null,
  ): Promise<Pick<RsvpWords, 'paid' | 'refund'>> {
    const payments = await listSeatPayments(db, { rsvpId: id })
    const left = payments.reduce((sum, payment) => sum + payment.left, 0)
    if (place !== 'coming' || left === 0) return { paid: null, refund: null }
    return { paid: formatMoney(left, payments[0]?.currency ?? CURRENCY), refund: refundSentence(refundUntil) }
  }

  /** Nothing once it was confirmed or withdrawn. */
  async function confirmation(id: string): Promise<OutgoingLetter | null> {
    const asked = await findRequest(db, id)
    const event = asked && events().get(asked.eventId)
    if (!asked || !event) return null
    const { name, guests, meals, seats, heldUntil, email } = asked
    const isHeld = seats > 0 && heldUntil > clock.now()
    const words = {
      name,
      guests,
      meals,
      event,
      owed: null,
      paid: null,
      refund: null,
      creditHours: null,
      calledOff: null,
      isWaiting: seats === 0,
      heldUntil: isHeld ? formatMoment(heldUntil, timeZone) : null,
      url: secretLink(siteUrl, '/rsvp', { token: writeRsvpToken(secrets, id) }),
      eventUrl: `${siteUrl}/events/${encodeURIComponent(event.id)}`,
    }
    return { ...rsvpLetter('confirm', words, await association()), to: email }
  }

  async function goesBack({ id }: Rsvp, calledOffAt: number): Promise<string | null> {
    const amount = await sumCalledOffRefunds(db, id, calledOffAt)
    return amount > 0 ? formatMoney(amount, CURRENCY) : null
  }

  return {
    async 'letter.rsvp'({ rsvpId, about: told }) {
      if (told === 'confirm') return confirmation(String(rsvpId))
      const rsvp = await findRsvp(db, String(rsvpId))
      const event = rsvp && events().get(rsvp.eventId)
      const offer = rsvp && (await findOffer(db, rsvp.eventId))
      const calledOff = offer?.calledOff ?? null
      // Where RSVPs were opened again meanwhile, the seats are gone all the same.
      const about = told === 'called-off' && !calledOff ? 'removed' : (told as RsvpNews)
      // The event may have gone from the content, and what was to be told may be true no longer.
      if (!rsvp?.email || !event || !isStillTrue(about, rsvp)) return null
      const words = {
        name: rsvp.name,
        guests: rsvp.guests,
        meals: rsvp.meals,
        isWaiting: rsvp.place === 'waiting',
        heldUntil: null,
        owed: owedWords(rsvp, timeZone),
        ...(await paidWords(rsvp, offer?.refundUntil ?? null)),
        event,
        creditHours: offer?.creditHours ?? null,
        calledOff: calledOff && { announcement: calledOff.words, goesBack: await goesBack(rsvp, calledOff.at) },
        url: secretLink(siteUrl, '/rsvp', { token: writeRsvpToken(secrets, rsvp.id) }),
        eventUrl: `${siteUrl}/events/${encodeURIComponent(event.id)}`,
      }
      const letter = { ...rsvpLetter(about, words, await association()), to: rsvp.email }
      if (about === 'certificate') {
        const { filename, content } = await certificates.printFor(rsvp)
        return { ...letter, attachments: [{ filename, contentType: 'application/pdf', content }] }
      }
      if (rsvp.place !== 'coming') return letter
      return { ...letter, attachments: [doorPicture(doorCode(secrets, rsvp.id))] }
    },
  }
}

function isStillTrue(about: RsvpNews, { place, certificateAt, arrived }: Rsvp): boolean {
  if (HAVE_NO_SEAT.includes(about)) return place === 'cancelled'
  if (about === 'certificate') return certificateAt !== null && arrived > 0
  if (about === 'promoted') return place === 'coming' || place === 'paying'
  if (about === 'reminder') return place === 'coming'
  return place !== 'cancelled'
}

function owedWords({ place, payBy, guests, ownPrice, guestPrice }: Rsvp, timeZone: string): RsvpWords['owed'] {
  if (place !== 'paying' || payBy === null) return null
  const amount = costOf({ own: ownPrice, guest: guestPrice }, guests)
  return { amount: formatMoney(amount, CURRENCY), by: formatDeadline(payBy, timeZone) }
}

/** Mail programs show no SVG, and a picture that comes along is there without a network too. */
function doorPicture(code: string): NonNullable<OutgoingLetter['attachments']>[number] {
  return { filename: 'door-code.png', contentType: 'image/png', content: qrPicture(code), cid: DOOR_CODE }
}
