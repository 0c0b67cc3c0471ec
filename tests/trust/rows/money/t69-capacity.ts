import { countRsvps } from '#server/features/rsvps/rsvp.repository.ts'
import { openEvent, rsvpToken } from '#tests/trust/events.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { botToken, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const AT_ONCE = 50

/** Parallel RSVPs for the last seat. */
export const row: TrustRow = {
  id: 'T69',
  promise: 'Capacity: the last seat',
  gate: true,
  target:
    'two instances, 50 parallel requests for the last seat of an event: it is held once, and of 50 parallel confirmations one gets it, 49 join the waitlist; when canceled, the seat goes to the first on the waitlist; the same for paid seats: one reservation, one payment page; never more guests than seats; one address has one RSVP',
  quick: true,
  async run({ world: start, count }) {
    const world = await start({ instances: 2 })
    const faults = new Faults()
    const rounds = count(4, 1)
    const tallies: string[] = []
    for (let round = 0; round < rounds; round++) tallies.push(await oneRound(world, round, faults))
    const paid = await onePaidSeat(world, faults)
    const same = await oneAddress(world, faults)
    return {
      passed: faults.count === 0,
      reached: `${rounds} rounds of ${AT_ONCE} at once on ${world.engine}: ${[...new Set(tallies)].join(', ')}; paid: ${paid}; ${AT_ONCE} at once from one address: ${same}; faults: ${faults}`,
    }
  },
}

/** All request one seat on both instances, then its holder cancels. */
async function oneRound(world: World, round: number, faults: Faults): Promise<string> {
  const eventId = await openEvent(world, `last-seat-${round}`, 1)
  const responses = await ask(world, eventId, (turn) => `round${round}.person${turn}@example.com`)
  const held = responses.filter(({ body }) => body?.heldMinutes > 0).length
  faults.expect(held === 1, 'not one seat is held', String(held))
  const tokens = await inParallel(responses, 5, (_, turn) =>
    rsvpToken(world, `round${round}.person${turn}@example.com`),
  )
  const confirmed = await inParallel(tokens, AT_ONCE, (token, turn) =>
    new Visitor(world, { site: world.siteOf(turn) }).post('/api/rsvp/confirm', { token }),
  )
  const places = confirmed.map(({ status, body }) => (status === 200 ? String(body.place) : `status ${status}`))
  faults.expect(places.filter((place) => place === 'coming').length === 1, 'not one got the seat', tally(places))
  faults.expect(
    places.filter((place) => place === 'waiting').length === AT_ONCE - 1,
    'not all others wait',
    tally(places),
  )
  await expectCounts(world, eventId, { coming: 1, waiting: AT_ONCE - 1 }, faults)

  const { db } = world.database
  const rows = await db
    .selectFrom('rsvp')
    .select(['id', 'status', 'email'])
    .where('eventId', '=', eventId)
    .orderBy('askedAt')
    .orderBy('id')
    .execute()
  const [holder, next] = [
    rows.find(({ status }) => status === 'coming'),
    rows.find(({ status }) => status === 'waiting'),
  ]
  const token = await rsvpToken(world, holder?.email ?? '')
  const given = await inParallel(Array.from({ length: 10 }), 10, (_, turn) =>
    new Visitor(world, { site: world.siteOf(turn) }).post('/api/rsvp/cancel', { token }),
  )
  for (const { status, text } of given) faults.expect(status === 200, `cancel answered ${status}`, text)
  const moved = await db
    .selectFrom('rsvp')
    .select('status')
    .where('id', '=', next?.id ?? '')
    .executeTakeFirst()
  faults.expect(moved?.status === 'coming', 'who waited longest did not move up')
  await expectCounts(world, eventId, { coming: 1, waiting: AT_ONCE - 2 }, faults)
  return tally(places)
}

/** The last seat has a price: one reservation during payment, and one payment page. */
async function onePaidSeat(world: World, faults: Faults): Promise<string> {
  const eventId = await openEvent(world, 'last-paid-seat', 1, 5_000)
  const responses = await ask(world, eventId, (turn) => `paid.person${turn}@example.com`)
  const places = responses.map(({ status, body }) => (status === 200 ? String(body.place) : `status ${status}`))
  faults.expect(places.filter((place) => place === 'paying').length === 1, 'not one seat is kept', tally(places))
  faults.expect(
    places.filter((place) => place === 'unconfirmed').length === AT_ONCE - 1,
    'not all others are asked whether they wait for the paid seat',
    tally(places),
  )
  const { paying = 0, coming = 0 } = (await countRsvps(world.database.db, 0, eventId)).get(eventId) ?? {}
  faults.expect(paying === 1 && coming === 0, 'seats kept', `${paying} kept, ${coming} come`)
  return tally(places)
}

async function oneAddress(world: World, faults: Faults): Promise<string> {
  const eventId = await openEvent(world, 'one-address', 100)
  const responses = await ask(world, eventId, (turn) => (turn % 2 ? 'SAME@example.com' : 'same@example.com'))
  const shapes = new Set(responses.map(({ status, text }) => `${status} ${text}`))
  faults.expect(shapes.size === 1, 'answers not uniform', [...shapes].join(', '))
  const { held = 0 } = (await countRsvps(world.database.db, Date.now(), eventId)).get(eventId) ?? {}
  faults.expect(held === 1, 'an address holds more than one party’s seats', String(held))
  const token = await rsvpToken(world, 'same@example.com')
  const presses = await inParallel(Array.from({ length: 10 }), 10, (_, turn) =>
    new Visitor(world, { site: world.siteOf(turn) }).post('/api/rsvp/confirm', { token }),
  )
  for (const { status, text } of presses) faults.expect(status === 200, `confirm answered ${status}`, text)
  await expectCounts(world, eventId, { coming: 1, waiting: 0 }, faults)
  return `${shapes.size} kind of answer, 1 RSVP`
}

async function ask(world: World, eventId: string, emailOf: (turn: number) => string) {
  const tokens = await inParallel(Array.from({ length: AT_ONCE }), 10, () => botToken(world, 'event_rsvp'))
  return inParallel(tokens, AT_ONCE, (recaptchaToken, turn) =>
    new Visitor(world, { site: world.siteOf(turn) }).post(`/api/events/${eventId}/rsvp`, {
      name: `Person ${turn}`,
      email: emailOf(turn),
      guests: 0,
      meals: [],
      recaptchaToken,
    }),
  )
}

async function expectCounts(
  world: World,
  eventId: string,
  wanted: { coming: number; waiting: number },
  faults: Faults,
): Promise<void> {
  const { coming = 0, waiting = 0 } = (await countRsvps(world.database.db, 0, eventId)).get(eventId) ?? {}
  faults.expect(coming === wanted.coming && waiting === wanted.waiting, 'counts', `${coming} come, ${waiting} wait`)
}
