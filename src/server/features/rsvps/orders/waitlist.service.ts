import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import { sendRsvpEmail, type RsvpEmailKind } from '../rsvp.emails.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { eventSpan } from '#server/features/content-store/event-times.rules.ts'
import { eventDayStart } from '../event-rsvp.service.ts'
import { lockRsvpSettings } from '../rsvp-settings.repository.ts'
import type { RsvpSettings } from '../rsvp-settings.queries.ts'
import { countTakenTickets } from '../tickets/ticket-counts.repository.ts'
import { costOf, paymentDeadline, type Agreed } from './rsvp-price.rules.ts'
import { countTakenSeats, listWaiting, setRsvpStatus } from '../rsvp.repository.ts'
import { selectForPromotion } from '../rsvp.rules.ts'

/** Queues an RSVP email. Call in the transaction that causes it. The email is composed when it is sent, and dropped if it is out of date. */
export async function queueRsvpEmail(tx: Tx, rsvpId: string, about: RsvpEmailKind, now: number): Promise<void> {
  await addToOutbox(tx, { effect: sendRsvpEmail, payload: { rsvpId, about } }, now)
}

export function createWaitlist({ timeZone, cache }: AppContext) {
  const waitlist = {
    /** Promotes the waitlist of an event unless it has started. Locks the RSVP settings. */
    async promoteIfUpcoming(tx: Tx, eventId: string, now: number): Promise<void> {
      const settings = await lockRsvpSettings(tx, eventId)
      const event = cache.content().events.get(eventId)
      const startsAt = event ? eventSpan(event, timeZone).startsAt : null
      if (settings && startsAt !== null && now < startsAt) await waitlist.promote(tx, settings, now)
    },

    /**
     * Promotes parties from the waitlist to free seats and emails them. For a party that owes a payment, the seats are held until a deadline. Call with
     * the RSVP settings locked. Returns the number of promoted parties.
     */
    async promote(
      tx: Tx,
      { eventId, capacity, kinds }: Pick<RsvpSettings, 'eventId' | 'capacity' | 'kinds'>,
      now: number,
    ): Promise<number> {
      const taken = await countTakenSeats(tx, eventId, now)
      const deadline = paymentDeadline(eventDayStart(cache.content().events.get(eventId), timeZone), now)
      const owes = (one: Agreed) => costOf(one) > 0
      // If too little time is left to pay, only parties that owe nothing are promoted.
      const waiting = (await listWaiting(tx, eventId)).filter((one) => deadline !== null || !owes(one))
      const takenTickets = kinds.length === 0 ? new Map<string, number>() : await countTakenTickets(tx, eventId, now)
      const parties = selectForPromotion(waiting, { capacity, taken, kinds, takenTickets })
      for (const party of parties) {
        const toPay = deadline !== null && owes(party)
        await setRsvpStatus(
          tx,
          party.id,
          toPay ? { status: 'paying', payBy: deadline, now } : { status: 'coming', now },
        )
        await queueRsvpEmail(tx, party.id, 'promoted', now)
      }
      return parties.length
    },
  }
  return waitlist
}

export type Waitlist = ReturnType<typeof createWaitlist>
