import type { AppContext } from '#server/app-context.ts'
import type { refundRsvpOrder } from '#contract/console/money/payments.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import type { Tx } from '#server/db/database.ts'
import type { RsvpSettings } from '../rsvp-settings.queries.ts'
import { lockRsvpSettings } from '../rsvp-settings.repository.ts'
import { findRsvpOrder } from './rsvp-order.commands.ts'
import { retryFailedRefunds, queuePartyRefund } from './rsvp-refunds.service.ts'
import { freeTickets } from '../tickets/ticket.rules.ts'
import { setAgreedPrices, setTickets, findRsvp, setRsvpStatus } from '../rsvp.repository.ts'
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
  /** A party whose money went back keeps its seats free of charge, or loses them to the waitlist. */
  async function keepOrRelease(
    tx: Tx,
    rsvpId: string,
    {
      keepsSeats,
      settings,
      actor,
      now,
    }: { keepsSeats: boolean; settings: RsvpSettings | null; actor: string; now: number },
  ): Promise<void> {
    const rsvp = await findRsvp(tx, rsvpId)
    if (!rsvp || rsvp.status === 'cancelled') return
    const { id, status, ownPrice, guestPrice } = rsvp
    const before = { place: status, ownPrice, guestPrice }
    // Its current guests count as paid for (`paidGuests`), so the price of further guests is unchanged. A party that is waiting or has not paid
    // yet has no seats to keep.
    const agreed = { ...before, ownPrice: status === 'coming' ? 0 : ownPrice }
    if (keepsSeats) {
      await setAgreedPrices(tx, id, agreed)
      if (status === 'coming') await setTickets(tx, id, freeTickets(rsvp.tickets))
    } else {
      await setRsvpStatus(tx, id, { status: 'cancelled', now })
      await queueRsvpEmail(tx, id, 'removed', now)
      if (settings) await waitlist.promote(tx, settings, now)
    }
    const details = { before, after: keepsSeats ? agreed : { ...before, place: 'cancelled' } }
    await writeAudit(tx, { actor, action: 'rsvp.refunded', subjectId: id, details }, now)
  }

  return {
    /** Takes the lock that serializes seat allocation for an event. */
    lockEvent: async (tx: Tx, eventId: string): Promise<void> => void (await lockRsvpSettings(tx, eventId)),

    /** The same for features that do not hold the lock's settings. */
    async keepOrReleaseSeats(
      tx: Tx,
      { rsvpId, eventId }: { rsvpId: string; eventId: string },
      { keepsSeats, actor, now }: { keepsSeats: boolean; actor: string; now: number },
    ): Promise<void> {
      const settings = await lockRsvpSettings(tx, eventId)
      await keepOrRelease(tx, rsvpId, { keepsSeats, settings, actor, now })
    },

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
        if (refunded === 0) throw new Problem('CHANGED_MEANWHILE')
        if (rsvpId !== null) await keepOrRelease(tx, rsvpId, { keepsSeats, settings, actor, now })
        return refunded
      })
      wakeOutbox()
      return amount
    },
  }
}

export type RsvpMoneyService = ReturnType<typeof createRsvpMoneyService>
