import type { HttpResponse } from '../http.ts'
import { inParallel } from '../load.ts'
import type { ReceivedEmail } from '../mailbox.ts'
import { expectStatus, newPerson, Visitor } from '../people.ts'
import { requestSubscription, orderSponsorship, sendMessage } from '../browser/public-forms.ts'
import type { Faults } from '../row.ts'
import type { World } from '../site.ts'

const OFFICERS = 'office@example.org'
const AT_ONCE = 2

interface Form {
  name: string
  /** Submits it for this address; the last response belongs to the call that triggers the email. */
  send(world: World, email: string): Promise<HttpResponse>
  /** Emails to the officers for one form; one goes to the person. */
  officerEmails: 0 | 1
}

const FORMS: readonly Form[] = [
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

/** A submitted form whose emails must arrive. */
export interface SubmittedForm {
  form: Form
  email: string
  trouble: string
}

/** Each form by this many people; a slow response or an error is a fault. Resolves with the slowest response in milliseconds. */
export async function submitForms(
  world: World,
  {
    people,
    trouble,
    withinMs,
    sent,
    faults,
  }: { people: number; trouble: string; withinMs: number; sent: SubmittedForm[]; faults: Faults },
): Promise<number> {
  const work = Array.from({ length: people }).flatMap(() => FORMS.map((form) => ({ form, ...newPerson() })))
  const times = await inParallel(work, AT_ONCE, async ({ form, email }) => {
    const { status, text, ms } = await form.send(world, email)
    faults.expect(status === 200 || status === 201, `${form.name} answered ${status}`, `${trouble}: ${text}`)
    faults.expect(ms < withinMs, 'a slow answer', `${trouble}, ${form.name}: ${Math.round(ms)} ms`)
    sent.push({ form, email, trouble })
    return ms
  })
  return Math.max(...times)
}

async function becomeSponsor(world: World, email: string): Promise<HttpResponse> {
  const visitor = new Visitor(world)
  const order = expectStatus(await orderSponsorship(visitor, { email }), 200, 'sponsor checkout')
  const back = await world.provider.pay(order.body.sessionUrl as string)
  return visitor.verifySession(back?.search ?? '')
}

/** Delivered emails, and how many were delivered more than once. */
export function countEmails(all: readonly ReceivedEmail[], sent: readonly SubmittedForm[], faults: Faults) {
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
