import { region } from '#contract/region.ts'
import type { AppContext } from '#server/app-context.ts'
import type { MemberRsvp, UnansweredEvent } from '#contract/public/my-account/account-home.ts'
import { takesPlace, type EventDetails } from '#contract/public/events.ts'
import { secretLink } from '#server/emails/secret-link.ts'
import { eventSpan } from '#server/features/content-store/event-times.rules.ts'
import { toPublicRsvpSettings } from '../event-rsvp.service.ts'
import { costOf } from '../orders/rsvp-price.rules.ts'
import { listSeatPayments } from '../orders/rsvp-refund.repository.ts'
import { listRequestsByEmail, type RsvpRequest } from '../requests/rsvp-request.repository.ts'
import { listRsvpSettings } from '../rsvp-settings.queries.ts'
import { createRsvpToken } from '../rsvp-token.service.ts'
import { countTakenSeats, listRsvpsByEmail, type Rsvp } from '../rsvp.repository.ts'
import { deleteDecline, listDeclinedEventIds, saveDecline } from './declined-event.repository.ts'

const DAY_MS = 86_400_000
/** Events further ahead are not asked about yet. */
const ASK_WITHIN_MS = 60 * DAY_MS
const UNANSWERED_MAX = 3

type LiveRsvp = Rsvp & { status: Exclude<Rsvp['status'], 'cancelled'> }

const isLive = (rsvp: Rsvp): rsvp is LiveRsvp => rsvp.status !== 'cancelled'

interface Upcoming {
  event: EventDetails & { startsOn: string }
  startsAt: number
}

/** The RSVPs of a member's own address, and the events that wait for an answer. */
export function createMemberRsvps({ db, clock, secrets, timeZone, cache }: AppContext) {
  /** Events that have not ended and are not canceled, soonest first. */
  function upcoming(): Upcoming[] {
    const now = clock.now()
    const found = [...cache.content().events.values()].flatMap((event): Upcoming[] => {
      const { startsAt, endsAt } = eventSpan(event, timeZone)
      if (event.startsOn === null || startsAt === null || endsAt === null || endsAt <= now) return []
      return takesPlace(event) ? [{ event: { ...event, startsOn: event.startsOn }, startsAt }] : []
    })
    return found.sort((one, other) => one.startsAt - other.startsAt)
  }

  async function moneyOf(rsvp: Rsvp): Promise<MemberRsvp['money']> {
    const { id, status, ownPrice, guestPrice, payBy } = rsvp
    const payments = await listSeatPayments(db, { rsvpId: id })
    if (ownPrice === 0 && guestPrice === 0 && costOf(rsvp) === 0 && payments.length === 0) return null
    return {
      currency: region().currency,
      paid: payments.reduce((sum, { left }) => sum + left, 0),
      owed: status === 'paying' ? costOf(rsvp) : 0,
      payBy: payBy === null ? null : new Date(payBy).toISOString(),
    }
  }

  return {
    /**
     * @param isReader whether to leave out the links, with which an RSVP can be changed
     * @param seesMoney whether to include payments
     */
    async list(
      account: { id: string; email: string },
      { isReader, seesMoney }: { isReader: boolean; seesMoney: boolean },
    ): Promise<{ rsvps: MemberRsvp[]; unanswered: UnansweredEvent[] }> {
      const now = clock.now()
      const ahead = upcoming()
      const rsvps = await listRsvpsByEmail(db, account.email)
      const requests = await listRequestsByEmail(db, account.email)
      const declined = await listDeclinedEventIds(db, account.id)
      const byEvent = new Map<string, LiveRsvp | RsvpRequest>(requests.map((request) => [request.eventId, request]))
      for (const rsvp of rsvps) if (isLive(rsvp)) byEvent.set(rsvp.eventId, rsvp)

      const own: MemberRsvp[] = []
      for (const { event } of ahead) {
        const found = byEvent.get(event.id)
        if (!found) continue
        const isConfirmed = 'status' in found
        own.push({
          event: inBrief(event),
          place: isConfirmed ? found.status : 'unconfirmed',
          guests: found.guests,
          money: isConfirmed && seesMoney ? await moneyOf(found) : null,
          url: isReader ? null : secretLink('', '/rsvp', { token: createRsvpToken(secrets, found.id) }),
        })
      }

      const answered = new Set([...byEvent.keys(), ...rsvps.map(({ eventId }) => eventId), ...declined])
      const settings = new Map((await listRsvpSettings(db)).map((one) => [one.eventId, one]))
      const unanswered: UnansweredEvent[] = []
      for (const { event, startsAt } of ahead) {
        const known = settings.get(event.id)
        if (unanswered.length === UNANSWERED_MAX || startsAt > now + ASK_WITHIN_MS) break
        if (!known?.isOpen || answered.has(event.id)) continue
        const taken = known.capacity === null ? 0 : await countTakenSeats(db, event.id, now)
        const { state, closesAt, lastDay } = toPublicRsvpSettings(known, event, {
          taken,
          now,
          timeZone,
          memberEmail: null,
        })
        if (state === 'open') unanswered.push({ event: inBrief(event), closesAt, lastDay })
      }
      return { rsvps: own, unanswered }
    },

    /** Idempotent; also for an event that no longer exists. */
    decline: (accountId: string, eventId: string): Promise<void> =>
      saveDecline(db, { accountId, eventId, now: clock.now() }),

    /** Idempotent. */
    undoDecline: (accountId: string, eventId: string): Promise<void> => deleteDecline(db, accountId, eventId),
  }
}

export type MemberRsvps = ReturnType<typeof createMemberRsvps>

function inBrief({ id, title, date, time, location, startsOn }: Upcoming['event']): MemberRsvp['event'] {
  return { id, title, date, time, location, startsOn }
}
