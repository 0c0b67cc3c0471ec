import type Stripe from 'stripe'
import { inParallel } from '../load.ts'
import { newPerson, Visitor, type Person } from '../people.ts'
import { sendMessage } from '../browser/public-forms.ts'
import type { Random } from '../random.ts'
import type { Faults } from '../row.ts'
import type { World } from '../site.ts'

const CONCURRENCY = 30
/** An email can wait for the next outbox poll, up to half a second each time. */
const AT_ONCE_FOR_Emails = 50
const OFFICERS = 'office@example.org'

interface Member {
  person: Person
  /** The password of the last acknowledged reset. */
  password: string
}

interface Reset {
  member: Member
  newPassword: string
  token: string
  userId: string
  acknowledged: boolean
}

interface Notice {
  event: Stripe.Event
  acknowledged: boolean
}

interface Message {
  name: string
  acknowledged: boolean
}

/** The number of each per round. */
export interface Sizes {
  signUps: number
  updates: number
  payments: number
  resets: number
  messages: number
}

/** The acknowledged ones. */
export interface Acknowledged {
  asked: number
  signUps: number
  webhooks: number
  resets: number
  messages: number
}

/** The operations of T42 while the site is killed, and what must exist afterward. */
export class Effects {
  readonly #world: World
  readonly #sizes: Sizes
  readonly #random: Random
  #members: Member[] = []
  #subscriptions: string[] = []
  #offsetMs = 0
  #seenEvents = new Set<string>()
  #signUps: { person: Person; userId: string | null }[] = []
  #notices: Notice[] = []
  #payers: Person[] = []
  #resets: Reset[] = []
  #messages: Message[] = []
  #turn = 0

  constructor(world: World, sizes: Sizes, random: Random) {
    this.#world = world
    this.#sizes = sizes
    this.#random = random
  }

  /** At the next instance in rotation. */
  #visitor(): Visitor {
    return new Visitor(this.#world, { site: this.#world.siteOf(this.#turn++) })
  }

  /** Members with subscriptions to change, and members who reset their passwords. */
  async prepare(): Promise<void> {
    const world = this.#world
    await inParallel(Array.from({ length: this.#sizes.updates }), CONCURRENCY, () =>
      new Visitor(world).join(newPerson()),
    )
    this.#members = await inParallel(Array.from({ length: this.#sizes.resets }), CONCURRENCY, async () => {
      const person = await new Visitor(world).join(newPerson({ levelKey: 'medical_student' }))
      return { person, password: person.password }
    })
    const ours = (await world.provider.subscriptions()).filter(({ metadata }) => metadata['checkout_id'])
    this.#subscriptions = ours.map(({ id }) => id)
    await world.quiet()
  }

