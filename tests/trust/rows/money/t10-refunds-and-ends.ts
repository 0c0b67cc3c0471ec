import { request } from '#tests/trust/http.ts'
import { newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const DAY_MS = 86_400_000
const FAILS_AT_RENEWAL = '4000000000000341'
const DISPUTED = '4000000000000259'
const GRACE_SECONDS = 14 * 86_400
/** The provider has no date for a lost dispute: the membership ends when the event arrives. */
const HEARD_WITHIN_SECONDS = 20

export const row: TrustRow = {
  id: 'T10',
  promise: 'Refund, dispute, failed renewal, cancellation at period end',
  gate: false,
  target: 'over 14 months: status, nextBillDate and cancelDate right to the second; member notified',
  async run({ world: start }) {
    const world = await start()
    const faults = new Faults()
    const { stripe } = world.provider
    let looks = 0

    async function expectView(person: Person, when: string, wanted: View, within = 0): Promise<void> {
      looks++
      const seen = await viewOf(world, person)
      faults.expect(seen.status === wanted.status, `${when}: status`, `${seen.status} instead of ${wanted.status}`)
      for (const date of ['nextBill', 'cancel'] as const) {
        const isRight =
          wanted[date] === null || seen[date] === null
            ? seen[date] === wanted[date]
            : Math.abs(seen[date] - wanted[date]) <= within
        faults.expect(isRight, `${when}: ${date}`, `${seen[date]} instead of ${wanted[date]}`)
      }
    }
    async function expectEmail(person: Person, subject: RegExp): Promise<void> {
      looks++
      const emails = await world.mailbox.emailsTo(person.email)
      faults.expect(
        emails.some((email) => subject.test(email.subject)),
        `no email ${subject}`,
        person.email,
      )
    }

    const refunded = await joined(world)
    const disputed = await joined(world, DISPUTED)
    const cured = await joined(world, FAILS_AT_RENEWAL)
    const lapsed = await joined(world, FAILS_AT_RENEWAL)
    const leaver = await joined(world)
    const stayer = await joined(world)
    await world.pass(DAY_MS)

    // Month 1: a refund, a lost dispute, a cancellation.
    await expectEmail(disputed, /^Your payment of .* is disputed/)
    await expectView(disputed, 'disputed', {
      status: 'ACTIVE',
      nextBill: await periodEnd(world, disputed),
      cancel: null,
    })
    const refund = await stripe.refunds.create({ payment_intent: await intentOf(world, refunded) })
    const [dispute] = (await stripe.disputes.list({ limit: 1 })).data
    await stripe.disputes.close(dispute?.id ?? '')
    await inPortal(world, leaver, 'cancel')
    await world.pass(0)
    const closedAt =
      (await world.provider.events()).findLast(({ type }) => type === 'charge.dispute.closed')?.created ?? 0
    await expectView(refunded, 'refunded', { status: 'CANCELED', nextBill: null, cancel: refund.created })
    await expectEmail(refunded, /^We refunded \$100/)
    await expectView(
      disputed,
      'dispute lost',
      { status: 'CANCELED', nextBill: null, cancel: closedAt },
      HEARD_WITHIN_SECONDS,
    )
    await expectEmail(disputed, /was returned to you/)
    const end = await periodEnd(world, leaver)
    await expectView(leaver, 'cancelled', { status: 'ACTIVE', nextBill: null, cancel: end })
    await expectEmail(leaver, /will not renew and ends on/)

    // Month 12: the renewal.
    await world.pass(365 * DAY_MS)
    const failedAt = (await invoiceOf(world, cured)).status_transitions.finalized_at ?? 0
    for (const person of [cured, lapsed]) {
      const invoice = await invoiceOf(world, person)
      const since = invoice.status_transitions.finalized_at ?? 0
      await expectView(person, 'past due', {
        status: 'PAST_DUE',
        nextBill: invoice.next_payment_attempt,
        cancel: since + GRACE_SECONDS,
      })
      await expectEmail(person, /could not be charged \$100/)
    }
    await expectView(leaver, 'ended', { status: 'CANCELED', nextBill: null, cancel: end })
    await expectEmail(leaver, /Your membership has ended/)
    await expectView(stayer, 'renewed', { status: 'ACTIVE', nextBill: await periodEnd(world, stayer), cancel: null })

    await inPortal(world, cured, 'card')
    await world.pass(4 * DAY_MS)
    await expectView(cured, 'cured', { status: 'ACTIVE', nextBill: await periodEnd(world, cured), cancel: null })
    await expectEmail(cured, /Your renewal is paid/)
    await world.pass(9 * DAY_MS)
    await expectEmail(lapsed, /^Last reminder/)

    // The provider's last retry fails, a day after the grace period; then months pass.
    await world.pass(5 * DAY_MS)
    await expectEmail(lapsed, /Your membership has ended/)
    await world.pass(45 * DAY_MS)
    const { ended_at: endedAt } = await subscriptionOf(world, lapsed)
    await expectView(lapsed, 'lapsed', {
      status: 'EXPIRED',
      nextBill: null,
      cancel: Math.max(endedAt ?? 0, failedAt + GRACE_SECONDS),
    })
    await expectView(cured, 'still cured', { status: 'ACTIVE', nextBill: await periodEnd(world, cured), cancel: null })
    return {
      passed: faults.count === 0,
      reached: `6 members, ${looks} looks over 14 months: ${looks - faults.count} right; faults: ${faults}`,
    }
  },
}

interface View {
  status: string
  /** Epoch seconds. */
  nextBill: number | null
  cancel: number | null
}

async function joined(world: World, card?: string): Promise<Person> {
  const person = newPerson()
  const visitor = new Visitor(world)
  await visitor.verifySession(await visitor.pay(person, card))
  return person
}

async function viewOf(world: World, { email, password }: Person): Promise<View> {
  const response = await new Visitor(world).logIn(email, password)
  const { status, nextBillDate, cancelDate } = response.body.subscription as Record<string, string | null>
  const seconds = (date: string | null | undefined) => (date ? Math.floor(Date.parse(date) / 1_000) : null)
  return { status: status ?? '', nextBill: seconds(nextBillDate), cancel: seconds(cancelDate) }
}

async function rowOf(world: World, { email }: Person) {
  return world.database.db
    .selectFrom('account')
    .innerJoin('membership', 'membership.accountId', 'account.id')
    .innerJoin('payment', 'payment.accountId', 'account.id')
    .select(['stripeSubscriptionId', 'paymentIntentId'])
    .where('emailKey', '=', email)
    .executeTakeFirstOrThrow()
}

const intentOf = async (world: World, person: Person) => (await rowOf(world, person)).paymentIntentId ?? ''

async function subscriptionOf(world: World, person: Person) {
  return world.provider.stripe.subscriptions.retrieve((await rowOf(world, person)).stripeSubscriptionId ?? '')
}

async function periodEnd(world: World, person: Person): Promise<number> {
  return (await subscriptionOf(world, person)).items.data[0]?.current_period_end ?? 0
}

async function invoiceOf(world: World, person: Person) {
  const { latest_invoice: latest } = await subscriptionOf(world, person)
  return world.provider.stripe.invoices.retrieve(typeof latest === 'string' ? latest : (latest?.id ?? ''))
}

async function inPortal(world: World, { email, password }: Person, action: 'cancel' | 'card'): Promise<void> {
  const visitor = new Visitor(world)
  await visitor.logIn(email, password)
  const { body } = await visitor.post('/api/billing/portal-session')
  const response = await request(world.standinsUrl, {
    method: 'POST',
    path: `${new URL(body.url as string).pathname}/${action}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(action === 'card' ? { card: '4242424242424242' } : {}),
  })
  if (response.status !== 200) throw new Error(`The portal refused: ${response.text}`)
}
