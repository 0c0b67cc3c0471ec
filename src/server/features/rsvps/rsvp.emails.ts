import { region } from '#contract/region.ts'
import type { AppContext } from '#server/app-context.ts'
import { z } from 'zod'
import { formatDeadline, formatMoment } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { refundTerms } from '#contract/public/rsvp-money.ts'
import { ticketLines } from '#contract/tickets/tickets.ts'
import type { Db } from '#server/db/database.ts'
import { defineEmail } from '#server/emails/define-email.ts'
import type { OutgoingEmail } from '#server/emails/email.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import { qrPicture } from '#server/lib/qr-picture.ts'
import type { CertificateService } from './check-in/certificate.service.ts'
import type { RsvpSettings } from './rsvp-settings.queries.ts'
import { findRsvpSettings } from './rsvp-settings.repository.ts'
import { listSeatPayments, sumCancellationRefunds } from './orders/rsvp-refund.repository.ts'
import { costOf } from './orders/rsvp-price.rules.ts'
import { checkInCode, createRsvpToken } from './rsvp-token.service.ts'
import { CHECK_IN_CODE_CID, EMAILS_WITHOUT_SEAT, rsvpEmail, type RsvpEmailContent } from './emails/rsvp-text.emails.ts'
import { rsvpSamples } from './emails/rsvp-samples.emails.ts'
import { findRequest } from './requests/rsvp-request.repository.ts'
import { findRsvp, type Rsvp } from './rsvp.repository.ts'

const kinds = z.enum([
  'confirm',
  'said',
  'again',
  'promoted',
  'lapsed',
  'changed',
  'cancelled',
  'removed',
  'called-off',
  'reminder',
  'certificate',
])
export type RsvpEmailKind = z.infer<typeof kinds>

/** Answers to what a guest just did. */
const REPLIES: readonly RsvpEmailKind[] = ['said', 'again', 'changed', 'cancelled']

type Tools = AppContext & {
  certificates: Pick<CertificateService, 'printFor'>
}

async function paidText(
  db: Db,
  { id, status }: Rsvp,
  refundUntil: string | null,
): Promise<Pick<RsvpEmailContent, 'paid' | 'refund'>> {
  const payments = await listSeatPayments(db, { rsvpId: id })
  const left = payments.reduce((sum, payment) => sum + payment.left, 0)
  if (status !== 'coming' || left === 0) return { paid: null, refund: null }
  return { paid: formatMoney(left, payments[0]?.currency ?? region().currency), refund: refundTerms(refundUntil) }
}

/** Returns null if the request was confirmed or withdrawn. */
async function confirmation(
  id: string,
  { db, clock, secrets, siteUrl, timeZone, cache, association }: Tools,
): Promise<OutgoingEmail | null> {
  const asked = await findRequest(db, id)
  const event = asked && cache.content().events.get(asked.eventId)
  if (!asked || !event) return null
  const { name, guests, meals, tickets, seats, heldUntil, email } = asked
  const isHeld = seats > 0 && heldUntil > clock.now()
  const content = {
    name,
    guests,
    meals,
    tickets: ticketLines(tickets),
    event,
    amountDue: null,
    paid: null,
    refund: null,
    creditHours: null,
    note: null,
    cancellation: null,
    isWaiting: seats === 0,
    heldUntil: isHeld ? formatMoment(heldUntil, timeZone) : null,
    url: secretLink(siteUrl, '/rsvp', { token: createRsvpToken(secrets, id) }),
    eventUrl: `${siteUrl}/events/${encodeURIComponent(event.id)}`,
  }
  return { ...rsvpEmail('confirm', content, await association()), to: email }
}

async function refundText(db: Db, { id }: Rsvp, calledOffAt: number): Promise<string | null> {
  const amount = await sumCancellationRefunds(db, id, calledOffAt)
  return amount > 0 ? formatMoney(amount, region().currency) : null
}

