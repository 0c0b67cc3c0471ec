import { openDispute } from '#standins/stripe/payments/disputes.ts'
import { failRefund } from '#standins/stripe/payments/refunds.ts'
import { postWebhookEvent, signWebhookEvent } from '../emails/webhook-events.ts'
import type { TestApp } from '../test-app.ts'
import { newBuyer, type BuyerKind, type OwnAct } from './buyers.ts'

/** A random life of one order: what happens, and in which order and how often the site hears of it. */
export interface Story {
  kind: BuyerKind
  /** How the provider responds to the first request for a payment page. */
  creation: 'ok' | 'lostReply' | 'error'
  /** Whether the buyer asks again after a failed creation. */
  retries: boolean
  ending: 'paid' | 'expired' | 'left'
  /** What happens to the payment at the provider, in this order. */
  money: readonly MoneyFact[]
  own: { act: OwnAct; isAfterPayment: boolean; isProviderDown: boolean } | null
  moves: readonly Move[]
}

export type MoneyFact =
  | 'refund-part'
  | 'refund-rest'
  | 'refund-fails'
  | 'dispute-opens'
  | 'dispute-is-won'
  | 'dispute-is-lost'

export interface Move {
  /** After which fact. */
  at: number
  what: 'event' | 'event-twice' | 'all-at-once' | 'return' | 'return-and-event' | 'reconcile' | 'job' | 'wait'
  /** Chooses an event, or the minutes to wait. */
  pick: number
}

/** What really happened: the story without the delivery. The same facts lead to the same end. */
type Fact = string

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Fails the client's retry too. */
const CALL_AND_RETRY = 2

interface Told {
  facts: Fact[]
  end: unknown
}

