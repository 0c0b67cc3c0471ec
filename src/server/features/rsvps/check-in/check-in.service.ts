import type { AppContext } from '#server/app-context.ts'
import type { CheckInEntry, CheckInList, CheckInRecord, WalkIn } from '#contract/console/rsvp.ts'
import { ticketLines } from '#contract/tickets/tickets.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { listCardHashes } from '#server/features/card/member-card.queries.ts'
import { exportAttendeeFile } from '../console/attendee-file.service.ts'
import { insertCheckIn, setArrival } from './check-in.repository.ts'
import { findRsvpSettings, lockRsvpSettings } from '../rsvp-settings.repository.ts'
import { checkInCode } from '../rsvp-token.service.ts'
import type { RsvpConsoleService } from '../rsvp-console.service.ts'
import { sumSeatPayments } from '../orders/rsvp-refund.repository.ts'
import { findRsvp, insertRsvp, listRsvps, setRsvpStatus, type Rsvp } from '../rsvp.repository.ts'
import { countMeals, isLaterCheckIn } from '../rsvp.rules.ts'
import { queueRsvpEmail, type Waitlist } from '../orders/waitlist.service.ts'

export function createCheckInService(
  { db, clock, secrets, wakeOutbox }: AppContext,
  {
    console,
    waitlist,
  }: {
    console: Pick<RsvpConsoleService, 'line'>
    waitlist: Waitlist
  },
) {
  function toEntry(
    { id, name, email, guests, meals, tickets, status, arrived, isWalkIn }: Rsvp,
    paid: number,
    cardHash: string | null,
  ): CheckInEntry {
    const code = isWalkIn ? '' : checkInCode(secrets, id)
    const entry = { id, name, email, guests, meals, place: status, arrived, isWalkIn, code, cardHash, paid }
    return { ...entry, ...(tickets.length > 0 && { tickets: ticketLines(tickets) }) }
  }

  /** Guests who have a seat, are on the waitlist or arrived. @throws Problem NOT_FOUND */
  async function read(eventId: string): Promise<CheckInList> {
    const event = await console.line(eventId)
    const rsvps = await listRsvps(db, eventId)
    const settings = await findRsvpSettings(db, eventId)
    const paid = await sumSeatPayments(db, { eventId })
    const cards = await listCardHashes(db, eventId)
    const coming = rsvps.filter(({ status }) => status === 'coming')
    return {
      event,
      entries: rsvps
        .filter(({ status, arrived }) => status !== 'cancelled' || arrived > 0)
        .map((rsvp) => toEntry(rsvp, paid.get(rsvp.id) ?? 0, cards.get(rsvp.id) ?? null)),
      meals: countMeals(coming, settings?.meals ?? []),
    }
  }

  async function storeWalkIn(tx: Tx, officer: Officer, eventId: string, { id, name, guests }: WalkIn): Promise<void> {
    const now = clock.now()
    const free = { ownPrice: 0, guestPrice: 0 }
    const rsvp = {
      ...free,
      id,
      eventId,
      name,
      guests,
      meals: [],
      tickets: [],
      email: null,
      status: 'coming' as const,
      isWalkIn: true,
    }
    if (!(await insertRsvp(tx, rsvp, now))) return
    const details = { before: null, after: { name, guests } }
    await writeAudit(tx, { actor: officer.accountId, action: 'rsvp.walk-in', subjectId: id, details }, now)
  }

  async function storeCheckIn(tx: Tx, officer: Officer, eventId: string, sent: CheckInRecord): Promise<void> {
    const now = clock.now()
    const rsvp = await findRsvp(tx, sent.rsvpId)
    if (rsvp?.eventId !== eventId) return
    // A device whose clock is ahead must not override later check-ins.
    const checkIn = { ...sent, at: Math.min(sent.at, now) }
    if (!(await insertCheckIn(tx, checkIn, { officerId: officer.accountId, now }))) return
    if (isLaterCheckIn(checkIn, { at: rsvp.arrivedAt, id: rsvp.arrivedMark })) await setArrival(tx, checkIn)
    const action = checkIn.arrived > 0 ? 'rsvp.checked-in' : 'rsvp.check-in-undone'
    const details = { before: { arrived: rsvp.arrived }, after: { arrived: checkIn.arrived } }
    await writeAudit(tx, { actor: officer.accountId, action, subjectId: checkIn.rsvpId, details }, now)
  }

  return {
    read,

    /** Stores the check-ins and walk-ins of a device. Idempotent; records of another event are ignored. @throws Problem NOT_FOUND */
    async store(
      officer: Officer,
      eventId: string,
      { walkIns, marks }: { walkIns: WalkIn[]; marks: CheckInRecord[] },
    ): Promise<CheckInList> {
      await console.line(eventId)
      await db.transaction().execute(async (tx) => {
        // This row lock serializes devices that check in guests of the same event, so each sees the other's records.
        await lockRsvpSettings(tx, eventId)
        for (const walkIn of walkIns) await storeWalkIn(tx, officer, eventId, walkIn)
        for (const checkIn of marks) await storeCheckIn(tx, officer, eventId, checkIn)
      })
      return read(eventId)
    },

    /** @throws Problem NOT_FOUND, RSVP_IS_PAID: refunds are not made at check-in */
    async remove(officer: Officer, eventId: string, rsvpId: string): Promise<CheckInList> {
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const settings = await lockRsvpSettings(tx, eventId)
        const rsvp = await requireRsvp(tx, eventId, rsvpId)
        if (rsvp.status === 'cancelled') return
        if ((await sumSeatPayments(tx, { rsvpId })).size > 0) throw new Problem('RSVP_IS_PAID')
        await setRsvpStatus(tx, rsvpId, { status: 'cancelled', now })
        if (rsvp.email !== null) await queueRsvpEmail(tx, rsvpId, 'removed', now)
        if (settings) await waitlist.promote(tx, settings, now)
        const details = { before: { place: rsvp.status, guests: rsvp.guests }, after: { place: 'cancelled' } }
        await writeAudit(tx, { actor: officer.accountId, action: 'rsvp.removed', subjectId: rsvpId, details }, now)
      })
      wakeOutbox()
      return read(eventId)
    },

    /** @throws Problem NOT_FOUND */
    async export(officer: Officer, eventId: string): Promise<ServedFile> {
      const { title } = await console.line(eventId)
      const rsvps = await listRsvps(db, eventId)
      const event = { id: eventId, title }
      return exportAttendeeFile(db, { by: officer, event, rsvps, name: 'rsvp' }, clock.now())
    },
  }
}

export type CheckInService = ReturnType<typeof createCheckInService>

async function requireRsvp(db: Db, eventId: string, rsvpId: string): Promise<Rsvp> {
  const rsvp = await findRsvp(db, rsvpId)
  if (rsvp?.eventId !== eventId) throw new Problem('NOT_FOUND')
  return rsvp
}
