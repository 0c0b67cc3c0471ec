import { groupName, LISTED_GROUPS, listMany } from '#tests/support/content/many-listed.ts'
import type { HttpResponse } from '#tests/trust/http.ts'
import { tally } from '#tests/trust/load.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const LISTED = 700
/** As `limits.directory` and the settings allow in a day. */
const MOST = { names: 400, entries: 60, messages: 10 }

interface Learned {
  names: Set<string>
  phones: Set<string>
  entries: Set<string>
  messages: number
}

export const row: TrustRow = {
  id: 'T79',
  promise: 'What one log-in learns of the directory',
  gate: true,
  target:
    '1,000 requests of one member, in turns at two instances, of 700 listed people: at most 400 names with what they show, 60 entries opened, 10 messages sent; 0 email addresses; another member still searches',
  async run({ world: start, count }) {
    const requests = count(1_000, 300)
    const world = await start({ instances: 2, rateLimits: 'on' })
    const faults = new Faults()
    const copier = new Visitor(world, { address: '203.0.113.1' })
    const { email } = await copier.join(newPerson({ levelKey: 'medical_student' }))
    const { db } = world.database
    const { id } = await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    await listMany(db, { like: id, count: LISTED, phoneField: 'phone', now: Date.now() })

    const learned: Learned = { names: new Set(), phones: new Set(), entries: new Set(), messages: 0 }
    const statuses: number[] = []
    for (let sent = 0; sent < requests; sent++) {
      copier.site = world.siteOf(sent)
      // From another address each time: limits of an address do not count.
      copier.address = `198.51.100.${(sent % 250) + 1}`
      const response = await send(copier, sent, learned)
      statuses.push(response.status)
      faults.expect(!response.text.includes('@'), 'an email address', response.text)
      faults.expect([200, 204, 404, 429].includes(response.status), `answer ${response.status}`, response.text)
    }
    faults.expect(learned.names.size <= MOST.names, 'too many names', String(learned.names.size))
    faults.expect(learned.entries.size <= MOST.entries, 'too many entries', String(learned.entries.size))
    faults.expect(learned.messages <= MOST.messages, 'too many messages', String(learned.messages))
    faults.expect(statuses.includes(429), 'nothing was refused')

    const other = new Visitor(world, { address: '203.0.113.2' })
    await other.join(newPerson({ levelKey: 'medical_student' }))
    const search = await other.get(`/api/directory?q=${groupName(0)}`)
    faults.expect(search.status === 200, `another member's search answered ${search.status}`, search.text)
    return {
      passed: faults.count === 0,
      reached: `${learned.names.size} of ${LISTED} names, ${learned.phones.size} phone numbers, ${learned.entries.size} entries, ${learned.messages} messages, 0 email addresses from ${requests} requests (${tally(statuses)}); another member searches; faults: ${faults}`,
      notes:
        'One day. Each search is the best one can do: a full page of people whom no earlier one found. Messages go to people whom the log-in may write to',
    }
  },
}

/** A search, the entry of someone found, and a message to that person, in turns. */
async function send(copier: Visitor, sent: number, learned: Learned): Promise<HttpResponse> {
  const turn = Math.floor(sent / 3)
  const id = [...learned.names][turn] ?? 'unknown'
  if (sent % 3 === 0) {
    const found = await copier.get(`/api/directory?q=${groupName(turn % LISTED_GROUPS)}`)
    for (const person of (found.body.people ?? []) as Person[]) learn(learned, person)
    return found
  }
  if (sent % 3 === 1) {
    const entry = await copier.get(`/api/directory/${id}`)
    if (entry.status === 200) learned.entries.add(id)
    return entry
  }
  const text = { subject: 'An offer', text: 'Would you like to buy something?', showsAddress: false }
  const message = await copier.post(`/api/directory/${id}/message`, text)
  if (message.status === 204) learned.messages += 1
  return message
}

interface Person {
  id: string
  values: { kind: string; value: unknown }[]
}

function learn({ names, phones }: Learned, { id, values }: Person): void {
  names.add(id)
  for (const { kind, value } of values) if (kind === 'phone') phones.add(String(value))
}
