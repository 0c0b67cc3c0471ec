import type { AppContext } from '#server/app-context.ts'
import type * as z from 'zod/mini'
import type { EventDetails } from '#contract/public/events.ts'
import { HOLD_MINUTES, type changeRsvp, type OwnRsvp, type rsvpBody, type sendRsvp } from '#contract/public/rsvp.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { Problem } from '#server/lib/problem.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { toRsvpRuleInput } from './event-rsvp.service.ts'
import { saveRsvp } from './keep-rsvp.service.ts'
import { lockRsvpSettings } from './rsvp-settings.repository.ts'
import { type RsvpSettings } from './rsvp-settings.queries.ts'
import { createRsvpChanges } from './orders/rsvp-change.service.ts'
import type { RsvpCheckoutService } from './orders/rsvp-checkout.service.ts'
import { costOf, isRefundable, partyLines, pricesFor, type Prices } from './orders/rsvp-price.rules.ts'
import { resolveParty } from './tickets/resolve-party.service.ts'
import { hasTicketsLeft } from './tickets/ticket-counts.repository.ts'
import type { RsvpQueries } from './rsvp-view.service.ts'
import { queuePartyRefund } from './orders/rsvp-refunds.service.ts'
import { countHeldByMailbox, findRequestByEmail, releaseMailbox } from './requests/rsvp-request.repository.ts'
import type { RsvpRequests } from './requests/rsvp-requests.service.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import { countTakenSeats, findRsvp, findRsvpByEmail, setRsvpStatus, type AgreedPrices } from './rsvp.repository.ts'
import { hasRoomFor, rsvpState, partySize } from './rsvp.rules.ts'
import { createVisitorLimits } from './requests/unverified-guest-limits.service.ts'
import { queueRsvpEmail, type Waitlist } from './orders/waitlist.service.ts'

