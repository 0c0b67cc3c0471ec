import type { Kysely } from 'kysely'
import type { refundRsvpOrder } from '#contract/console-payments.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { findAccountByEmail } from '../account/account.repository.ts'
import type { ActGuard } from '../console/act-guard.ts'
import { holdOffer } from './offer.repository.ts'
import { findRsvpOrder } from './rsvp-order.repository.ts'
import { askFailedAgain, askRefundOf } from './rsvp-refunds.ts'
import { agreePrices, findRsvp, movePlace } from './rsvp.repository.ts'
import { tellGuest, type Waitlist } from './waitlist.ts'

export interface RsvpMoneyService {
  /**
   * Gives back all that a party paid and has not got back. Answers how much. It keeps its seats, which cost nothing from then on, but those of
   * guests who join it later do; or it loses them, and whoever waits moves up. Where a refund of the order failed at the bank, that alone is made again.
   * @throws Problem NOT_FOUND, OWN_ACCOUNT, CHANGED_MEANWHILE when nothing is left to give back
   */
  refund(officer: Officer, orderId: string, wanted: BodyOf<typeof refundRsvpOrder>): Promise<number>
}

export function createRsvpMoneyService({
  db,
  clock,
  waitlist,
  guard,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  waitlist: Waitlist
  guard: ActGuard
  wakeOutbox(): void
}): RsvpMoneyService {
  return {
    async refund({ accountId: actor }, orderId, { reason, keepsSeats }) {
      const amount = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const order = await findRsvpOrder(tx, orderId)
        if (!order) throw new Problem('NOT_FOUND')
        const owner = await findAccountByEmail(tx, order.email)
        if (owner) await guard.require(tx, { act: 'refundRsvpOrder', by: actor, on: owner.id })
        if (order.state !== 'paid') throw new Problem('NOT_FOUND')
        const held = await holdOffer(tx, order.eventId)
        const again = await askFailedAgain(tx, orderId, { askedBy: actor, words: reason }, now)
        if (again > 0) return again
        // A payment that became no seats went back by itself; what the party paid for those it has is another one.
        const rsvpId = order.isSeated ? order.rsvpId : null
        const why = { reason: 'officer' as const, askedBy: actor, words: reason }
        const asked = rsvpId === null ? 0 : await askRefundOf(tx, { rsvpId, amount: Infinity }, why, now)
        const rsvp = rsvpId === null ? null : await findRsvp(tx, rsvpId)
        if (asked === 0) throw new Problem('CHANGED_MEANWHILE')
        if (!rsvp || rsvp.place === 'cancelled') return asked
        const { id, place, ownPrice, guestPrice } = rsvp
        const before = { place, ownPrice, guestPrice }
        // Guests it has count as paid for (`paidGuests`), so the price of others stays. Whoever waits or is yet to pay holds no seats to keep.
        const kept = { ...before, ownPrice: place === 'coming' ? 0 : ownPrice }
        if (keepsSeats) await agreePrices(tx, id, kept)
        else {
          await movePlace(tx, id, { place: 'cancelled', now })
          await tellGuest(tx, id, 'removed', now)
          if (held) await waitlist.promote(tx, held, now)
        }
        const details = { before, after: keepsSeats ? kept : { ...before, place: 'cancelled' } }
        await writeAudit(tx, { actor, action: 'rsvp.refunded', subjectId: id, details }, now)
        return asked
      })
      wakeOutbox()
      return amount
    },
  }
}
