import { askForSeat, openEvent, rsvpToken } from '#tests/trust/events.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import type { HttpResponse } from '#tests/trust/http.ts'
import { botToken, newPerson, Visitor } from '#tests/trust/people.ts'
import { openSponsorForm } from '#tests/trust/browser/public-forms.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const PATH = '/api/sponsor/checkout/sponsor'
const AT_ONCE = 30
/** The documented limits. */
const AN_HOUR_AN_ADDRESS = 30
const AN_HOUR_IN_ALL = 600
const ADDRESSES = 200

let orders = 0

export const row: TrustRow = {
  id: 'T13',
  promise: 'Card testing',
  gate: true,
  target:
    '2,000 sponsor checkouts from 1 and from 200 addresses, and as many for paid seats: at most 30 sessions/h per address and 600/h overall, of each kind; 429 with retryAfter; a real sponsor and a logged-in member still served; free seats held for 200 made-up addresses are released after half an hour',
  async run({ world: start, count, random }) {
    const attempts = count(2_000, 100)
    const faults = new Faults()
    const world = await start({ instances: 2, rateLimits: 'on' })
    const formToken = await openSponsorForm(world)

    async function storm(
      addressOf: (turn: number) => string,
      send: (visitor: Visitor, email: string) => Promise<HttpResponse>,
    ): Promise<number[]> {
      return inParallel(
        Array.from({ length: attempts }, (_, turn) => turn),
        AT_ONCE,
        async (turn) => {
          const visitor = new Visitor(world, { site: world.siteOf(turn), address: addressOf(turn) })
          const email = `card${random.between(1, 1_000_000_000)}.${turn}@example.com`
          const { status, headers, body, text } = await send(visitor, email)
          if (status === 200) return status
          faults.expect(status === 429, `answered ${status}`, text)
          const hasRetryTime = body?.retryAfter > 0 && headers['retry-after'] === String(body.retryAfter)
          faults.expect(hasRetryTime && body.limit > 0 && body.window > 0, '429 without figures', text)
          return status
        },
      )
    }
    const attack = (addressOf: (turn: number) => string, more: object) =>
      storm(addressOf, (visitor, email) => visitor.post(PATH, { ...order(), email, ...more }))

    const bare = await attack(() => '198.51.100.7', {})
    const fromOne = (await world.provider.sessions()).length
    faults.expect(fromOne <= AN_HOUR_AN_ADDRESS, 'too many from one address', String(fromOne))
    faults.expect(fromOne > 0, 'nothing served at all')

    // A stronger attacker: many addresses, and the form's token.
    const many = await attack((turn) => `203.0.113.${turn % ADDRESSES}`, { formToken })
    const inAll = (await world.provider.sessions()).length
    faults.expect(inAll <= AN_HOUR_IN_ALL, 'too many in all', String(inAll))

    const real = await sponsor(world, formToken)
    faults.expect(real.status === 200, `the real sponsor was answered ${real.status}`, real.text)
    const back = real.status === 200 ? await world.provider.pay(real.body.sessionUrl as string) : null
    const paid = back ? await new Visitor(world).verifySession(back.search) : null
    faults.expect(paid?.body?.ready === true, 'the real sponsor could not pay', paid?.text)

    const seats = await attackSeats(world, { storm, faults })
    await world.quiet()
    const alerts = (await world.mailbox.emailsTo('office@example.org')).filter(({ subject }) =>
      /stolen cards/.test(subject),
    ).length
    faults.expect(alerts > 0, 'no alert was sent')
    return {
      passed: faults.count === 0,
      reached:
        `${fromOne} sessions of ${attempts} from 1 address (${tally(bare)}), ${inAll} in all after ${attempts} from ${ADDRESSES} addresses with ` +
        `the form's token (${tally(many)}); the real sponsor paid; ${seats}; ${alerts} alert email; faults: ${faults}`,
    }
  },
}

type Storm = (
  addressOf: (turn: number) => string,
  send: (visitor: Visitor, email: string) => Promise<HttpResponse>,
) => Promise<number[]>

/** The same for event seats: payment pages, and free seats that are never claimed. */
async function attackSeats(world: World, { storm, faults }: { storm: Storm; faults: Faults }): Promise<string> {
  const before = (await world.provider.sessions()).length
  const paid = await openEvent(world, 'paid-evening', 100_000, 5_000)
  const pay = (visitor: Visitor, email: string) => askForSeat(visitor, { eventId: paid, email })
  const one = await storm(() => '198.51.100.8', pay)
  const fromOne = (await world.provider.sessions()).length - before
  faults.expect(fromOne > 0 && fromOne <= AN_HOUR_AN_ADDRESS, 'pages for seats from one address', String(fromOne))
  const many = await storm((turn) => `192.0.2.${turn % ADDRESSES}`, pay)
  const inAll = (await world.provider.sessions()).length - before
  faults.expect(inAll <= AN_HOUR_IN_ALL, 'too many pages for seats in all', String(inAll))

  const member = new Visitor(world, { address: '192.0.2.251' })
  const person = newPerson()
  await member.join(person)
  const served = await askForSeat(member, { eventId: paid, email: person.email })
  faults.expect(served.body?.place === 'paying', `a logged-in member was answered ${served.status}`, served.text)

  const free = await openEvent(world, 'free-evening', 50)
  const left = async () => (await new Visitor(world).get(`/api/events/${free}/rsvp`)).body.seatsLeft as number
  const taken = await storm(
    (turn) => `100.64.0.${turn % ADDRESSES}`,
    (visitor, email) => askForSeat(visitor, { eventId: free, email }),
  )
  faults.expect((await left()) === 0, 'the storm did not take the seats it was to take', String(await left()))
  await world.pass(31 * 60_000)
  faults.expect((await left()) === 50, 'unconfirmed seats are still held', String(await left()))
  await world.pass(3_600_000)
  const email = 'real.guest@example.com'
  await askForSeat(new Visitor(world, { address: '192.0.2.252' }), { eventId: free, email })
  const token = await rsvpToken(world, email)
  const confirmed = await new Visitor(world).post('/api/rsvp/confirm', { token })
  faults.expect(confirmed.body?.place === 'coming', 'a real guest has no seat', confirmed.text)
  return (
    `${fromOne} pages for seats from 1 address (${tally(one)}), ${inAll} in all from ${ADDRESSES} (${tally(many)}), a member still served; ` +
    `50 free seats taken by made-up addresses (${tally(taken)}), all free after 31 minutes, a real guest confirmed`
  )
}

/** As the page sends it, from an unused address. */
async function sponsor(world: World, formToken: string) {
  const recaptchaToken = await botToken(world, 'sponsor_checkout')
  const visitor = new Visitor(world, { address: '192.0.2.50' })
  return visitor.post(PATH, { ...order(), email: 'real@example.com', formToken, recaptchaToken })
}

function order() {
  return { name: 'Leela Varghese', company: `Company ${++orders}`, tierName: 'Custom Amount', amount: '1.00' }
}
