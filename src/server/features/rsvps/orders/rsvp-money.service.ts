import type { AppContext } from '#server/app-context.ts'
import type { refundRsvpOrder } from '#contract/console/payments.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { lockRsvpSettings } from '../rsvp-settings.repository.ts'
import { findRsvpOrder } from './rsvp-order.commands.ts'
import { retryFailedRefunds, queuePartyRefund } from './rsvp-refunds.service.ts'
import { setAgreedPrices, findRsvp, setRsvpStatus } from '../rsvp.repository.ts'
import { queueRsvpEmail, type Waitlist } from './waitlist.service.ts'

export function createRsvpMoneyService(
  { db, clock, wakeOutbox }: AppContext,
  {
    waitlist,
    guard,
  }: {
    waitlist: Waitlist
    guard: ActAuthorizer
  },
) {
  return {
    /**
     * Refunds everything that a party paid and that was not yet refunded, and returns the amount. The party either keeps its seats free of charge,
     * while guests added later pay, or it loses them to the waitlist. If a refund of the order failed at the bank, only that refund is made again.
     * @throws Problem NOT_FOUND, OWN_ACCOUNT, CHANGED_MEANWHILE if nothing is left to refund
     */
    async refund(
      { accountId: actor }: Officer,
      orderId: string,
      { reason, keepsSeats }: BodyOf<typeof refundRsvpOrder>,
    ): Promise<number> {
      const amount = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const order = await findRsvpOrder(tx, orderId)
        if (!order) throw new Problem('NOT_FOUND')
        const owner = await findAccountByEmail(tx, order.email)
        if (owner) await guard.require(tx, { act: 'refundRsvpOrder', by: actor, on: owner.id })
        if (order.state !== 'paid') throw new Problem('NOT_FOUND')
        const settings = await lockRsvpSettings(tx, order.eventId)
        const retried = await retryFailedRefunds(tx, orderId, { askedBy: actor, note: reason }, now)
        if (retried > 0) return retried
        // An order that got no seats was refunded automatically; the seats of this party were paid by another order.
        const rsvpId = order.isSeated ? order.rsvpId : null
        const refund = { reason: 'officer' as const, askedBy: actor, note: reason }
        const refunded = rsvpId === null ? 0 : await queuePartyRefund(tx, { rsvpId, amount: Infinity }, refund, now)
        const rsvp = rsvpId === null ? null : await findRsvp(tx, rsvpId)
        if (refunded === 0) throw new Problem('CHANGED_MEANWHILE')
        if (!rsvp || rsvp.status === 'cancelled') return refunded
        const { id, status, ownPrice, guestPrice } = rsvp
        const before = { place: status, ownPrice, guestPrice }
        // Its current guests count as paid for (`paidGuests`), so the price of further guests is unchanged. A party that is waiting or has not paid
        // yet has no seats to keep.
        const agreed = { ...before, ownPrice: status === 'coming' ? 0 : ownPrice }
        if (keepsSeats) await setAgreedPrices(tx, id, agreed)
        else {
          await setRsvpStatus(tx, id, { status: 'cancelled', now })
          await queueRsvpEmail(tx, id, 'removed', now)
          if (settings) await waitlist.promote(tx, settings, now)
        }
        const details = { before, after: keepsSeats ? agreed : { ...before, place: 'cancelled' } }
        await writeAudit(tx, { actor, action: 'rsvp.refunded', subjectId: id, details }, now)
        return refunded
      })
      wakeOutbox()
      return amount
    },
  }
}

export type RsvpMoneyService = ReturnType<typeof createRsvpMoneyService>
