import type { Kysely } from 'kysely'
import type { DoorEntry, DoorList, DoorMark, WalkIn } from '#contract/console-rsvp.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { countCell, moneyCell, writeCsv } from '#server/platform/csv.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { insertMark, keepArrival } from './check-in.repository.ts'
import { findOffer, holdOffer } from './offer.repository.ts'
import { doorCode } from './rsvp-link.ts'
import type { RsvpConsoleService } from './rsvp-console.service.ts'
import { listSeatPayments } from './rsvp-refund.repository.ts'
import { findRsvp, insertRsvp, listRsvps, movePlace, type Rsvp } from './rsvp.repository.ts'
import { countMeals, isLaterMark } from './rsvp.rules.ts'
import { tellGuest, type Waitlist } from './waitlist.ts'

export interface DoorService {
  /** Whoever comes, waits or came. @throws Problem NOT_FOUND */
  read(eventId: string): Promise<DoorList>
  /** Takes what a phone did, each mark once; what belongs to another event is left out. @throws Problem NOT_FOUND */
  take(officer: Officer, eventId: string, sent: { walkIns: WalkIn[]; marks: DoorMark[] }): Promise<DoorList>
  /** @throws Problem NOT_FOUND, RSVP_IS_PAID: money is not moved at a door */
  remove(officer: Officer, eventId: string, rsvpId: string): Promise<DoorList>
  /** @throws Problem NOT_FOUND */
  export(officer: Officer, eventId: string): Promise<ServedFile>
}

export function createDoorService({
  db,
  clock,
  secrets,
  console,
  waitlist,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  console: Pick<RsvpConsoleService, 'line'>
  waitlist: Waitlist
  wakeOutbox(): void
}): DoorService {
  function toEntry({ id, name, email, guests, meals, place, arrived, isWalkIn }: Rsvp, paid: number): DoorEntry {
    const code = isWalkIn ? '' : doorCode(secrets, id)
    return { id, name, email, guests, meals, place, arrived, isWalkIn, code, paid }
  }

  async function read(eventId: string): Promise<DoorList> {
    const event = await console.line(eventId)
    const rsvps = await listRsvps(db, eventId)
    const offer = await findOffer(db, eventId)
    const paid = await paidBy(db, { eventId })
    const coming = rsvps.filter(({ place }) => place === 'coming')
    return {
      event,
      entries: rsvps
        .filter(({ place, arrived }) => place !== 'cancelled' || arrived > 0)
        .map((rsvp) => toEntry(rsvp, paid.get(rsvp.id) ?? 0)),
      meals: countMeals(coming, offer?.meals ?? []),
    }
  }

  async function takeWalkIn(tx: Tx, officer: Officer, eventId: string, { id, name, guests }: WalkIn): Promise<void> {
    const now = clock.now()
    const free = { ownPrice: 0, guestPrice: 0 }
    const rsvp = {
      ...free,
      id,
      eventId,
      name,
      guests,
      meals: [],
      email: null,
      place: 'coming' as const,
      isWalkIn: true,
    }
    if (!(await insertRsvp(tx, rsvp, now))) return
    const details = { before: null, after: { name, guests } }
    await writeAudit(tx, { actor: officer.accountId, action: 'rsvp.walk-in', subjectId: id, details }, now)
  }

  async function takeMark(tx: Tx, officer: Officer, eventId: string, sent: DoorMark): Promise<void> {
    const now = clock.now()
    const rsvp = await findRsvp(tx, sent.rsvpId)
    if (rsvp?.eventId !== eventId) return
    // A clock that is ahead must not outlast what is marked later.
    const mark = { ...sent, at: Math.min(sent.at, now) }
    if (!(await insertMark(tx, mark, { officerId: officer.accountId, now }))) return
    if (isLaterMark(mark, { at: rsvp.arrivedAt, id: rsvp.arrivedMark })) await keepArrival(tx, mark)
    const action = mark.arrived > 0 ? 'rsvp.checked-in' : 'rsvp.check-in-undone'
    const details = { before: { arrived: rsvp.arrived }, after: { arrived: mark.arrived } }
    await writeAudit(tx, { actor: officer.accountId, action, subjectId: mark.rsvpId, details }, now)
  }

  return {
    read,

    async take(officer, eventId, { walkIns, marks }) {
      await console.line(eventId)
      await db.transaction().execute(async (tx) => {
        // Two phones at one door stand in line here, so that each sees what the other marked.
        await holdOffer(tx, eventId)
        for (const walkIn of walkIns) await takeWalkIn(tx, officer, eventId, walkIn)
        for (const mark of marks) await takeMark(tx, officer, eventId, mark)
      })
      return read(eventId)
    },

    async remove(officer, eventId, rsvpId) {
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const held = await holdOffer(tx, eventId)
        const rsvp = await requireRsvp(tx, eventId, rsvpId)
        if (rsvp.place === 'cancelled') return
        if ((await paidBy(tx, { rsvpId })).size > 0) throw new Problem('RSVP_IS_PAID')
        await movePlace(tx, rsvpId, { place: 'cancelled', now })
        if (rsvp.email !== null) await tellGuest(tx, rsvpId, 'removed', now)
        if (held) await waitlist.promote(tx, held, now)
        const details = { before: { place: rsvp.place, guests: rsvp.guests }, after: { place: 'cancelled' } }
        await writeAudit(tx, { actor: officer.accountId, action: 'rsvp.removed', subjectId: rsvpId, details }, now)
      })
      wakeOutbox()
      return read(eventId)
    },

    async export(officer, eventId) {
      const { title } = await console.line(eventId)
      const rsvps = await listRsvps(db, eventId)
      const details = { before: null, after: { title, rows: rsvps.length } }
      const now = clock.now()
      await writeAudit(db, { actor: officer.accountId, action: 'rsvp.exported', subjectId: eventId, details }, now)
      const paid = await paidBy(db, { eventId })
      const rows = rsvps.map((rsvp) => [
        rsvp.name,
        rsvp.email ?? '',
        countCell(rsvp.guests),
        rsvp.meals.join('; '),
        rsvp.isWalkIn ? 'walk-in' : rsvp.place,
        countCell(rsvp.arrived),
        moneyCell(paid.get(rsvp.id) ?? 0),
        new Date(rsvp.askedAt).toISOString(),
      ])
      const text = writeCsv([['Name', 'Email', 'Guests', 'Meals', 'Place', 'Arrived', 'Paid', 'Said at'], ...rows])
      return { filename: `rsvp-${eventId.replaceAll(/[^A-Za-z0-9-]/g, '')}.csv`, content: Buffer.from(text) }
    },
  }
}

/** Cents that parties paid and that are not on their way back, of those who paid. */
async function paidBy(db: Db, about: { eventId: string } | { rsvpId: string }): Promise<Map<string, number>> {
  const paid = new Map<string, number>()
  for (const { rsvpId, left } of await listSeatPayments(db, about))
    if (left > 0) paid.set(rsvpId, (paid.get(rsvpId) ?? 0) + left)
  return paid
}

async function requireRsvp(db: Db, eventId: string, rsvpId: string): Promise<Rsvp> {
  const rsvp = await findRsvp(db, rsvpId)
  if (rsvp?.eventId !== eventId) throw new Problem('NOT_FOUND')
  return rsvp
}
