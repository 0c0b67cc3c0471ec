import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../http.ts'
import { inParallel } from '../load.ts'
import type { Letter } from '../mailbox.ts'
import { expectStatus, newPerson, Visitor } from '../people.ts'
import { askForNewsletter, orderSponsorship, sendMessage } from '../public-forms.ts'
import { Faults, type TrustRow } from '../row.ts'
import type { World } from '../site.ts'

const OFFICERS = 'office@example.org'
const HOUR_MS = 3_600_000
const ANSWER_WITHIN_MS = 500
const QUIET_WITHIN_MS = 120_000
/** Enough for a turn of the worker between two moves of the clock. */
const TURN_MS = 1_500
const AT_ONCE = 2
const REFUSED_FOR_GOOD = 10

/** What a mail server does for two hours; the last loses one answer of a thousand, after it has taken the letter. */
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
  /** Sends it for somebody with this address; the last answer is the one that brings the letter about. */
  send(world: World, email: string): Promise<Answer>
  /** Letters to the officers for one form; one goes to the person. */
  officersLetters: 0 | 1
}

const FORMS: Form[] = [
  {
    name: 'contact',
    officersLetters: 1,
    send: (world, email) => sendMessage(new Visitor(world), { email }),
  },
  { name: 'sponsor', officersLetters: 1, send: becomeSponsor },
  {
    name: 'register',
    officersLetters: 0,
    send: (world, email) => new Visitor(world).register(newPerson({ email })),
  },
  { name: 'subscribe', officersLetters: 0, send: (world, email) => askForNewsletter(new Visitor(world), email) },
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
    'contact, sponsors, register, subscribe during 2 h of refused, hanging, slow, 4xx, 421, 5xx and lost answers after DATA: 0 letters lost, <= 1 duplicate per 1,000, under one Message-ID; request answers < 500 ms',
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
        faults.expect(ms < ANSWER_WITHIN_MS, 'a slow answer', `${trouble}, ${form.name}: ${Math.round(ms)} ms`)
        times.push(ms)
        sent.push({ form, email, trouble })
      })
    }

    for (const trouble of TROUBLES) {
      await world.control(trouble)
      // Half at the beginning, half in the middle of two hours.
      for (let hour = 0; hour < 2; hour++) {
        await sendAll(trouble.mail, each / 2)
        for (let quarter = 0; quarter < 4; quarter++) {
          await world.control({ advanceMs: HOUR_MS / 4 })
          await sleep(TURN_MS)
        }
      }
      await world.control({ mail: 'ok' })
      await settle(world, faults)
    }
    const { letters, duplicates } = countLetters(await world.mailbox.all(), sent, faults)
    const allowed = Math.ceil(letters / 1_000)
    faults.expect(duplicates <= allowed, 'too many duplicates', `${duplicates} of ${letters}`)
    const kept = await refuseForGood(world, faults)
    return {
      passed: faults.count === 0,
      reached:
        `${letters} letters after ${TROUBLES.length} outages of 2 h, ${faults.countOf('lost')} lost, ${duplicates} twice; ` +
        `${times.length} forms, slowest answer ${Math.round(Math.max(...times))} ms; ${kept} refused for good and kept for the webmaster; faults: ${faults}`,
    }
  },
}

async function becomeSponsor(world: World, email: string): Promise<Answer> {
  const visitor = new Visitor(world)
  const order = expectStatus(await orderSponsorship(visitor, { email }), 200, 'sponsor checkout')
  const back = await world.provider.pay(order.body.sessionUrl as string)
  return visitor.verifySession(back?.search ?? '')
}

/** Past the longest pause between two tries, until nothing waits. */
async function settle(world: World, faults: Faults): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await world.control({ advanceMs: HOUR_MS })
    faults.expect(await world.isQuiet(QUIET_WITHIN_MS), 'letters still wait')
  }
}

/** Letters that came, and how many of them came more than once. */
function countLetters(all: readonly Letter[], sent: readonly Sent[], faults: Faults) {
  const toOfficers = all.filter(({ to }) => to.includes(OFFICERS))
  const byPerson = Map.groupBy(all, ({ to }) => to[0] ?? '')
  let letters = 0
  let duplicates = 0
  for (const { form, email, trouble } of sent) {
    const what = `${trouble}, ${form.name}: ${email}`
    const own = byPerson.get(email) ?? []
    const officers = toOfficers.filter(({ text }) => text.includes(email))
    const kinds = form.officersLetters === 0 ? [own] : [own, officers]
    for (const copies of kinds) {
      faults.expect(copies.length > 0, 'lost', what)
      const ids = new Set(copies.map(({ headers }) => headers['message-id']))
      faults.expect(ids.size <= 1, 'two letters for one fact', what)
      letters += Math.min(copies.length, 1)
      duplicates += Math.max(0, copies.length - 1)
    }
  }
  return { letters, duplicates }
}

/** An address that does not exist is not tried for days: the letter is given up, and kept where the webmaster sees it. */
async function refuseForGood(world: World, faults: Faults): Promise<number> {
  await world.control({ mail: 'permanent', times: REFUSED_FOR_GOOD })
  for (let turn = 0; turn < REFUSED_FOR_GOOD; turn++) await askForNewsletter(new Visitor(world), newPerson().email)
  await settle(world, faults)
  const { db } = world.database
  const dead = await db.selectFrom('outbox').select('last_error').where('dead_at', 'is not', null).execute()
  const isKept = dead.length === REFUSED_FOR_GOOD && dead.every(({ last_error: why }) => why === 'mail refused 550')
  faults.expect(isKept, 'given up', `${dead.length}: ${dead[0]?.last_error}`)
  return dead.length
}