/** Tells stories in an application whose provider delivers no event by itself. */
export function storyteller(app: TestApp) {
  const { account } = app.standins.stripe

  async function deliver(payload: string): Promise<void> {
    const { status } = await postWebhookEvent(app, payload, signWebhookEvent(payload, { at: app.now() }))
    if (status !== 200) throw new Error(`the webhook responded with ${status}`)
  }

  const runSeatsJob = () => app.app.services.rsvpPayments.job.run()

  async function finishWork(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) {
      await app.app.outbox.drain()
      await runSeatsJob()
      await app.app.services.reconciler.runAll()
    }
    await app.app.outbox.drain()
  }

  async function begin(kind: BuyerKind) {
    const buyer = await newBuyer(app, kind)
    await app.app.outbox.drain()
    const firstEvent = account.events.all().length
    const firstRefund = account.refunds.all().length
    const firstCharge = account.charges.all().length
    const page = () =>
      account.sessions.all().findLast(({ customer_email: email, customer }) => {
        const known = typeof customer === 'string' ? account.customers.get(customer) : null
        return email === buyer.email || (known && !known.deleted && known.email === buyer.email)
      })
    const charge = () =>
      account.charges
        .all()
        .slice(firstCharge)
        .find(({ paid }) => paid)
    const ownRefunds = () => account.refunds.all().slice(firstRefund)
    const dispute = () => account.disputes.all().findLast((one) => one.charge === charge()?.id)
    return { buyer, page, charge, ownRefunds, dispute, events: () => account.events.all().slice(firstEvent) }
  }
  type Stage = Awaited<ReturnType<typeof begin>>

  /** At the provider: the payment page ends. */
  function payOrExpire({ page }: Stage, ending: Story['ending']): Promise<Fact> {
    return ending === 'left' ? Promise.resolve('left') : atPage(page(), ending)
  }

  async function atPage(session: ReturnType<Stage['page']>, ending: 'paid' | 'expired'): Promise<Fact> {
    if (!session) return 'no-page'
    if (ending === 'expired') {
      await callProvider(`checkout/sessions/${session.id}/expire`, {})
      return 'expired'
    }
    const response = await fetch(`${app.standins.url}/checkout/${session.id}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ card: '4242424242424242' }),
    })
    return response.ok ? 'paid' : 'expired'
  }

  async function callProvider(path: string, fields: Record<string, string>): Promise<boolean> {
    const response = await fetch(`${app.standins.url}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_standin', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields),
    })
    return response.ok
  }

  /** In the provider's dashboard, or at the payer's bank. Returns false if it cannot happen now. */
  async function moveMoney({ charge, ownRefunds, dispute }: Stage, fact: MoneyFact): Promise<boolean> {
    const paid = charge()
    if (!paid) return false
    if (fact === 'refund-part') return callProvider('refunds', { charge: paid.id, amount: '1000' })
    if (fact === 'refund-rest') return callProvider('refunds', { charge: paid.id })
    if (fact === 'refund-fails') {
      const refund = ownRefunds().findLast(({ status }) => status === 'succeeded')
      return refund ? Boolean(failRefund(account, refund)) : false
    }
    const known = dispute()
    if (fact === 'dispute-opens') return known ? false : Boolean(openDispute(account, paid))
    if (known?.status !== 'needs_response') return false
    const evidence = fact === 'dispute-is-won' ? 'winning_evidence' : 'losing_evidence'
    return callProvider(`disputes/${known.id}`, { 'evidence[uncategorized_text]': evidence, submit: 'true' })
  }

  async function act({ buyer }: Stage, own: NonNullable<Story['own']>): Promise<Fact | null> {
    const perform = buyer.acts[own.act]
    if (!perform) return null
    const known = (await buyer.isPaid()) ? 'known' : 'unknown'
    if (own.isProviderDown) await app.standins.control({ stripe: 'error', times: CALL_AND_RETRY })
    const response = await perform()
    await app.standins.control({ stripe: 'ok' })
    await app.app.outbox.drain()
    return `${own.act}:${known}:${own.isProviderDown ? 'down' : 'up'}:${response ? response.status : ''}`
  }

  /** The site hears of something, or time passes. */
  async function move({ buyer, page, events }: Stage, { what, pick }: Move): Promise<void> {
    const payload = events()[pick % Math.max(1, events().length)]?.payload
    const event = () => (payload === undefined ? Promise.resolve() : deliver(payload))
    const session = page()
    const target = session && new URL((session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id))
    const comeBack = async () => {
      const response = target && (await buyer.returnFrom(target))
      if (response && response.status >= 500) throw new Error(`the return page responded with ${response.status}`)
    }
    const reconcile = () => app.app.services.reconciler.run()
    switch (what) {
      case 'event':
        await event()
        break
      case 'event-twice':
        await Promise.all([event(), event()])
        break
      case 'return':
        await comeBack()
        break
      case 'return-and-event':
        await Promise.all([comeBack(), event()])
        break
      case 'all-at-once':
        await Promise.all([...events().map((one) => deliver(one.payload)), comeBack(), comeBack(), reconcile()])
        break
      case 'reconcile':
        await reconcile()
        break
      case 'job':
        await runSeatsJob()
        break
      case 'wait':
        await app.advance((pick % 45) * MINUTE_MS)
    }
    await app.app.outbox.drain()
  }

  async function finish(stage: Stage, facts: readonly Fact[]): Promise<unknown> {
    await app.advance(DAY_MS)
    await finishWork()
    const paid = stage.charge()
    const charges = account.charges
      .all()
      .filter(
        ({ paid: isPaid, customer, id }) => isPaid && (id === paid?.id || (customer && customer === paid?.customer)),
      )
    const live = account.subscriptions
      .all()
      .filter(({ customer, status }) => customer === paid?.customer && status !== 'canceled').length
    const subjects = app.standins.mails(stage.buyer.email).map(({ subject }) => subject)
    const count = (pattern: RegExp) => subjects.filter((subject) => pattern.test(subject)).length
    const { membership, ...records } = await stage.buyer.records()
    const end = {
      ...records,
      charges: charges.length,
      kept: paid ? paid.amount - (account.charges.get(paid.id)?.amount_refunded ?? 0) : 0,
      emails: [count(/^Welcome/), count(/receipt R-|^Receipt R-/i), count(/second payment/)],
    }
    if (!membership || !isUndoneInFull(facts)) return { ...end, membership, live }
    // What was not seen did not end the membership. With or without it, its subscription agrees.
    return { ...end, agrees: live > 0 === JSON.stringify(membership).includes('"active"') }
  }

  return {
    /** @param orderly the ends of the orderly deliveries told so far, by their facts */
    async compare(story: Story, orderly: Map<string, unknown>): Promise<Told & { expected: unknown }> {
      const told = await tell(story)
      const key = JSON.stringify([story.kind, story.creation, story.retries, told.facts])
      if (!orderly.has(key)) orderly.set(key, await tellInOrder(story, told.facts))
      return { ...told, expected: orderly.get(key) }
    },
  }

  async function open(stage: Stage, { creation, retries }: Story): Promise<boolean> {
    if (creation !== 'ok') await app.standins.control({ stripe: creation, times: CALL_AND_RETRY })
    let response = await stage.buyer.start()
    await app.standins.control({ stripe: 'ok' })
    if (response.status !== 200 && retries) response = await stage.buyer.start()
    await app.app.outbox.drain()
    return response.status === 200
  }

  async function tell(story: Story): Promise<Told> {
    const stage = await begin(story.kind)
    const facts: Fact[] = []
    let count = 0
    const moveOn = async () => {
      for (const one of story.moves) if (one.at === count) await move(stage, one)
      count++
    }
    const tellOwn = async () => {
      const fact = story.own && (await act(stage, story.own))
      if (!fact) return
      facts.push(fact)
      await moveOn()
    }
    const isOpen = await open(stage, story)
    facts.push(isOpen ? 'open' : 'not-open')
    await moveOn()
    if (isOpen) {
      if (!story.own?.isAfterPayment) await tellOwn()
      facts.push(await payOrExpire(stage, story.ending))
      await moveOn()
      if (story.own?.isAfterPayment) await tellOwn()
      for (const fact of moneyOf(story, facts)) {
        if (!(await moveMoney(stage, fact))) continue
        facts.push(fact)
        await moveOn()
      }
    }
    return { facts, end: await finish(stage, facts) }
  }

  /** The same facts, each heard of once and immediately; only a payment that an own act found unknown is heard of after it. */
  async function tellInOrder(story: Story, facts: readonly Fact[]): Promise<unknown> {
    const stage = await begin(story.kind)
    let heard = 0
    const hear = async () => {
      for (const { payload } of stage.events().slice(heard)) await deliver(payload)
      heard = stage.events().length
      await app.app.outbox.drain()
    }
    await open(stage, story)
    for (const [turn, fact] of facts.entries()) {
      if (fact === 'paid' || fact === 'expired') await atPage(stage.page(), fact)
      else if (fact.includes(':')) {
        // Refused because the buyer waited too long: it changed nothing, and in order there is no wait.
        if (story.own && !fact.endsWith(':403')) await act(stage, story.own)
      } else if (!/^(?:not-)?open$|^left$|^no-page$/.test(fact)) await moveMoney(stage, fact as MoneyFact)
      if (!facts[turn + 1]?.includes(':unknown')) await hear()
    }
    await hear()
    return finish(stage, facts)
  }
}

/** A payment that came although the order was closed here is refunded by us: officers do not refund it too. */
function moneyOf(story: Story, facts: readonly Fact[]): readonly MoneyFact[] {
  const isClosedHere = facts.some((fact) => /^(?:abandon|cancel-event|close-account)/.test(fact))
  return isClosedHere ? [] : story.money
}

/** A membership ends with a full refund that the site saw, and stays ended when that refund fails later. */
function isUndoneInFull(facts: readonly Fact[]): boolean {
  const rest = facts.indexOf('refund-rest')
  return rest !== -1 && facts.indexOf('refund-fails', rest) !== -1
}