export function createRsvpService(
  ctx: AppContext,
  {
    reading,
    requests,
    waitlist,
    checkouts,
    orders,
    memberEmail,
    accountEmail,
    levelOf,
  }: {
    reading: Pick<RsvpQueries, 'read' | 'require' | 'request'>
    requests: Pick<RsvpRequests, 'hold' | 'withdraw'>
    waitlist: Waitlist
    checkouts: RsvpCheckoutService
    orders: Pick<Orders, 'expirePage'>
    /** The address of an account with an active membership, else null. */
    memberEmail(accountId: string): Promise<string | null>
    /** The confirmed address of an account; null if there is no such account. */
    accountEmail(accountId: string): Promise<string | null>
    /** The level of the current or last membership; null without one. */
    levelOf(handle: Db, accountId: string): Promise<string | null>
  },
) {
  const { db, clock, botCheck, limiter, timeZone, wakeOutbox, cache, settings } = ctx
  const strangers = createVisitorLimits(ctx)
  const changes = createRsvpChanges(ctx, { checkouts, waitlist })
  const { require, read } = reading
  /** Locks and returns the RSVP settings if the event takes RSVPs. @throws Problem RSVP_CLOSED */
  async function lockOpenSettings(tx: Tx, eventId: string): Promise<RsvpSettings> {
    const settings = await lockRsvpSettings(tx, eventId)
    const event = cache.content().events.get(eventId)
    const isOpen = settings && event && takesRsvps(settings, event)
    if (!isOpen) throw new Problem('RSVP_CLOSED')
    return settings
  }

  function takesRsvps(settings: RsvpSettings, event: EventDetails): boolean {
    return ['open', 'full'].includes(rsvpState(toRsvpRuleInput(settings, event, timeZone), 0, clock.now()))
  }

  return {
    /**
     * Accepts an RSVP, or holds seats during payment. The response depends only on seats and prices and never reveals whether the address already has
     * an RSVP, which is left unchanged.
     * @throws Problem BOT_CHECK_…, RATE_LIMITED, RSVP_CLOSED, RSVP_FULL, INVALID_INPUT, CHECKOUT_FAILED
     */
    async send(
      eventId: string,
      { recaptchaToken, email, waitlist: mayWait = true, ...given }: z.output<typeof rsvpBody>,
      { accountId, address }: { accountId: string | null; address: string },
    ): Promise<ReplyOf<typeof sendRsvp>> {
      if (!settings().parts.events) throw new Problem('NOT_FOUND')
      await botCheck.require(recaptchaToken, 'event_rsvp')
      const perAddress = await limiter.hit('rsvpLetters', nameKey(email), settings().rateLimits.rsvpLettersPerEmail)
      if (!perAddress.allowed) throw new Problem('RATE_LIMITED', { rate: perAddress })
      const memberAddress = accountId === null ? null : await memberEmail(accountId)
      const isMember = memberAddress !== null && nameKey(memberAddress) === nameKey(email)
      const ownEmail = accountId === null ? null : await accountEmail(accountId)
      const isProven = ownEmail !== null && nameKey(ownEmail) === nameKey(email)
      const levelKey = isMember && accountId !== null ? await levelOf(db, accountId) : null
      await strangers.count({ eventId, email, ...given }, { isMember, isProven, address })
      const result = await db.transaction().execute(async (tx) => {
        const settings = await lockOpenSettings(tx, eventId)
        const party = resolveParty(given, settings, { isMember, levelKey })
        const prices = pricesFor(settings, isMember)
        const seats = partySize(party)
        const priced = { ...party, ...toAgreedPrices(prices) }
        const isFree = costOf(priced) === 0
        const now = clock.now()
        // The seats currently held for this address are replaced by the new request.
        const paying = await checkouts.findOpen(tx, { eventId, email })
        const pending = await findRequestByEmail(tx, { eventId, email })
        const holding = await countHeldByMailbox(tx, { eventId, email }, now)
        const taken = (await countTakenSeats(tx, eventId, now)) - (paying?.seats ?? 0) - holding
        const hasRoom =
          hasRoomFor(settings.capacity, taken, seats) &&
          (await hasTicketsLeft(tx, settings, party, { now, orderId: paying?.id, email }))
        if (!hasRoom && !mayWait) throw new Problem('RSVP_FULL')
        const known = await findRsvpByEmail(tx, eventId, email)
        if (hasRoom && !isFree) {
          await releaseMailbox(tx, { eventId, email })
          // Only an email to the address says that it already has seats; the response does not.
          if (known?.status === 'coming') await queueRsvpEmail(tx, known.id, 'again', now)
          const title = cache.content().events.get(eventId)?.title ?? ''
          const wanted = { eventId, title, rsvpId: null, email, party, prices, lines: partyLines(priced), seats }
          const reserved = await checkouts.reserve(tx, wanted)
          if (holding > 0) await waitlist.promote(tx, settings, now)
          return { place: 'paying' as const, reserved }
        }
        const givenUp = await checkouts.closeOpenOrder(tx, { eventId, email })
        const asked = { ...priced, eventId, email }
        if (!isProven) {
          await requests.hold(tx, { ...asked, seats: hasRoom ? seats : 0 }, { known, pending })
          // A smaller party may hold fewer seats than before.
          if (holding > 0) await waitlist.promote(tx, settings, now)
          return { place: 'unconfirmed' as const, givenUp, heldMinutes: hasRoom ? HOLD_MINUTES : null }
        }
        await releaseMailbox(tx, { eventId, email })
        const status = hasRoom ? ('coming' as const) : ('waiting' as const)
        await saveRsvp(tx, { ...asked, ...(pending && { id: pending.id }), status }, now)
        if (holding > 0) await waitlist.promote(tx, settings, now)
        return { place: status, givenUp }
      })
      wakeOutbox()
      if (result.place === 'paying') {
        const payAt = await checkouts.open(result.reserved)
        return payAt === null ? { place: 'coming' } : { place: 'paying', payAt }
      }
      const { givenUp, ...reply } = result
      await orders.expirePage(givenUp)
      return reply
    },

    /**
     * Changes an RSVP. Seats of added guests who must pay are held during payment.
     * @throws Problem RSVP_LINK_INVALID, RSVP_CLOSED, INVALID_INPUT, CHECKOUT_FAILED
     */
    async change({ token, ...given }: BodyOf<typeof changeRsvp>): Promise<ReplyOf<typeof changeRsvp>> {
      const { id } = await require(db, token)
      const { reserved, givenUp } = await db.transaction().execute(async (tx) => {
        const { eventId } = await require(tx, token)
        const settings = await lockOpenSettings(tx, eventId)
        const rsvp = await findRsvp(tx, id)
        if (!rsvp || rsvp.status === 'cancelled') throw new Problem('RSVP_LINK_INVALID')
        const party = resolveParty(given, settings, { isMember: false, levelKey: null }, rsvp.tickets)
        return changes.apply(tx, settings, rsvp, party)
      })
      wakeOutbox()
      if (reserved) {
        const payAt = await checkouts.open(reserved)
        return { ...(await read(token)), ...(payAt !== null && { payAt }) }
      }
      await orders.expirePage(givenUp)
      return read(token)
    },

    /** Returns the payment page for a party promoted from the waitlist. @throws Problem RSVP_LINK_INVALID, RSVP_CLOSED, CHECKOUT_FAILED */
    async pay(token: string): Promise<string> {
      const { id } = await require(db, token)
      const reserved = await db.transaction().execute(async (tx) => {
        const { eventId } = await require(tx, token)
        await lockRsvpSettings(tx, eventId)
        const rsvp = await findRsvp(tx, id)
        const event = cache.content().events.get(eventId)
        const isInTime = rsvp?.status === 'paying' && rsvp.payBy !== null && clock.now() < rsvp.payBy
        if (!isInTime || rsvp.email === null || !event) throw new Problem('RSVP_CLOSED')
        const prices = pricesOf(rsvp)
        const { email, guests, name, meals, tickets } = rsvp
        const wanted = { eventId, title: event.title, rsvpId: id, email, prices, lines: partyLines(rsvp), seats: 0 }
        return checkouts.reserve(tx, { ...wanted, baseTickets: tickets, party: { name, guests, meals, tickets } })
      })
      const payAt = await checkouts.open(reserved)
      if (payAt === null) throw new Problem('RSVP_CLOSED')
      return payAt
    },

    /** Cancels an RSVP and refunds it until the refund deadline. Idempotent. @throws Problem RSVP_LINK_INVALID */
    async cancel(token: string): Promise<OwnRsvp> {
      const asked = await reading.request(db, token)
      const withdrawn = asked && (await requests.withdraw(asked))
      if (withdrawn) return withdrawn
      const { id, eventId } = await require(db, token)
      const givenUp = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const settings = await lockRsvpSettings(tx, eventId)
        const rsvp = await findRsvp(tx, id)
        if (!rsvp || rsvp.status === 'cancelled') return null
        const { email } = rsvp
        const paying = email === null ? null : await checkouts.closeOpenOrder(tx, { eventId, email })
        if (email !== null) await releaseMailbox(tx, { eventId, email })
        await setRsvpStatus(tx, id, { status: 'cancelled', now })
        await queueRsvpEmail(tx, id, 'cancelled', now)
        if (isRefundable(settings?.refundUntil ?? null, now, timeZone)) {
          await queuePartyRefund(tx, { rsvpId: id, amount: Infinity }, { reason: 'cancelled', askedBy: 'guest' }, now)
        }
        const event = cache.content().events.get(eventId)
        const startsAt = event && settings ? toRsvpRuleInput(settings, event, timeZone).startsAt : null
        if (settings && startsAt !== null && now < startsAt) await waitlist.promote(tx, settings, now)
        return paying
      })
      wakeOutbox()
      await orders.expirePage(givenUp)
      return read(token)
    },
  }
}

export type RsvpService = ReturnType<typeof createRsvpService>

function toAgreedPrices({ own, guest }: Prices): AgreedPrices {
  return { ownPrice: own, guestPrice: guest }
}

function pricesOf({ ownPrice, guestPrice }: AgreedPrices): Prices {
  return { own: ownPrice, guest: guestPrice }
}
