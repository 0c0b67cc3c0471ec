import { dayOf } from '#contract/dates/dates.ts'
import { addDays, formatDay } from '#contract/dates/days.ts'
import { incrementContentVersion, replaceRecords } from '#server/features/content-store/content.commands.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { storeRsvpSettings } from '#server/features/rsvps/rsvp-settings.repository.ts'
import { secretIn } from '#tests/support/emails/secret-in.ts'
import { until } from './load.ts'
import type { HttpResponse } from './http.ts'
import { botToken, Visitor } from './people.ts'
import type { World } from './site.ts'

const DAYS_AHEAD = 10

/** Fills in the form of an event's page. */
export async function askForSeat(
  visitor: Visitor,
  { eventId, email, guests = 0 }: { eventId: string; email: string; guests?: number },
): Promise<HttpResponse> {
  const recaptchaToken = await botToken(visitor.world, 'event_rsvp')
  return visitor.post(`/api/events/${eventId}/rsvp`, {
    name: 'Leela Varghese',
    email,
    guests,
    meals: [],
    recaptchaToken,
  })
}

/** The token in the newest email to an address. */
export async function rsvpToken(world: World, email: string): Promise<string> {
  return secretIn(await world.mailbox.link(email, '/rsvp', 30_000))
}

/** Saved as an officer would; both instances have loaded it when this resolves. */
export async function openEvent(
  world: World,
  id: string,
  capacity: number,
  price: number | null = null,
): Promise<string> {
  const { db } = world.database
  const today = dayOf(Date.now(), 'America/New_York')
  const value = {
    id,
    title: 'The last seat',
    description: 'Dinner.',
    date: formatDay(addDays(today, DAYS_AHEAD)),
    location: 'Duluth',
    imageKey: 'hero-gala',
    detailsLink: '/events',
    body: '',
  }
  await db.transaction().execute(async (tx) => {
    await replaceRecords(tx, eventKind, [{ id, value }], { now: Date.now(), keepsOthers: true })
    const prices = { price, memberPrice: null, kinds: [], refundUntil: null }
    const offer = { ...prices, guestsMax: 2, meals: [], closesOn: null, text: null, creditHours: null, version: 0 }
    await storeRsvpSettings(tx, { ...offer, eventId: id, isOpen: true, capacity }, { taken: 0, now: Date.now() })
    await incrementContentVersion(tx)
  })
  for (const site of world.sites) {
    const isKnown = await until(
      async () => (await new Visitor(world, { site }).get(`/api/events/${id}/rsvp`)).body.state === 'open',
      { withinMs: 10_000 },
    )
    if (!isKnown) throw new Error('An instance does not know the event')
  }
  return id
}
