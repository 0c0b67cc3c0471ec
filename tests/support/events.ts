import { randomUUID } from 'node:crypto'
import type { TicketKind } from '#contract/console/rsvp.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays, formatDay } from '#contract/dates/days.ts'
import { incrementContentVersion, replaceRecords } from '#server/features/content-store/content.commands.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { officerWith } from './officers.ts'
import { secretIn } from './emails/secret-in.ts'
import type { TestApp } from './test-app.ts'
import type { TestBrowser, TestResponse } from './browser/test-browser.ts'

/** RSVP settings as the console sends them. */
export const RSVP_SETTINGS = {
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
  kinds: undefined as TicketKind[] | undefined,
  version: 0,
}

/** An event some days ahead with RSVPs open; `given` overrides single RSVP settings. Returns its id. */
export async function openEvent(
  app: TestApp,
  given: Partial<typeof RSVP_SETTINGS> = {},
  daysAhead = 10,
  officer?: TestBrowser,
): Promise<string> {
  const { db } = app.database
  const id = `event-${randomUUID().slice(0, 8)}`
  const today = dayOf(app.now(), app.config.timeZone)
  const value = {
    id,
    title: `Dinner ${id}`,
    description: 'Dinner.',
    date: formatDay(addDays(today, daysAhead)),
    time: '6:00 PM to 9:00 PM',
    location: 'Duluth',
    imageKey: 'hero-gala',
    detailsLink: '/events',
    body: 'Tables seat ten.',
  }
  await replaceRecords(db, eventKind, [{ id, value }], { now: app.now(), keepsOthers: true })
  await incrementContentVersion(db)
  await app.app.refreshContent()
  const editor = officer ?? (await officerWith(app, ['editor']))
  const saved = await editor.call('PUT', `/api/console/rsvp/${id}`, { ...RSVP_SETTINGS, ...given })
  if (saved.status !== 200) throw new Error(`The offer was not saved: ${JSON.stringify(saved.body)}`)
  await app.app.refreshContent()
  return id
}

/** Submits the form of an event's page and, if required, presses the button in the email. Returns the final path. */
export async function sayComing(
  app: TestApp,
  eventId: string,
  email: string,
  given: { guests?: number; meals?: string[]; name?: string } = {},
): Promise<TestResponse> {
  const response = await askToCome(app, eventId, email, given)
  if (response.body?.place !== 'unconfirmed') return response
  const confirmed = await confirmByEmail(app, email)
  return { ...confirmed, body: confirmed.status === 200 ? { place: confirmed.body.place } : confirmed.body }
}

/** Presses the button of the newest email to an address. */
export async function confirmByEmail(app: TestApp, email: string): Promise<TestResponse> {
  return app.browser().post('/api/rsvp/confirm', { token: await rsvpToken(app, email) })
}

/** Fills in the form of an event's page. */
export async function askToCome(
  app: TestApp,
  eventId: string,
  email: string,
  given: { guests?: number; meals?: string[]; name?: string } = {},
): Promise<TestResponse> {
  const visitor = app.browser()
  const recaptchaToken = await visitor.botToken('event_rsvp')
  const body = { name: 'Leela Varghese', email, guests: 0, meals: [], ...given, recaptchaToken }
  return visitor.post(`/api/events/${eventId}/rsvp`, body)
}

/** The token in the newest email to an address. */
export async function rsvpToken(app: TestApp, email: string): Promise<string> {
  return secretIn(await app.browser().linkInMail(email, '/rsvp'))
}
