import { errors } from '#contract/errors.ts'
import type { HttpResponse } from '#tests/trust/http.ts'
import { expectStatus, newPerson, Visitor } from '#tests/trust/people.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { startProxy, type Proxy } from '#tests/trust/faults/proxy.ts'
import { orderSponsorship } from '#tests/trust/browser/public-forms.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const LEVELS = ['annual_member', 'life_member', 'resident_fellow']
const LONGEST_Response_MS = 10_000
/** The sponsors' page prefixes its messages with 'Checkout failed: …'. */
const TEXTS: readonly string[] = [errors.CHECKOUT_FAILED.message, 'The card provider is not responding']
/** Faults of the provider's responses; the last one does the work, responds with 500, and replays that for the key. */
const TROUBLES = ['lostReply', 'reset', 'slow', 'limited', 'error', '500 after the work'] as const
type Trouble = (typeof TROUBLES)[number]

/** A person about to pay, as member or as sponsor. */
interface Customer {
  email: string
  start(): Promise<HttpResponse>
}

export const row: TrustRow = {
  id: 'T08',
  promise: 'Provider timeouts create nothing twice',
  gate: true,
  target:
    '300 checkouts of members and 300 of sponsors under lost reply, reset, 3 s slow, 429, 500, replayed 500: 1 object per logical attempt; the specified message within 10 s; retry works',
  async run({ world: start, count, random }) {
    const each = count(50, 2)
    let proxy: Proxy | null = null
    const world = await start({
      instances: 2,
      environment: async (standinsUrl) => {
        proxy = await startProxy(standinsUrl)
        return { STRIPE_API_URL: proxy.url }
      },
    })
    const between = proxy as unknown as Proxy
    await world.control({ webhooks: 'drop' })
    const faults = new Faults()
    const everyone: Customer[] = []
    const inTrouble: string[] = []
    let slowest = 0

    // Prices are looked up once: after this, faults affect only the checkout call.
    for (const levelKey of LEVELS) await new Visitor(world).toHostedPage(newPerson({ levelKey }))

    for (const trouble of TROUBLES) {
      const people = await inParallel(Array.from({ length: each * 2 }), 25, async (_, turn) => {
        const visitor = new Visitor(world, { site: world.siteOf(turn >> 1) })
        return turn % 2 === 0 ? makeMember(visitor, random.pick(LEVELS)) : makeSponsor(visitor)
      })
      everyone.push(...people)

      async function startOne({ start }: Customer) {
        const response = await start()
        slowest = Math.max(slowest, response.ms)
        const isExplained = response.status === 502 && TEXTS.includes(response.body?.message as string)
        faults.expect(response.status === 200 || isExplained, `${trouble}: answered ${response.status}`, response.text)
        faults.expect(response.ms <= LONGEST_Response_MS, `${trouble}: slower than 10 s`, `${response.ms}`)
        return response
      }

      // Half of the people get faults on every call, the others on some calls.
      await begin(world, between, trouble, null)
      const first = await inParallel(people.slice(0, each), 25, startOne)
      await begin(world, between, trouble, random.between(3, Math.max(4, each)))
      first.push(...(await inParallel(people.slice(each), 10, startOne)))
      inTrouble.push(`${trouble} (${tally(first.map(({ status }) => status))})`)

      await begin(world, between, 'ok', null)
      await inParallel(people, 10, async (one) => {
        const response = await startOne(one)
        faults.expect(response.status === 200, `${trouble}: retry answered ${response.status}`, response.text)
        const again = await startOne(one)
        const isSame = again.body?.sessionUrl === response.body?.sessionUrl
        faults.expect(isSame, `${trouble}: another session on asking again`)
      })
    }

    const counts = new Map(everyone.map(({ email }) => [email, 0]))
    for (const { customer_email: email } of await world.provider.sessions()) {
      if (email) counts.set(email, (counts.get(email) ?? 0) + 1)
    }
    const perAttempt = everyone.map(({ email }) => counts.get(email) ?? 0)
    for (const sessions of perAttempt) faults.expect(sessions === 1, 'sessions for one attempt', String(sessions))
    const prices = await world.provider.stripe.prices.list({ limit: 100, active: true })
    const keys = prices.data.map(({ lookup_key: key }) => key)
    faults.expect(new Set(keys).size === keys.length, 'two prices for one level', keys.join(' '))
    await between.close()
    return {
      passed: faults.count === 0,
      reached:
        `${everyone.length} checkouts, sessions each: ${tally(perAttempt)}; first answers ${inTrouble.join(', ')}; ` +
        `slowest ${(slowest / 1_000).toFixed(1)} s; faults: ${faults}`,
    }
  },
}

async function makeMember(visitor: Visitor, levelKey: string): Promise<Customer> {
  const person = newPerson({ levelKey })
  expectStatus(await visitor.register(person), 201, 'register')
  expectStatus(await visitor.verify(person.email), 200, 'verify-email')
  return { email: person.email, start: () => visitor.start(person) }
}

function makeSponsor(visitor: Visitor): Customer {
  const { email } = newPerson()
  return { email, start: () => orderSponsorship(visitor, { email }) }
}

/** @param times calls with the fault; null: all */
async function begin(world: World, proxy: Proxy, trouble: Trouble | 'ok', times: number | null): Promise<void> {
  proxy.change = null
  if (trouble !== '500 after the work') {
    await world.control({ stripe: trouble, ...(times !== null && trouble !== 'ok' && { times }) })
    return
  }
  await world.control({ stripe: 'ok' })
  const replayed = new Map<string, string>()
  let left = times ?? Infinity
  proxy.change = ({ method }, headers) => {
    const key = String(headers['idempotency-key'] ?? '')
    if (method !== 'POST' || !key) return null
    const known = replayed.get(key)
    if (!known && left-- <= 0) return null
    const body = known ?? JSON.stringify({ error: { type: 'api_error', message: 'An unknown error occurred' } })
    replayed.set(key, body)
    return { status: 500, body }
  }
}
