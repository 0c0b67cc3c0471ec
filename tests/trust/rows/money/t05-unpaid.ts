import { errors } from '#contract/errors.ts'
import { expectStatus, newPerson, Visitor } from '#tests/trust/people.ts'
import { inParallel } from '#tests/trust/load.ts'
import { checkoutOf } from '#tests/trust/provider.ts'
import { startProxy, type Proxy } from '#tests/trust/faults/proxy.ts'
import { orderSponsorship } from '#tests/trust/browser/public-forms.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

/** A person about to become a member or a sponsor: both return through the same call. */
interface Payer {
  email: string
  visitor: Visitor
  sessionId: string
  nonce: string
}

export const row: TrustRow = {
  id: 'T05',
  promise: 'Unpaid means not active',
  gate: true,
  target:
    "members and sponsors: unpaid, failed, expired, contradicted by the API, someone else's or random return link: 0 activations, 0 sponsorships, 0 confirmations; the specified 403 message",
  async run({ world: start, count, random }) {
    const each = count(50, 4)
    let proxy: Proxy | null = null
    const world = await start({
      environment: async (standinsUrl) => {
        proxy = await startProxy(standinsUrl)
        return { STRIPE_API_URL: proxy.url }
      },
    })
    const between = proxy as unknown as Proxy
    /** Sessions that the provider's API reports as complete but unpaid, as for a pending bank debit. */
    const unpaid = new Set<string>()
    between.change = ({ path, status, body }) => {
      const id = /\/checkout\/sessions\/(cs_[A-Za-z0-9_]+)/.exec(path)?.[1]
      if (!id || !unpaid.has(id)) return null
      return { status, body: JSON.stringify({ ...(JSON.parse(body) as object), payment_status: 'unpaid' }) }
    }
    await world.control({ webhooks: 'drop' })
    const faults = new Faults()

    const awaited = await payers(world, each, 'pay')
    for (const { sessionId } of awaited) unpaid.add(sessionId)
    const open = await payers(world, each, 'open')
    const expired = await payers(world, each, 'open')
    for (const { sessionId } of expired) await world.provider.stripe.checkout.sessions.expire(sessionId)

    const events = await world.provider.events()
    const completed = events.filter(({ type }) => type === 'checkout.session.completed')
    const notices = [
      ...awaited.flatMap(({ sessionId }) => {
        const event = completed.find(({ data }) => (data.object as { id: string }).id === sessionId)
        const object = { ...event?.data.object, payment_status: 'unpaid' }
        return [
          { ...event, id: `evt_unpaid_${sessionId}`, data: { object } },
          { ...event, id: `evt_failed_${sessionId}`, type: 'checkout.session.async_payment_failed', data: { object } },
          // The event contradicts the API.
          { ...event, id: `evt_claims_${sessionId}` },
        ]
      }),
      ...open.map(({ sessionId }) => ({
        ...completed[0],
        id: `evt_open_${sessionId}`,
        data: { object: { ...completed[0]?.data.object, id: sessionId, metadata: metadataOf(sessionId) } },
      })),
      ...events.filter((event) => event.type === 'checkout.session.expired' && checkoutOf(event) !== null),
    ]
    function metadataOf(sessionId: string): object {
      return { checkout_id: `of ${sessionId}` }
    }
    await inParallel(random.shuffle(notices), 20, async (notice) => {
      const { status, text } = await world.provider.deliver(world.site.origin, world.provider.sign(notice))
      faults.expect(status === 200, `notice answered ${status}`, text)
    })
    await world.quiet()

    const everyone = [...awaited, ...open, ...expired]
    await inParallel(everyone, 20, async ({ visitor, sessionId, nonce }) => {
      const own = await visitor.verifySession(`?session_id=${sessionId}&nonce=${nonce}`)
      faults.expect(own.status === 200 && own.body.ready === false, 'own unpaid page says ready', own.text)
      const status = await visitor.get(`/api/stripe/checkout/payment-status?sessionId=${sessionId}`)
      faults.expect(status.body?.ready === false, 'status says ready', status.text)
    })

    const links = await foreignLinks(everyone, random)
    let refused = 0
    for (const { visitor, query, kind } of links) {
      const response = await visitor.verifySession(query)
      const isRight = response.status === 403 && response.body?.message === errors.PAYMENT_LINK_INVALID.message
      if (isRight) refused++
      faults.expect(isRight, `${kind} answered ${response.status}`, response.text)
      faults.expect(response.body?.token === undefined, 'token for a foreign link')
    }

    // The reconciler must not treat unpaid as paid either.
    await world.control({ advanceMs: 16 * 60_000 })
    await world.quiet()
    await new Promise((done) => setTimeout(done, 2_000))
    const activations = await countActive(world, everyone)
    const thanks = await countThanks(world)
    faults.expect(thanks === 0, 'thanked without payment', String(thanks))
    // The same people become active once they have paid: nothing else was blocking them.
    unpaid.clear()
    await inParallel(awaited, 10, async ({ visitor, sessionId, nonce }) => {
      const { body } = await visitor.verifySession(`?session_id=${sessionId}&nonce=${nonce}`)
      faults.expect(body?.ready === true, 'paid at last, not ready', JSON.stringify(body))
    })
    faults.expect((await countActive(world, awaited)) === awaited.length, 'paid at last, not active')
    await world.quiet()
    faults.expect((await countThanks(world)) === each, 'sponsors that paid were not thanked')
    await between.close()
    return {
      passed: activations === 0 && faults.count === 0,
      reached: `${activations} activations of ${everyone.length} unpaid, half of them sponsors, ${notices.length} notices; ${refused} of ${links.length} foreign links refused with the text; faults: ${faults}`,
    }
  },
}

