import { randomUUID } from 'node:crypto'
import { dayOf } from '#contract/dates.ts'
import { addDays, writeDay } from '#contract/days.ts'
import { raiseContentVersion } from '#server/features/association/content.repository.ts'
import { storedEvent } from '#server/features/association/sample-days.rules.ts'
import { listEvents, replaceEvents } from '#server/features/events/event.repository.ts'
import { officerWith } from './officers.ts'
import { secretIn } from './secret-in.ts'
import type { TestApp } from './test-app.ts'
import type { TestAnswer } from './test-browser.ts'

/** An offer as the console sends it. */
export const OFFER = {
  isOpen: true,
  capacity: null as number | null,
  guestsMax: 2,
  meals: [] as string[],
  closesOn: null,
  words: null,
  creditHours: null as number | null,
  price: null as number | null,
  memberPrice: null as number | null,
  refundUntil: null as string | null,
  version: 0,
}

/** An event some days ahead with RSVPs open; `given` overrides single fields of the offer. Answers its id. */
export async function openEvent(app: TestApp, given: Partial<typeof OFFER> = {}, daysAhead = 10): Promise<string> {
  const { db } = app.database
  const id = `event-${randomUUID().slice(0, 8)}`
  const today = dayOf(app.now(), app.config.timeZone)
  const event = storedEvent(
    {
      id,
      title: `Dinner ${id}`,
      description: 'Dinner.',
      date: writeDay(addDays(today, daysAhead)),
      time: '6:00 PM to 9:00 PM',
      days: 1,
      location: 'Duluth',
      imageKey: 'hero-gala',
      detailsLink: '/events',
      body: 'Tables seat ten.',
    },
    today,
  )
  await replaceEvents(db, [...(await listEvents(db)), event])
  await raiseContentVersion(db)
  await app.app.refreshContent()
  const officer = await officerWith(app, ['editor'])
  const saved = await officer.call('PUT', `/api/console/rsvp/${id}`, { ...OFFER, ...given })
  if (saved.status !== 200) throw new Error(`The offer was not saved: ${JSON.stringify(saved.body)}`)
  await app.app.refreshContent()
  return id
}

/** Fills in the form of an event's page, and presses the button of the email where that is asked for. Answers where that leads. */
export async function sayComing(
  app: TestApp,
  eventId: string,
  email: string,
  given: { guests?: number; meals?: string[]; name?: string } = {},
): Promise<TestAnswer> {
  const answer = await askToCome(app, eventId, email, given)
  if (answer.body?.place !== 'unconfirmed') return answer
  const confirmed = await confirmByEmail(app, email)
  return { ...confirmed, body: confirmed.status === 200 ? { place: confirmed.body.place } : confirmed.body }
}

/** Presses the button of the newest email to an address. */
export async function confirmByEmail(app: TestApp, email: string): Promise<TestAnswer> {
  return app.browser().post('/api/rsvp/confirm', { token: await rsvpToken(app, email) })
}

/** Fills in the form of an event's page. */
export async function askToCome(
  app: TestApp,
  eventId: string,
  email: string,
  given: { guests?: number; meals?: string[]; name?: string } = {},
): Promise<TestAnswer> {
  const visitor = app.browser()
  const recaptchaToken = await visitor.botToken('event_rsvp')
  const body = { name: 'Leela Varghese', email, guests: 0, meals: [], ...given, recaptchaToken }
  return visitor.post(`/api/events/${eventId}/rsvp`, body)
}

/** The token of the newest letter to an address. */
export async function rsvpToken(app: TestApp, email: string): Promise<string> {
  return secretIn(await app.browser().linkInMail(email, '/rsvp'))
}
