import { getAccountHome, type MemberRsvp } from '#contract/public/my-account/account-home.ts'
import { call } from '#web/api/call.ts'
import { currentToken } from '#web/session/session.ts'

/** The stored RSVP of the signed-in member to an event; null if there is none, or if it cannot be read now. */
export async function findOwnRsvp(eventId: string): Promise<MemberRsvp | null> {
  const bearer = currentToken()
  if (bearer === null) return null
  const home = await call(getAccountHome, { bearer }).catch(() => null)
  return home?.rsvps.find(({ event, place }) => event.id === eventId && place !== 'unconfirmed') ?? null
}
