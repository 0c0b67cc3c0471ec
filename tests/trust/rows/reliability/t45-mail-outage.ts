import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpResponse } from '#tests/trust/http.ts'
import { inParallel } from '#tests/trust/load.ts'
import type { ReceivedEmail } from '#tests/trust/mailbox.ts'
import { expectStatus, newPerson, Visitor } from '#tests/trust/people.ts'
import { requestSubscription, orderSponsorship, sendMessage } from '#tests/trust/browser/public-forms.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const OFFICERS = 'office@example.org'
const HOUR_MS = 3_600_000
const Response_WITHIN_MS = 500
const QUIET_WITHIN_MS = 120_000
/** Enough for the worker to run between two clock changes. */
const TURN_MS = 1_500
const AT_ONCE = 2
const REFUSED_FOR_GOOD = 10

/** Faults of a mail server for two hours; the last one loses one response in a thousand after accepting the email. */
const TROUBLES: { mail: string; slowMs?: number; times?: number }[] = [
  { mail: 'refuse' },
  { mail: 'blackhole' },
  { mail: 'slow', slowMs: 1_000 },
  { mail: 'temporary' },
  { mail: 'limited' },
  { mail: 'error' },
  { mail: 'lostReply', times: 1 },
]

interface Form {
  name: string
  /** Submits it for this address; the last response belongs to the call that triggers the email. */
  send(world: World, email: string): Promise<HttpResponse>
  /** Emails to the officers for one form; one goes to the person. */
  officerEmails: 0 | 1
}

const FORMS: Form[] = [
  {
    name: 'contact',
    officerEmails: 1,
    send: (world, email) => sendMessage(new Visitor(world), { email }),
  },
  { name: 'sponsor', officerEmails: 1, send: becomeSponsor },
  {
    name: 'register',
    officerEmails: 0,
    send: (world, email) => new Visitor(world).register(newPerson({ email })),
  },
  { name: 'subscribe', officerEmails: 0, send: (world, email) => requestSubscription(new Visitor(world), email) },
]

interface Sent {
  form: Form
  email: string
  trouble: string
}

export const row: TrustRow = {
  id: 'T45',
  promise: 'Mail server down, slow, 4xx, 5xx',
  gate: true,
  target:
    'contact, sponsors, register, subscribe during 2 h of refused, hanging, slow, 4xx, 421, 5xx and lost responses after DATA: 0 emails lost, <= 1 duplicate per 1,000, with the same Message-ID; responses < 500 ms',
  async run({ world: start, count }) {
    const each = count(24, 2)
    const faults = new Faults()
    const world = await start()
    await world.control({ webhooks: 'drop' })
    const sent: Sent[] = []
    const times: number[] = []

    async function sendAll(trouble: string, people: number): Promise<void> {
      const work = Array.from({ length: people }).flatMap(() => FORMS.map((form) => ({ form, ...newPerson() })))
      await inParallel(work, AT_ONCE, async ({ form, email }) => {
        const { status, text, ms } = await form.send(world, email)
        faults.expect(status === 200 || status === 201, `${form.name} answered ${status}`, `${trouble}: ${text}`)
        faults.expect(ms < Response_WITHIN_MS, 'a slow answer', `${trouble}, ${form.name}: ${Math.round(ms)} ms`)
        times.push(ms)
        sent.push({ form, email, trouble })
      })
    }

    for (const trouble of TROUBLES) {
      await world.control(trouble)
      // Half of them at the beginning, half in the middle of the two hours.
      for (let hour = 0; hour < 2; hour++) {
        await sendAll(trouble.mail, each / 2)
        for (let quarter = 0; quarter < 4; quarter++) {
          await world.control({ advanceMs: HOUR_MS / 4 })
          await sleep(TURN_MS)
        }
      }
      await world.control({ mail: 'ok' })
      await drain(world, faults)
    }
    const { emails, duplicates } = countEmails(await world.mailbox.all(), sent, faults)
    const allowed = Math.ceil(emails / 1_000)
    faults.expect(duplicates <= allowed, 'too many duplicates', `${duplicates} of ${emails}`)
    const kept = await refuseForGood(world, faults)
    return {
      passed: faults.count === 0,
      reached:
        `${emails} emails after ${TROUBLES.length} outages of 2 h, ${faults.countOf('lost')} lost, ${duplicates} twice; ` +
        `${times.length} forms, slowest answer ${Math.round(Math.max(...times))} ms; ${kept} refused for good and kept for the webmaster; faults: ${faults}`,
    }
  },
}

async function becomeSponsor(world: World, email: string): Promise<HttpResponse> {
  const visitor = new Visitor(world)
  const order = expectStatus(await orderSponsorship(visitor, { email }), 200, 'sponsor checkout')
  const back = await world.provider.pay(order.body.sessionUrl as string)
  return visitor.verifySession(back?.search ?? '')
}

/** Past the longest retry delay, until nothing is queued. */
async function drain(world: World, faults: Faults): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await world.control({ advanceMs: HOUR_MS })
    faults.expect(await world.isQuiet(QUIET_WITHIN_MS), 'emails still wait')
  }
}

/** Delivered emails, and how many were delivered more than once. */
function countEmails(all: readonly ReceivedEmail[], sent: readonly Sent[], faults: Faults) {
  const toOfficers = all.filter(({ to }) => to.includes(OFFICERS))
  const byPerson = Map.groupBy(all, ({ to }) => to[0] ?? '')
  let emails = 0
  let duplicates = 0
  for (const { form, email, trouble } of sent) {
    const what = `${trouble}, ${form.name}: ${email}`
    const own = byPerson.get(email) ?? []
    const officers = toOfficers.filter(({ text }) => text.includes(email))
    const kinds = form.officerEmails === 0 ? [own] : [own, officers]
    for (const copies of kinds) {
      faults.expect(copies.length > 0, 'lost', what)
      const ids = new Set(copies.map(({ headers }) => headers['message-id']))
      faults.expect(ids.size <= 1, 'two emails for one event', what)
      emails += Math.min(copies.length, 1)
      duplicates += Math.max(0, copies.length - 1)
    }
  }
  return { emails, duplicates }
}

/** An address that does not exist is not retried for days: the email becomes a dead letter that the webmaster can see. */
async function refuseForGood(world: World, faults: Faults): Promise<number> {
  await world.control({ mail: 'permanent', times: REFUSED_FOR_GOOD })
  for (let turn = 0; turn < REFUSED_FOR_GOOD; turn++) await requestSubscription(new Visitor(world), newPerson().email)
  await drain(world, faults)
  const { db } = world.database
  const dead = await db.selectFrom('outbox').select('lastError').where('deadAt', 'is not', null).execute()
  const isKept = dead.length === REFUSED_FOR_GOOD && dead.every(({ lastError: why }) => why === 'mail refused 550')
  faults.expect(isKept, 'given up', `${dead.length}: ${dead[0]?.lastError}`)
  return dead.length
}
