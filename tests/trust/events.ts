import { dayOf } from '#contract/dates.ts'
import { addDays, writeDay } from '#contract/days.ts'
import { raiseContentVersion } from '#server/features/association/content.repository.ts'
import { storedEvent } from '#server/features/association/sample-days.rules.ts'
import { listEvents, replaceEvents } from '#server/features/events/event.repository.ts'
import { saveOffer } from '#server/features/events/offer.repository.ts'
import { secretIn } from '#tests/support/secret-in.ts'
import { until } from './load.ts'
import type { Answer } from './http.ts'
import { botToken, Visitor } from './people.ts'
import type { World } from './site.ts'

const DAYS_AHEAD = 10

/** Fills in the form of an event's page. */
export async function askForSeat(
  visitor: Visitor,
  { eventId, email, guests = 0 }: { eventId: string; email: string; guests?: number },
): Promise<Answer> {
  const recaptchaToken = await botToken(visitor.world, 'event_rsvp')
  return visitor.post(`/api/events/${eventId}/rsvp`, {
    name: 'Leela Varghese',
    email,
    guests,
    meals: [],
    recaptchaToken,
  })
}

/** Of the newest email to an address. */
export async function rsvpToken(world: World, email: string): Promise<string> {
  return secretIn(await world.mailbox.link(email, '/rsvp', 30_000))
}

/** Written as an officer's save writes it; both instances have read it when this resolves. */
export async function openEvent(
  world: World,
  id: string,
  capacity: number,
  price: number | null = null,
): Promise<string> {
  const { db } = world.database
  const today = dayOf(Date.now(), 'America/New_York')
  const event = storedEvent(
    {
      id,
      title: 'The last seat',
      description: 'Dinner.',
      date: writeDay(addDays(today, DAYS_AHEAD)),
      days: 1,
      location: 'Duluth',
      imageKey: 'hero-gala',
      detailsLink: '/events',
      body: '',
    },
    today,
  )
  await db.transaction().execute(async (tx) => {
    await replaceEvents(tx, [...(await listEvents(tx)), event])
    const prices = { price, memberPrice: null, refundUntil: null }
    const offer = { ...prices, guestsMax: 2, meals: [], closesOn: null, words: null, creditHours: null, version: 0 }
    await saveOffer(tx, { ...offer, eventId: id, isOpen: true, capacity }, { taken: 0, now: Date.now() })
    await raiseContentVersion(tx)
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
