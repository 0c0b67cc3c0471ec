import type { Kysely } from 'kysely'
import type { refundRsvpOrder } from '#contract/console-payments.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { holdOffer } from './offer.repository.ts'
import { findRsvpOrder } from './rsvp-order.repository.ts'
import { askRefundOf } from './rsvp-refunds.ts'
import { agreePrices, findRsvp, movePlace } from './rsvp.repository.ts'
import { tellGuest, type Waitlist } from './waitlist.ts'

export interface RsvpMoneyService {
  /**
   * Gives back all that a party paid and has not got back. Answers how much. It keeps its seats, which cost nothing from then on; or it loses them, and
   * whoever waits moves up. @throws Problem NOT_FOUND, CHANGED_MEANWHILE when nothing is left to give back
   */
  refund(officer: Officer, orderId: string, wanted: BodyOf<typeof refundRsvpOrder>): Promise<number>
}

export function createRsvpMoneyService({
  db,
  clock,
  waitlist,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  waitlist: Waitlist
  wakeOutbox(): void
}): RsvpMoneyService {
  return {
    async refund({ accountId: actor }, orderId, { reason, keepsSeats }) {
      const amount = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const order = await findRsvpOrder(tx, orderId)
        if (!order || order.state !== 'paid') throw new Problem('NOT_FOUND')
        const held = await holdOffer(tx, order.eventId)
        const { rsvpId } = order
        const why = { reason: 'officer' as const, askedBy: actor, words: reason }
        const asked = rsvpId === null ? 0 : await askRefundOf(tx, { rsvpId, amount: Infinity }, why, now)
        const rsvp = rsvpId === null ? null : await findRsvp(tx, rsvpId)
        if (asked === 0) throw new Problem('CHANGED_MEANWHILE')
        if (!rsvp || rsvp.place === 'cancelled') return asked
        const { id, place, ownPrice, guestPrice } = rsvp
        if (keepsSeats) await agreePrices(tx, id, { ownPrice: 0, guestPrice: 0 })
        else {
          await movePlace(tx, id, { place: 'cancelled', now })
          await tellGuest(tx, id, 'removed', now)
          if (held) await waitlist.promote(tx, held, now)
        }
        const details = {
          before: { place, ownPrice, guestPrice },
          after: keepsSeats ? { place, ownPrice: 0, guestPrice: 0 } : { place: 'cancelled', ownPrice, guestPrice },
        }
        await writeAudit(tx, { actor, action: 'rsvp.refunded', subjectId: id, details }, now)
        return asked
      })
      wakeOutbox()
      return amount
    },
  }
}
