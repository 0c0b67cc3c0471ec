import { inParallel, tally } from '../load.ts'
import { botToken, Visitor } from '../people.ts'
import { openSponsorForm } from '../public-forms.ts'
import { Faults, type TrustRow } from '../row.ts'
import type { World } from '../site.ts'

const PATH = '/api/sponsor/checkout/sponsor'
const AT_ONCE = 30
/** Interface, "Limits". */
const AN_HOUR_AN_ADDRESS = 30
const AN_HOUR_IN_ALL = 600
const ADDRESSES = 200

let orders = 0

export const row: TrustRow = {
  id: 'T13',
  promise: 'Card testing',
  gate: true,
  target:
    '2,000 sponsor checkouts from 1 and from 200 addresses: at most 30 sessions/h an address and 600/h in all; 429 with retryAfter; a real sponsor still served',
  async run({ world: start, count, random }) {
    const attempts = count(2_000, 100)
    const faults = new Faults()
    const world = await start({ instances: 2, rateLimits: 'on' })
    const formToken = await openSponsorForm(world)

    async function attack(addressOf: (turn: number) => string, more: object): Promise<number[]> {
      return inParallel(
        Array.from({ length: attempts }, (_, turn) => turn),
        AT_ONCE,
        async (turn) => {
          const visitor = new Visitor(world, {
            site: world.sites[turn % world.sites.length] ?? world.site,
            address: addressOf(turn),
          })
          const email = `card${random.between(1, 1_000_000_000)}.${turn}@example.com`
          const { status, headers, body, text } = await visitor.post(PATH, { ...order(), email, ...more })
          if (status === 200) return status
          faults.expect(status === 429, `answered ${status}`, text)
          const isTold = body?.retryAfter > 0 && headers['retry-after'] === String(body.retryAfter)
          faults.expect(isTold && body.limit > 0 && body.window > 0, '429 without figures', text)
          return status
        },
      )
    }

    const bare = await attack(() => '198.51.100.7', {})
    const fromOne = (await world.provider.sessions()).length
    faults.expect(fromOne <= AN_HOUR_AN_ADDRESS, 'too many from one address', String(fromOne))
    faults.expect(fromOne > 0, 'nothing served at all')

    // The better attacker: many addresses, and the form's token.
    const many = await attack((turn) => `203.0.113.${turn % ADDRESSES}`, { formToken })
    const inAll = (await world.provider.sessions()).length
    faults.expect(inAll <= AN_HOUR_IN_ALL, 'too many in all', String(inAll))

    const real = await sponsor(world, formToken)
    faults.expect(real.status === 200, `the real sponsor was answered ${real.status}`, real.text)
    const back = real.status === 200 ? await world.provider.pay(real.body.sessionUrl as string) : null
    const paid = back ? await new Visitor(world).verifySession(back.search) : null
    faults.expect(paid?.body?.ready === true, 'the real sponsor could not pay', paid?.text)

    await world.quiet()
    const alarms = (await world.mailbox.letters('office@example.org')).filter(({ subject }) =>
      /stolen cards/.test(subject),
    ).length
    faults.expect(alarms > 0, 'nobody was told')
    return {
      passed: faults.count === 0,
      reached:
        `${fromOne} sessions of ${attempts} from 1 address (${tally(bare)}), ${inAll} in all after ${attempts} from ${ADDRESSES} addresses with ` +
        `the form's token (${tally(many)}); the real sponsor paid; ${alarms} alarm letter; faults: ${faults}`,
    }
  },
}

/** As the page sends it, from an address nobody used before. */
async function sponsor(world: World, formToken: string) {
  const recaptchaToken = await botToken(world, 'sponsor_checkout')
  const visitor = new Visitor(world, { address: '192.0.2.50' })
  return visitor.post(PATH, { ...order(), email: 'real@example.com', formToken, recaptchaToken })
}

function order() {
  return { name: 'Leela Varghese', company: `Company ${++orders}`, tierName: 'Custom Amount', amount: '1.00' }
}