/** This many future members, and as many sponsors. */
async function payers(world: World, count: number, how: 'pay' | 'open'): Promise<Payer[]> {
  return inParallel(Array.from({ length: count * 2 }), 20, async (_, turn) => {
    const { email, visitor, url } = turn % 2 === 0 ? await becomeMember(world) : await becomeSponsor(world)
    const sessionId = /\/(cs_[A-Za-z0-9_]+)/.exec(url)?.[1] ?? ''
    const session = await world.provider.stripe.checkout.sessions.retrieve(sessionId)
    const nonce = new URL(session.success_url ?? '').searchParams.get('nonce') ?? ''
    if (how === 'pay') await world.provider.pay(url)
    return { email, visitor, sessionId, nonce }
  })
}

async function becomeMember(world: World) {
  const person = newPerson()
  const visitor = new Visitor(world)
  return { email: person.email, visitor, url: await visitor.toHostedPage(person) }
}

async function becomeSponsor(world: World) {
  const { email } = newPerson()
  const visitor = new Visitor(world)
  const { body } = expectStatus(await orderSponsorship(visitor, { email }), 200, 'sponsor checkout')
  return { email, visitor, url: body.sessionUrl as string }
}

/** Links with parts of different checkouts. */
async function foreignLinks(everyone: readonly Payer[], random: { hex(bytes: number): string }) {
  return everyone.flatMap(({ visitor, sessionId, nonce }, index) => {
    const other = everyone[(index + 1) % everyone.length] as Payer
    const link = (session: string, secret: string) =>
      `?session_id=${encodeURIComponent(session)}&nonce=${encodeURIComponent(secret)}`
    return [
      { visitor, kind: "someone else's session", query: link(other.sessionId, nonce) },
      { visitor, kind: "someone else's nonce", query: link(sessionId, other.nonce) },
      { visitor, kind: 'random session', query: link(`cs_test_${random.hex(29)}`, nonce) },
      { visitor, kind: 'random nonce', query: link(sessionId, random.hex(22)) },
      { visitor, kind: 'nonce cut', query: link(sessionId, nonce.slice(0, -1)) },
      { visitor, kind: 'nonce in other case', query: link(sessionId, swapCase(nonce)) },
    ]
  })
}

function swapCase(text: string): string {
  return [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')
}

async function countActive({ database: { db } }: World, people: readonly Payer[]): Promise<number> {
  const emails = people.map(({ email }) => email)
  const members = await db.selectFrom('account').select('id').where('email', 'in', emails).execute()
  const sponsors = await db
    .selectFrom('sponsorship')
    .select('id')
    .where('email', 'in', emails)
    .where('state', '=', 'paid')
    .execute()
  return members.length + sponsors.length
}

async function countThanks({ mailbox }: World): Promise<number> {
  return (await mailbox.all()).filter(({ subject }) => subject.startsWith('Thank you for your sponsorship')).length
}
