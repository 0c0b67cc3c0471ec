import { expectStatus, newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import { inParallel, tally, until } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const PARALLEL = 50

export const row: TrustRow = {
  id: 'T07',
  promise: 'Double click, two tabs, back button',
  gate: true,
  target:
    '50 parallel starts: 1 open session, reused afterward; second payment canceled, refunded and reported; never 2 live subscriptions',
  async run({ world: start, count, random }) {
    const rounds = count(20, 2)
    const world = await start({ instances: 2 })
    await world.control({ webhooks: 'drop' })
    const faults = new Faults()

    let oneSession = 0
    for (let round = 0; round < rounds; round++) {
      const person = newPerson({ levelKey: random.pick(['annual_member', 'life_member']) })
      const tabs = await verifiedTabs(world, person)
      const responses = await inParallel(Array.from({ length: PARALLEL }), PARALLEL, (_, turn) =>
        (tabs[turn % tabs.length] as Visitor).start(person),
      )
      const sessions = new Set(responses.map(({ body }) => body?.sessionId as string))
      for (const { status, text } of responses) faults.expect(status === 200, `start answered ${status}`, text)
      const again = await (tabs[0] as Visitor).start(person)
      faults.expect(again.body?.reused === true, 'not reused afterwards', again.text)
      const open = await sessionsOf(world, person)
      if (sessions.size === 1 && open.length === 1) oneSession++
      else faults.add('not one session', `${sessions.size} told, ${open.length} at the provider`)

      // Both tabs show the same page: the second payment finds it already paid.
      const url = again.body.sessionUrl as string
      const paid = await Promise.all([world.provider.pay(url), world.provider.pay(url)])
      faults.expect(paid.filter(Boolean).length === 1, 'one session paid twice')
      const search = paid.find(Boolean)?.search ?? ''
      await Promise.all(tabs.map((tab) => tab.verifySession(search)))
      // The back button, then the same plan again.
      const after = await (tabs[0] as Visitor).start(person)
      faults.expect(after.status === 409, `start after paying answered ${after.status}`, after.text)
    }

    const switched = await inParallel(Array.from({ length: rounds }), 4, (_, turn) =>
      switchWhilePaying(world, turn, faults),
    )
    const twice = await inParallel(Array.from({ length: rounds }), 4, () => payTwice(world, faults))
    faults.expect(await world.isQuiet(), 'outbox not empty')
    for (const person of twice) await requireRefund(world, person, faults)

    const live = new Map<string, number>()
    for (const { status, metadata } of await world.provider.subscriptions()) {
      const who = metadata['person_id'] ?? ''
      if (status !== 'canceled' && who) live.set(who, (live.get(who) ?? 0) + 1)
    }
    const { db } = world.database
    const current = await db
      .selectFrom('membership')
      .select(['accountId', 'stripeSubscriptionId'])
      .where('isCurrent', '=', 1)
      .execute()
    const kept = new Set(current.map((membership) => membership.stripeSubscriptionId))
    for (const { id, status } of await world.provider.subscriptions()) {
      faults.expect(status === 'canceled' || kept.has(id), 'live subscription without a member', id)
    }
    for (const [who, count] of live) faults.expect(count === 1, 'more than one live subscription', `${who}: ${count}`)
    const alerts = (await world.mailbox.emailsTo('office@example.org')).filter(({ subject }) =>
      /paid for twice/.test(subject),
    )
    faults.expect(alerts.length > 0, 'no alarm')
    return {
      passed: faults.count === 0,
      reached:
        `${oneSession} of ${rounds} times one session for ${PARALLEL} starts; switching while paying: ${tally(switched)}; ` +
        `${twice.length} second payments refunded, ${alerts.length} alert email; ${live.size} people with one live subscription each; faults: ${faults}`,
    }
  },
}

/** Two tabs of one browser with the same cookies, each on another instance. */
async function verifiedTabs(world: World, person: Person): Promise<Visitor[]> {
  const first = new Visitor(world)
  expectStatus(await first.register(person), 201, 'register')
  expectStatus(await first.verify(person.email), 200, 'verify-email')
  const second = new Visitor(world, { site: world.siteOf(1) })
  for (const [name, value] of first.cookies) second.cookies.set(name, value)
  return [first, second]
}

async function sessionsOf(world: World, { email }: Person) {
  const found = await world.provider.stripe.checkout.sessions.list({ limit: 100, status: 'open' })
  return found.data.filter((session) => session.customer_email === email)
}

/** One tab pays while the other chooses another level: either the payment or the change wins, never both. */
async function switchWhilePaying(world: World, turn: number, faults: Faults): Promise<string> {
  const person = newPerson({ levelKey: 'annual_member' })
  const [tab, other] = (await verifiedTabs(world, person)) as [Visitor, Visitor]
  const opened = expectStatus(await tab.start(person), 200, 'checkout/start')
  const pause = new Promise((done) => setTimeout(done, turn * 3))
  const [back, changed] = await Promise.all([
    pause.then(() => world.provider.pay(opened.body.sessionUrl as string)),
    other.start({ ...person, levelKey: 'resident_fellow' }),
  ])
  const outcome = `${back ? 'paid' : 'expired'}, switch ${changed.status}`
  // No one is charged twice: the page of the replaced session is closed.
  if (back && changed.status === 200) faults.add('paid and switched', changed.text)
  if (!back && changed.status !== 200) faults.add('neither paid nor switched', changed.text)
  if (back) await tab.verifySession(back.search)
  if (changed.status === 200) {
    const second = await world.provider.pay(changed.body.sessionUrl as string)
    if (second) await other.verifySession(second.search)
  }
  return outcome
}

/** Two registrations of one address, both verified and paid: the second payment must be refunded. */
async function payTwice(world: World, faults: Faults): Promise<Person> {
  const person = newPerson({ levelKey: 'annual_member' })
  const first = new Visitor(world)
  const firstUrl = await first.toHostedPage(person)
  const second = new Visitor(world, { site: world.siteOf(1) })
  const again = { ...person, username: `${person.username}b` }
  expectStatus(await second.register(again), 201, 'register')
  const emails = await waitForEmails(world, person.email)
  faults.expect(emails, 'second email missing')
  expectStatus(await second.verify(person.email), 200, 'verify-email')
  const started = expectStatus(await second.start(again), 200, 'checkout/start')
  const paid = await Promise.all([world.provider.pay(firstUrl), world.provider.pay(started.body.sessionUrl as string)])
  faults.expect(paid.every(Boolean), 'two sessions, not both paid')
  const responses = await Promise.all([
    first.verifySession(paid[0]?.search ?? ''),
    second.verifySession(paid[1]?.search ?? ''),
  ])
  for (const { status, text } of responses) faults.expect(status === 200, `verify-session answered ${status}`, text)
  return person
}

async function waitForEmails(world: World, email: string): Promise<boolean> {
  return (await until(async () => (await world.mailbox.emailsTo(email)).length >= 2)) !== null
}

async function requireRefund(world: World, { email }: Person, faults: Faults): Promise<void> {
  const sessions = (await world.provider.sessions()).filter((session) => session.customer_email === email)
  const { db } = world.database
  const rows = await db
    .selectFrom('checkout')
    .select(['state', 'stripeSessionId'])
    .where(
      'stripeSessionId',
      'in',
      sessions.map(({ id }) => id),
    )
    .execute()
  const refunded = rows.filter(({ state }) => state === 'refunded')
  faults.expect(refunded.length === 1 && rows.length === 2, 'not exactly one payment refunded', JSON.stringify(rows))
  const session = sessions.find(({ id }) => id === refunded[0]?.stripeSessionId)
  const subscription = await world.provider.stripe.subscriptions.retrieve(String(session?.subscription))
  faults.expect(subscription.status === 'canceled', 'second subscription lives', subscription.status)
  const refunds = (await world.provider.refunds()).filter(({ status }) => status === 'succeeded')
  const invoice = await world.provider.stripe.invoices.retrieve(String(session?.invoice), { expand: ['payments'] })
  const intent = invoice.payments?.data[0]?.payment.payment_intent
  faults.expect(
    refunds.filter((refund) => refund.payment_intent === intent && refund.amount === invoice.amount_paid).length === 1,
    'second payment not refunded once and whole',
  )
}
