import type { Kysely } from 'kysely'
import type { callOffRsvpEvent } from '#contract/console-rsvp.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { raiseContentVersion } from '../association/content.repository.ts'
import { holdOffer, markCalledOff } from './offer.repository.ts'
import type { RsvpConsoleService } from './rsvp-console.service.ts'
import { closeRsvpOrder, listOpenRsvpOrders } from './rsvp-order.repository.ts'
import { listSeatPayments } from './rsvp-refund.repository.ts'
import { askRefund } from './rsvp-refunds.ts'
import { removeRequestsOfEvent } from './rsvp-request.repository.ts'
import type { RsvpSettlementService } from './rsvp-settlement.service.ts'
import { cancelAll } from './rsvp.repository.ts'
import { tellGuest } from './waitlist.ts'

export interface CallOffService {
  /**
   * The event does not take place: whoever comes, pays or waits is told by letter, and all that was paid goes back, whatever the offer says about
   * refunds. Who pays at that very moment gets it back as well. @throws Problem NOT_FOUND, EVENT_IS_OVER, EVENT_IS_PAID for officers who may not give
   * money back, CHANGED_MEANWHILE when it was called off before
   */
  callOff(
    officer: Officer,
    eventId: string,
    told: BodyOf<typeof callOffRsvpEvent>,
  ): Promise<ReplyOf<typeof callOffRsvpEvent>>
}

export function createCallOffService({
  db,
  clock,
  console,
  settlements,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  console: Pick<RsvpConsoleService, 'line' | 'read'>
  settlements: Pick<RsvpSettlementService, 'end'>
  wakeOutbox(): void
}): CallOffService {
  return {
    async callOff({ accountId: actor, permissions }, eventId, { announcement: words }) {
      if ((await console.line(eventId)).state === 'over') throw new Problem('EVENT_IS_OVER')
      const { parties, refunded, orders } = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        // Whoever gives out seats of this event, or settles a payment for them, stands in line here.
        const held = await holdOffer(tx, eventId)
        if (!held) throw new Problem('NOT_FOUND')
        if (held.calledOff) throw new Problem('CHANGED_MEANWHILE')
        const paid = (await listSeatPayments(tx, { eventId })).filter(({ left }) => left > 0)
        if (paid.length > 0 && !permissions.includes('money.change')) throw new Problem('EVENT_IS_PAID')
        const open = await listOpenRsvpOrders(tx, eventId)
        for (const { id } of open) await closeRsvpOrder(tx, id, 'failed')
        const cancelled = await cancelAll(tx, eventId, now)
        await removeRequestsOfEvent(tx, eventId)
        // Walk-ins gave no address.
        const told = cancelled.filter(({ email }) => email !== null)
        for (const { id } of told) await tellGuest(tx, id, 'called-off', now)
        const why = { reason: 'called-off' as const, askedBy: actor, words }
        for (const { id, left } of paid) await askRefund(tx, { orderId: id, amount: left }, why, now)
        await markCalledOff(tx, eventId, { words, now })
        // The event's page and cards say so.
        await raiseContentVersion(tx)
        const amount = paid.reduce((sum, { left }) => sum + left, 0)
        const after = { words, parties: cancelled.length, refunded: amount }
        await writeAudit(
          tx,
          { actor, action: 'event.called_off', subjectId: eventId, details: { before: null, after } },
          now,
        )
        return { parties: told.length, refunded: amount, orders: open }
      })
      wakeOutbox()
      for (const order of orders) await settlements.end(order)
      return { parties, refunded, event: await console.read(eventId) }
    },
  }
}
