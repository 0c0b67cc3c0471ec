import type { AppContext } from '#server/app-context.ts'
import { messages } from '#contract/messages.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { eventSpan } from '#server/features/content-store/event-times.rules.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import {
  faulty,
  type ManualKind,
  type ManualRow,
  type RowFault,
} from '#server/features/orders/payments/manual-kind.registry.ts'
import { manualOrderRows } from '#server/features/orders/payments/manual-order-row.commands.ts'
import { orderPaymentCommands } from '#server/features/orders/order-payment.commands.ts'
import { lockRsvpSettings } from '../rsvp-settings.repository.ts'
import type { RsvpSettings } from '../rsvp-settings.queries.ts'
import { countTakenSeats, findRsvpByEmail, type Rsvp } from '../rsvp.repository.ts'
import { giveSeats } from './give-seats.service.ts'
import { sendSeatReceipt } from './rsvp-money.emails.ts'
import { rsvpOrders } from './rsvp-order.commands.ts'
import { findOpenRsvpOrder } from './rsvp-order.repository.ts'
import { hasTicketsLeft } from '../tickets/ticket-counts.repository.ts'
import { addTickets } from '../tickets/ticket.rules.ts'
import { partySize } from '../rsvp.rules.ts'
import { costOf, partyCost, partyLines, pricesFor, type Prices } from './rsvp-price.rules.ts'
import { listSeatPayments } from './rsvp-refund.repository.ts'
import type { Waitlist } from './waitlist.service.ts'

const payments = orderPaymentCommands('rsvpOrder', 'seats')

