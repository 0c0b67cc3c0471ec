import { inParallel, tally } from '#tests/trust/load.ts'
import { botToken, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const OFFICERS = 'office@example.org'
const CAUGHT = 'caught@evil.example'

/** Text that could break out of a header, or reverse what a person reads. */
const VECTORS = [
  `A\r\nBcc: ${CAUGHT}`,
  `A\nBcc: ${CAUGHT}`,
  `A\rBcc: ${CAUGHT}`,
  `A\r\n\r\nSecond body`,
  `A\u2028Bcc: ${CAUGHT}`,
  `A\u2029Bcc: ${CAUGHT}`,
  `A\u0085Bcc: ${CAUGHT}`,
  `A\u000bBcc: ${CAUGHT}`,
  `A\u0000Bcc: ${CAUGHT}`,
  `A\u202eelpmaxe`,
  `A\u2066turned\u2069`,
  `A%0d%0aBcc: ${CAUGHT}`,
  `A\\r\\nBcc: ${CAUGHT}`,
  `A", "${CAUGHT}" <${CAUGHT}>`,
  `A <${CAUGHT}>, B`,
  `=?utf-8?Q?A=0D=0ABcc:_${CAUGHT}?=`,
  `=?utf-8?B?QQ0KQmNjOiBjYXVnaHRAZXZpbC5leGFtcGxl?=`,
  'שלום עולם',
  'நன்றி 🎉'.repeat(5),
  'x'.repeat(99),
  'x'.repeat(5_000),
]
const ADDRESSES = [
  `a@b.example\r\nBcc: ${CAUGHT}`,
  `a@b.example, ${CAUGHT}`,
  `a@b.example;${CAUGHT}`,
  `<a@b.example> ${CAUGHT}`,
  `"a\r\nBcc: ${CAUGHT}"@b.example`,
  `a@b.example\u2028${CAUGHT}`,
  `a%0d%0aBcc:${CAUGHT}@b.example`,
]

interface Attempt {
  form: 'contact' | 'sponsor'
  /** Unique, and in a field that is never rejected: finds the emails again. */
  mark: string
  words: Record<string, string>
}

export const row: TrustRow = {
  id: 'T35',
  promise: 'Email header injection',
  gate: false,
  target:
    'each accepted message and sponsorship: 1 email to the officers, 1 recipient, headers intact; all else 400 and no email',
  async run({ world: start }) {
    const world = await start()
    const faults = new Faults()
    const attempts = makeAttempts()
    const statuses = await inParallel(attempts, 6, (attempt) => send(world, attempt, faults))
    await world.quiet()
    const emails = (await world.mailbox.all()) as unknown as Mail[]
    let taken = 0
    for (const [turn, { form, mark, words }] of attempts.entries()) {
      const said = JSON.stringify(words).slice(0, 120)
      const mine = emails.filter(({ to, text }) => to.includes(OFFICERS) && text.includes(mark))
      const expected = statuses[turn] === 200 ? 1 : 0
      taken += expected
      faults.expect(mine.length === expected, `${form}: ${mine.length} emails instead of ${expected}`, said)
    }
    for (const email of emails) {
      const kind = problemOf(email)
      if (kind) faults.add(kind, JSON.stringify({ to: email.to, subject: email.subject }))
    }
    return {
      passed: faults.count === 0,
      reached: `${attempts.length} messages and sponsorships (${tally(statuses)}), ${taken} taken, ${emails.length} emails, each to 1 recipient with its headers intact; faults: ${faults}`,
    }
  },
}

interface Mail {
  to: string[]
  from: string
  subject: string
  text: string
  headers: Record<string, string | string[]>
}

/** What is wrong with an email; null when nothing is. */
function problemOf({ to, from, subject, headers }: Mail): string | null {
  if (to.length !== 1) return 'more than one recipient'
  if (to[0]?.includes('evil')) return 'a stranger was written to'
  if (from !== OFFICERS) return 'another sender'
  if (headers['bcc'] !== undefined || headers['cc'] !== undefined) return 'a header too many'
  for (const name of ['from', 'to', 'subject', 'message-id', 'reply-to']) {
    if (Array.isArray(headers[name])) return `${name} twice`
  }
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(subject)
    ? 'a subject that turns'
    : null
}

function makeAttempts(): Attempt[] {
  const attempts: Attempt[] = []
  function add(form: Attempt['form'], words: Record<string, string>): void {
    attempts.push({ form, mark: `mark-${attempts.length}-end`, words })
  }
  for (const vector of VECTORS) {
    add('contact', { name: vector })
    add('contact', { subject: vector })
    for (const field of ['name', 'company', 'phone']) add('sponsor', { [field]: vector })
  }
  for (const email of ADDRESSES) {
    add('contact', { email })
    add('sponsor', { email })
  }
  return attempts
}

/** Submits the form, and pays where that triggers the emails. Returns the form's status. */
async function send(world: World, { form, mark, words }: Attempt, faults: Faults): Promise<number> {
  const visitor = new Visitor(world)
  const who = { name: 'Leela', email: `${mark}@example.com` }
  const message = `We write to you: ${mark}`
  const response =
    form === 'contact'
      ? await visitor.post('/api/contact', {
          ...who,
          subject: 'A question',
          message,
          ...words,
          recaptchaToken: await botToken(world, 'contact_form'),
        })
      : await visitor.post('/api/sponsor/checkout/sponsor', {
          ...who,
          company: 'Kaveri Labs',
          tierName: 'Silver',
          amount: 1_000,
          message,
          ...words,
        })
  faults.expect(
    response.status === 200 || response.status === 400,
    `${form} answered ${response.status}`,
    response.text,
  )
  if (form === 'sponsor' && response.status === 200) await world.provider.pay(response.body.sessionUrl as string)
  return response.status
}
