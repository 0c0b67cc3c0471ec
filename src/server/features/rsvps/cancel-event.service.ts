import type { AppContext } from '#server/app-context.ts'
import type { cancelRsvpEvent } from '#contract/console/rsvp.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { lockRsvpSettings, markEventCanceled } from './rsvp-settings.repository.ts'
import type { RsvpConsoleService } from './rsvp-console.service.ts'
import { rsvpOrders } from './orders/rsvp-order.commands.ts'
import { listOpenRsvpOrders } from './orders/rsvp-order.repository.ts'
import { listSeatPayments } from './orders/rsvp-refund.repository.ts'
import { queueRefund } from './orders/rsvp-refunds.service.ts'
import { removeRequestsOfEvent } from './requests/rsvp-request.repository.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import { cancelAllRsvps } from './rsvp.repository.ts'
import { queueRsvpEmail } from './orders/waitlist.service.ts'

export function createEventCancellationService(
  { db, clock, wakeOutbox, cache }: AppContext,
  {
    console,
    orders,
  }: {
    console: Pick<RsvpConsoleService, 'line' | 'read'>
    orders: Pick<Orders, 'expirePage'>
  },
) {
  return {
    /**
     * Cancels the event: emails every guest who has a seat, is paying or is on the waitlist, and refunds every payment regardless of the refund
     * deadline. A payment in progress is refunded as well.
     * @throws Problem NOT_FOUND, EVENT_IS_OVER, EVENT_IS_PAID for officers who may not refund, CHANGED_MEANWHILE if it was already canceled
     */
    async cancel(
      { accountId: actor, permissions }: Officer,
      eventId: string,
      { announcement: message }: BodyOf<typeof cancelRsvpEvent>,
    ): Promise<ReplyOf<typeof cancelRsvpEvent>> {
      if ((await console.line(eventId)).state === 'over') throw new Problem('EVENT_IS_OVER')
      const { parties, refunded, open } = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        // This row lock serializes seat allocation and payment processing for the event.
        const settings = await lockRsvpSettings(tx, eventId)
        if (!settings) throw new Problem('NOT_FOUND')
        if (settings.calledOff) throw new Problem('CHANGED_MEANWHILE')
        const paid = (await listSeatPayments(tx, { eventId })).filter(({ left }) => left > 0)
        if (paid.length > 0 && !permissions.includes('money.change')) throw new Problem('EVENT_IS_PAID')
        const open = await listOpenRsvpOrders(tx, eventId)
        for (const { id } of open) await rsvpOrders.close(tx, id, 'failed')
        const cancelled = await cancelAllRsvps(tx, eventId, now)
        await removeRequestsOfEvent(tx, eventId)
        // Walk-ins have no email address.
        const emailed = cancelled.filter(({ email }) => email !== null)
        for (const { id } of emailed) await queueRsvpEmail(tx, id, 'called-off', now)
        const refund = { reason: 'called-off' as const, askedBy: actor, note: message }
        for (const { id, left } of paid) await queueRefund(tx, { orderId: id, amount: left }, refund, now)
        await markEventCanceled(tx, eventId, { note: message, now })
        // The event's page and cards show that it is canceled.
        await incrementContentVersion(tx)
        const amount = paid.reduce((sum, { left }) => sum + left, 0)
        const after = { words: message, parties: cancelled.length, refunded: amount }
        await writeAudit(
          tx,
          { actor, action: 'event.called_off', subjectId: eventId, details: { before: null, after } },
          now,
        )
        return { parties: emailed.length, refunded: amount, open }
      })
      wakeOutbox()
      await cache.refresh()
      for (const order of open) await orders.expirePage(order)
      return { parties, refunded, event: await console.read(eventId) }
    },
  }
}

export type EventCancellationService = ReturnType<typeof createEventCancellationService>