  /** Everything before the requests themselves: changes at the provider, paid sessions, reset emails. */
  async prepareRound(): Promise<void> {
    const { provider } = this.#world
    await inParallel(this.#subscriptions, 10, async (id) => {
      const { cancel_at_period_end: cancels } = await provider.stripe.subscriptions.retrieve(id)
      await provider.stripe.subscriptions.update(id, { cancel_at_period_end: !cancels })
    })
    this.#payers = await inParallel(Array.from({ length: this.#sizes.payments }), 10, async () => {
      const person = newPerson({ levelKey: this.#random.pick(['annual_member', 'life_member']) })
      await new Visitor(this.#world).pay(person)
      return person
    })
    this.#notices = (await this.#newEvents()).map((event) => ({ event, acknowledged: false }))
    this.#resets = await inParallel(this.#members, AT_ONCE_FOR_Emails, async (member) => {
      const { email } = member.person
      const before = (await this.#world.mailbox.emailsTo(email)).length
      await new Visitor(this.#world).forgotPassword(email)
      const link = await this.#linkAfter(email, before)
      const newPassword = `chosen-again-${this.#random.hex(6)}`
      return {
        member,
        newPassword,
        token: link.searchParams.get('token') ?? '',
        userId: link.searchParams.get('userId') ?? '',
        acknowledged: false,
      }
    })
    this.#signUps = Array.from({ length: this.#sizes.signUps }, () => ({ person: newPerson(), userId: null }))
    this.#messages = Array.from({ length: this.#sizes.messages }, () => ({
      name: `Writer ${this.#random.hex(8)}`,
      acknowledged: false,
    }))
  }

  /** Only what this product tracks: the last change of each subscription, and the completed checkouts. */
  async #newEvents(): Promise<Stripe.Event[]> {
    const followed: Stripe.Event[] = []
    for (const type of ['customer.subscription.updated', 'checkout.session.completed']) {
      for await (const event of this.#world.provider.stripe.events.list({ type, limit: 100 })) {
        if (this.#seenEvents.has(event.id)) break
        followed.push(event)
      }
    }
    for (const { id } of followed) this.#seenEvents.add(id)
    const paid = new Set(this.#payers.map(({ email }) => email))
    return followed.filter(({ type, data }) => {
      if (type === 'customer.subscription.updated')
        return this.#subscriptions.includes((data.object as { id: string }).id)
      return paid.has((data.object as Stripe.Checkout.Session).customer_email ?? '')
    })
  }

  async #linkAfter(email: string, before: number): Promise<URL> {
    const { mailbox } = this.#world
    for (;;) {
      const emails = await mailbox.emailsTo(email)
      const found = emails.slice(0, emails.length - before).find(({ text }) => text.includes('/reset-password?token='))
      if (found) return mailbox.link(email, '/reset-password')
      await new Promise((next) => setTimeout(next, 50))
    }
  }

  /**
   * All in parallel, mixed. Any response counts as acknowledged; a broken connection does not.
   * @param afterShare calls `strike` when this share of all requests has completed
   */
  async run(afterShare: number, strike: () => Promise<void>): Promise<Acknowledged> {
    const actions: (() => Promise<void>)[] = [
      ...this.#signUps.map((signUp) => async () => {
        const { status, body } = await this.#visitor().register(signUp.person)
        if (status === 201) signUp.userId = body.userId as string
      }),
      ...this.#notices.map((notice) => async () => {
        notice.acknowledged = (await this.#deliver(notice)) === 200
      }),
      ...this.#resets.map((reset) => async () => {
        const { token, userId, newPassword } = reset
        const { status } = await this.#visitor().post('/api/email/reset-password', { token, userId, newPassword })
        reset.acknowledged = status === 200
      }),
      ...this.#messages.map((message) => async () => {
        message.acknowledged = (await sendMessage(this.#visitor(), { name: message.name })).status === 200
      }),
    ]
    let begun = 0
    let striking: Promise<void> | null = null
    const at = Math.floor(afterShare * actions.length)
    await inParallel(this.#random.shuffle(actions), CONCURRENCY, async (action) => {
      if (begun++ >= at) striking ??= strike()
      await action().catch(() => {})
    })
    await (striking ?? strike())
    return {
      asked: actions.length,
      signUps: this.#signUps.filter(({ userId }) => userId !== null).length,
      webhooks: this.#notices.filter(({ acknowledged }) => acknowledged).length,
      resets: this.#resets.filter(({ acknowledged }) => acknowledged).length,
      messages: this.#messages.filter(({ acknowledged }) => acknowledged).length,
    }
  }

  async #deliver({ event }: Notice): Promise<number> {
    const { provider } = this.#world
    const { origin } = this.#world.siteOf(this.#turn++)
    const { status } = await provider.deliver(origin, provider.sign(event, { at: Date.now() + this.#offsetMs }))
    return status
  }

  async advance(ms: number): Promise<void> {
    this.#offsetMs += ms
    await this.#world.control({ advanceMs: ms })
  }

  /** Everything acknowledged exists, with its consequences. */
  async requireKept(faults: Faults): Promise<void> {
    const { mailbox, database } = this.#world
    const { db } = database
    await inParallel(this.#signUps, 10, async ({ person, userId }) => {
      if (userId === null) return
      const row = await db.selectFrom('pendingRegistration').select('id').where('id', '=', userId).executeTakeFirst()
      faults.expect(row !== undefined, 'acknowledged sign-up lost', person.email)
      const emails = await mailbox.emailsTo(person.email)
      faults.expect(emails.length > 0, 'email of an acknowledged sign-up lost', person.email)
    })
    for (const { event, acknowledged } of this.#notices) {
      if (!acknowledged) continue
      const row = await db.selectFrom('stripeEvent').select('doneAt').where('id', '=', event.id).executeTakeFirst()
      faults.expect(row !== undefined, 'acknowledged webhook lost', event.type)
      faults.expect(row === undefined || row.doneAt !== null, 'acknowledged webhook not handled', event.type)
    }
    await this.#requireMessages(faults)
    await inParallel(this.#resets, 8, async (reset) => {
      const { member, newPassword, acknowledged } = reset
      const visitor = new Visitor(this.#world)
      const isNew = (await visitor.logIn(member.person.email, newPassword)).status === 200
      const isOld = acknowledged ? isNew : (await visitor.logIn(member.person.email, member.password)).status === 200
      if (acknowledged) faults.expect(isNew, 'acknowledged reset lost', member.person.email)
      else faults.expect(isNew !== isOld, 'neither or both passwords', `new ${isNew}, old ${isOld}`)
      if (isNew) member.password = newPassword
    })
  }

  /** Stored once, and emailed to the officers; never twice under one name. */
  async #requireMessages(faults: Faults): Promise<void> {
    const { mailbox, database } = this.#world
    const names = this.#messages.map(({ name }) => name)
    const rows = await database.db.selectFrom('contactMessage').select('name').where('name', 'in', names).execute()
    const passedOn = (await mailbox.emailsTo(OFFICERS)).map(({ text }) => text).join('\n')
    for (const { name, acknowledged } of this.#messages) {
      const stored = rows.filter((row) => row.name === name).length
      faults.expect(stored === 1 || (stored === 0 && !acknowledged), 'acknowledged message', `stored ${stored} times`)
      faults.expect(stored === 0 || passedOn.includes(name), 'a stored message reached no officer', name)
    }
  }

  async deliverRest(faults: Faults): Promise<void> {
    await inParallel(
      this.#notices.filter(({ acknowledged }) => !acknowledged),
      10,
      async (notice) => {
        const status = await this.#deliver(notice)
        faults.expect(status === 200, `webhook told again answered ${status}`)
      },
    )
  }

  /** After all events were delivered, stored data matches the provider, once. */
  async requireComplete(faults: Faults): Promise<void> {
    const { provider, mailbox, database } = this.#world
    const { db } = database
    const said = new Map(
      (await provider.subscriptions()).map(({ id, cancel_at_period_end }) => [id, cancel_at_period_end]),
    )
    const stored = await db
      .selectFrom('membership')
      .select(['stripeSubscriptionId', 'cancelAtPeriodEnd'])
      .where('stripeSubscriptionId', 'in', this.#subscriptions)
      .execute()
    faults.expect(stored.length === this.#subscriptions.length, 'memberships of subscriptions', String(stored.length))
    for (const { stripeSubscriptionId: id, cancelAtPeriodEnd: cancels } of stored) {
      faults.expect(said.get(id ?? '') === (cancels === 1), 'subscription differs from the provider', id ?? '')
    }
    for (const { email } of this.#payers) {
      const owned = await db
        .selectFrom('membership')
        .innerJoin('account', 'account.id', 'membership.accountId')
        .select('membership.id')
        .where('account.email', '=', email)
        .execute()
      faults.expect(owned.length === 1, 'paid, not active once', `${email}: ${owned.length}`)
      const receipts = (await mailbox.emailsTo(email)).filter(({ subject }) => /receipt/i.test(subject))
      // If killed between the mail server's confirmation and our record, an email may be sent twice, but never not at all.
      faults.expect(receipts.length === 1 || receipts.length === 2, 'receipts', String(receipts.length))
    }
  }
}