/** Seats that were paid outside the card provider, recorded by officers. */
export function createManualSeats(
  { clock, cache, timeZone, yearOf }: AppContext,
  {
    guard,
    waitlist,
    isMember,
  }: { guard: ActAuthorizer; waitlist: Waitlist; isMember(handle: Db, email: string): Promise<boolean> },
): ManualKind {
  /** What the party pays now, and how many seats it needs besides those it has. */
  async function priceOf(tx: Tx, settings: RsvpSettings, existing: Rsvp | null, { email, guests }: ManualRow) {
    if (existing && existing.tickets.length > 0 && existing.status !== 'cancelled') {
      const { status, ownPrice: own, guestPrice: guest } = existing
      const paid = (await listSeatPayments(tx, { rsvpId: existing.id })).reduce((sum, { left }) => sum + left, 0)
      const seats = status === 'coming' ? 0 : partySize(existing)
      return { agreed: { own, guest }, price: Math.max(0, costOf(existing) - paid), seats }
    }
    if (existing?.status !== 'coming') {
      // Seats from before the event had kinds of tickets keep their prices.
      const isKept = existing !== null && settings.kinds.length > 0
      const agreed = isKept
        ? { own: existing.ownPrice, guest: existing.guestPrice }
        : pricesFor(settings, await isMember(tx, email))
      return { agreed, price: partyCost(agreed, guests), seats: 1 + guests }
    }
    const agreed: Prices = { own: existing.ownPrice, guest: existing.guestPrice }
    const paid = (await listSeatPayments(tx, { rsvpId: existing.id })).reduce((sum, { left }) => sum + left, 0)
    const size = Math.max(guests, existing.guests)
    return { agreed, price: Math.max(0, partyCost(agreed, size) - paid), seats: size - existing.guests }
  }

  const rows = manualOrderRows(payments, { guard, yearOf })
  return {
    async plan(tx, row, by, batch) {
      const { eventId, email, guests, amount } = row
      const settings = eventId === '' ? null : await lockRsvpSettings(tx, eventId)
      const event = cache.content().events.get(eventId)
      const fault = (field: RowFault['field'], message: string) => faulty([{ field, message }], row.name)
      if (!settings || !event) return fault('eventId', 'Please choose an event that takes RSVPs')
      if (settings.price === null && settings.kinds.length === 0) return fault('eventId', 'This event is free')
      if (settings.calledOff !== null) return fault('eventId', 'This event is canceled')
      const owner = `${eventId}/${nameKey(email)}`
      const reference = await rows.refer(tx, { row, by, batch, owner, payer: row.name })
      if (typeof reference !== 'string') return reference
      const existing = await findRsvpByEmail(tx, eventId, email)
      const hasTickets = existing !== null && existing.status !== 'cancelled' && existing.tickets.length > 0
      if (settings.kinds.length > 0 && (existing === null || existing.status === 'cancelled'))
        return fault(
          'email',
          'This event has kinds of tickets. Add the guest under RSVPs first, then record the payment',
        )
      const { agreed, price, seats } = await priceOf(tx, settings, existing, row)
      if (price === 0) return fault('email', 'The seats of this party are paid')
      const now = clock.now()
      // The seats that a party from the waitlist was offered, or that its open payment page holds, are its own.
      const open = await findOpenRsvpOrder(tx, { eventId, email })
      const own = (open?.seats ?? 0) + (existing?.status === 'paying' ? 1 + existing.guests : 0)
      const taken = (await countTakenSeats(tx, eventId, now)) - own + (batch.seats.get(eventId) ?? 0)
      const left = settings.capacity === null ? Infinity : Math.max(0, settings.capacity - taken)
      if (seats > left) return fault('guests', left === 1 ? 'Only 1 seat is left' : `Only ${left} seats are left`)
      batch.seats.set(eventId, (batch.seats.get(eventId) ?? 0) + seats)
      const isKept = hasTickets || existing?.status === 'coming'
      const planned = batch.tickets.get(eventId) ?? new Map<string, number>()
      const ownOrder = { now, orderId: open?.id, rsvpId: existing?.id, planned }
      if (hasTickets && seats > 0 && !(await hasTicketsLeft(tx, settings, existing, ownOrder)))
        return fault('email', messages.rsvp.ticketsFew)
      // Those of a party that was offered them are counted already.
      if (hasTickets && existing.status === 'waiting') addTickets(planned, existing.tickets)
      batch.tickets.set(eventId, planned)
      // The tickets of a party decide how many it is.
      const size = 1 + (hasTickets ? existing.guests : Math.max(guests, isKept ? (existing?.guests ?? 0) : 0))
      const party = size === 1 ? '1 seat' : `${size} seats`
      return {
        faults: [],
        payer: existing?.name ?? row.name,
        price,
        sentences: [
          existing?.status === 'coming'
            ? `The party of ${existing.name} has ${party} at ${event.title}, now paid.`
            : `${party} at ${event.title}: a new RSVP.`,
        ],
        async record(at) {
          if (open) await rsvpOrders.close(tx, open.id, 'failed')
          const ordered = {
            eventId,
            email: existing?.email ?? email,
            name: existing?.name ?? row.name,
            guests: size - 1,
            meals: existing?.meals ?? [],
            tickets: hasTickets ? existing.tickets : [],
            ownPrice: agreed.own,
            guestPrice: agreed.guest,
          }
          const { endsAt } = eventSpan(event, timeZone)
          const rsvpId = await giveSeats(tx, ordered, existing, { now: at, isAhead: endsAt === null || at < endsAt })
          const lines = partyLines(ordered)
          const isPrice = lines.reduce((sum, line) => sum + line.amount * line.quantity, 0) === amount
          const { order: paid, recorded } = rows.orderOf(row, reference, at)
          const { id } = recorded
          const order = {
            ...ordered,
            ...paid,
            title: event.title,
            rsvpId,
            emailKey: nameKey(ordered.email),
            meals: JSON.stringify(ordered.meals),
            seats: 0,
            tickets: JSON.stringify(ordered.tickets),
            baseTickets: JSON.stringify(ordered.tickets),
            lines: JSON.stringify(isPrice ? lines : [{ name: party, amount, quantity: 1 }]),
            isSeated: 1,
          }
          await tx.insertInto('rsvpOrder').values(order).execute()
          await payments.enterManual(tx, order, at)
          await rows.audit(tx, row, { by, action: 'rsvp-payment.recorded', id, now: at })
          await addToOutbox(tx, { effect: sendSeatReceipt, payload: { id }, dedupeKey: `rsvp-receipt:${id}` }, at)
          await waitlist.promoteIfUpcoming(tx, eventId, at)
          return recorded
        },
      }
    },
  }
}