export const sendRsvpEmail = defineEmail({
  kind: 'email.rsvp',
  name: 'RSVP',
  samples: rsvpSamples,
  payload: z.object({ rsvpId: z.string(), about: kinds }),
  subject: 'rsvpId',
  // Confirmations go to one person; reminders and certificates go to every attendee.
  priority: ({ about }) => (about === 'reminder' || about === 'certificate' ? 'reminder' : 'personal'),
  purpose: ({ about }) => (REPLIES.includes(about) ? 'reply' : about === 'reminder' ? 'reminder' : 'update'),
  async compose({ rsvpId, about: kind }, tools: Tools) {
    const { db, secrets, siteUrl, timeZone, cache, association, certificates } = tools
    if (kind === 'confirm') return confirmation(rsvpId, tools)
    const rsvp = await findRsvp(db, rsvpId)
    const event = rsvp && cache.content().events.get(rsvp.eventId)
    const settings = rsvp && (await findRsvpSettings(db, rsvp.eventId))
    const calledOff = settings?.calledOff ?? null
    // If RSVPs were reopened in the meantime, the guest still lost the seats.
    const about = kind === 'called-off' && !calledOff ? 'removed' : kind
    // The event may have been deleted, or the email may be out of date.
    if (!rsvp?.email || !event || !isUpToDate(about, rsvp)) return null
    const content = {
      name: rsvp.name,
      guests: rsvp.guests,
      meals: rsvp.meals,
      tickets: ticketLines(rsvp.tickets),
      isWaiting: rsvp.status === 'waiting',
      heldUntil: null,
      amountDue: dueText(rsvp, timeZone),
      ...(await paidText(db, rsvp, settings?.refundUntil ?? null)),
      event,
      creditHours: settings?.creditHours ?? null,
      note: noteFor(about, rsvp, settings),
      cancellation: calledOff && {
        announcement: calledOff.text,
        goesBack: await refundText(db, rsvp, calledOff.at),
      },
      url: secretLink(siteUrl, '/rsvp', { token: createRsvpToken(secrets, rsvp.id) }),
      eventUrl: `${siteUrl}/events/${encodeURIComponent(event.id)}`,
    }
    const email = { ...rsvpEmail(about, content, await association()), to: rsvp.email }
    if (about === 'certificate') {
      const { filename, content: pdf } = await certificates.printFor(rsvp)
      return { ...email, attachments: [{ filename, contentType: 'application/pdf', content: pdf }] }
    }
    if (rsvp.status !== 'coming') return email
    return { ...email, attachments: [qrAttachment(checkInCode(secrets, rsvp.id))] }
  },
})

/** Guests with a seat read the notes; the others get them with the confirmation. */
function noteFor(about: RsvpEmailKind, { status }: Rsvp, settings: RsvpSettings | null): string | null {
  if (status !== 'coming') return null
  if (about === 'reminder') return settings?.reminderNote ?? null
  return about === 'said' || about === 'promoted' ? (settings?.confirmationNote ?? null) : null
}

function isUpToDate(about: RsvpEmailKind, { status, certificateAt, arrived }: Rsvp): boolean {
  if (EMAILS_WITHOUT_SEAT.includes(about)) return status === 'cancelled'
  if (about === 'certificate') return certificateAt !== null && arrived > 0
  if (about === 'promoted') return status === 'coming' || status === 'paying'
  if (about === 'reminder') return status === 'coming'
  return status !== 'cancelled'
}

function dueText(rsvp: Rsvp, timeZone: string): RsvpEmailContent['amountDue'] {
  const { status, payBy } = rsvp
  if (status !== 'paying' || payBy === null) return null
  return { amount: formatMoney(costOf(rsvp), region().currency), by: formatDeadline(payBy, timeZone) }
}

/** Email clients do not render SVG, and an attached image is available offline. */
function qrAttachment(code: string): NonNullable<OutgoingEmail['attachments']>[number] {
  return { filename: 'door-code.png', contentType: 'image/png', content: qrPicture(code), cid: CHECK_IN_CODE_CID }
}
