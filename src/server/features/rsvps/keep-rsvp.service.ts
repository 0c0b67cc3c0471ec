import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import {
  setAgreedPrices,
  changeParty,
  findRsvpByEmail,
  insertRsvp,
  setRsvpStatus,
  type AgreedPrices,
  type Party,
} from './rsvp.repository.ts'
import { queueRsvpEmail } from './orders/waitlist.service.ts'

/**
 * Stores an RSVP for a seat or for the waitlist and emails the guest. An existing RSVP of the same address is unchanged. Call with the RSVP settings
 * locked.
 * @param isSilent another email says more
 */
export async function saveRsvp(
  tx: Tx,
  rsvp: Party & AgreedPrices & { id?: string; eventId: string; email: string; status: 'coming' | 'waiting' },
  now: number,
  { isSilent = false }: { isSilent?: boolean } = {},
): Promise<void> {
  const existing = await findRsvpByEmail(tx, rsvp.eventId, rsvp.email)
  if (!existing) {
    const id = rsvp.id ?? newId(now)
    await insertRsvp(tx, { ...rsvp, id, isWalkIn: false }, now)
    return isSilent ? undefined : queueRsvpEmail(tx, id, 'said', now)
  }
  if (existing.status !== 'cancelled') return queueRsvpEmail(tx, existing.id, 'again', now)
  await changeParty(tx, existing.id, rsvp, now)
  await setAgreedPrices(tx, existing.id, rsvp)
  await setRsvpStatus(tx, existing.id, { status: rsvp.status, now, askedAt: now })
  if (!isSilent) await queueRsvpEmail(tx, existing.id, 'said', now)
}
