import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { RollCall } from '#contract/console/people/roll-call.ts'
import { expectStatus } from '#tests/trust/people.ts'
import { putRecord } from './member-actions.ts'
import type { Officers } from './officer-actions.ts'
import type { Member, TwoInstances } from './two-instances.ts'

const CALLS = '/api/console/roll-calls'
const TIME_ZONE = 'America/New_York'
const LEVEL = 'life_member'
const HOME = { lines: ['7 Dogwood Lane'], city: 'Macon', region: 'GA', postalCode: '31201', country: 'United States' }

/** A roll call started, answered and closed at both instances at the same moments. */
export async function checkRollCall(two: TwoInstances, { president, secretary }: Officers): Promise<void> {
  const here = await two.join({ levelKey: LEVEL })
  const moved = await two.join({ levelKey: LEVEL }, two.second)
  const reported = await two.join({ levelKey: LEVEL })
  const sessions = [president.visitor, secretary.visitor]
  const closesOn = addDays(dayOf(two.now(), TIME_ZONE), 30)
  const started = await two.atOnce(sessions, 2, (session) => session.post(CALLS, { levels: [LEVEL], closesOn }))
  two.expectOne('starting a roll call', started, [201, 409])
  const call = started.find(({ status }) => status === 201)?.body as RollCall | undefined
  if (!call) throw new Error('No roll call began')
  await two.world.quiet()
  const links = new Map<Member, string>()
  for (const member of [here, moved, reported]) links.set(member, await linkOf(two, member))

  await checkTaps(two, here, links.get(here) ?? '')
  await checkMove(two, moved, links.get(moved) ?? '')
  await checkReport(two, reported, links.get(reported) ?? '')
  for (const site of two.world.sites) {
    const { body } = await two.at(site, president.visitor).get(`${CALLS}/${call.id}`)
    const { counts } = body.call as RollCall
    const seen = [counts.here, counts.moved, counts.died].join(', ')
    two.faults.expect(seen === '1, 1, 1', 'answers to a roll call', seen)
  }
  const closed = await two.atOnce(sessions, 2, (session) => session.post(`${CALLS}/${call.id}/close`, {}))
  two.expectOne('closing a roll call', closed, [200, 409])
}

/** The secret of the link in the only email of the roll call. */
async function linkOf({ world, faults }: TwoInstances, { email }: Member): Promise<string> {
  const emails = (await world.mailbox.emailsTo(email)).filter(({ subject }) => /still here\?/.test(subject))
  faults.expect(emails.length === 1, 'emails of a roll call', `${email}: ${emails.length}`)
  return decodeURIComponent(/\/still-here#token=(\S+)/.exec(emails[0]?.text ?? '')?.[1] ?? '')
}

/** Taps without a log-in, in turns at both instances at the same moment. */
async function tap(two: TwoInstances, token: string, answer: string, times: number): Promise<void> {
  const responses = await two.atOnce([two.visitor()], times, (session) =>
    session.post('/api/roll-call/answer', { token, answer }),
  )
  for (const response of responses)
    two.faults.expect(response.status === 200 && response.body.outcome === 'saved', 'a tap', response.text)
}

async function countAudit(two: TwoInstances, { id }: Member, action: string): Promise<number> {
  const rows = await two.world.database.db
    .selectFrom('audit')
    .select('id')
    .where('subjectId', '=', id)
    .where('action', '=', action)
    .execute()
  return rows.length
}

/** What asks the member, read at an instance. */
async function ownAnswer(two: TwoInstances, site: typeof two.first, { visitor }: Member): Promise<string | null> {
  return expectStatus(await two.at(site, visitor).get('/api/account/roll-call'), 200, 'own roll call').body.call?.answer
}

/** A GET changes nothing; taps at both instances count once. */
async function checkTaps(two: TwoInstances, member: Member, token: string): Promise<void> {
  const query = new URLSearchParams({ token, answer: 'here' })
  for (const site of two.world.sites)
    for (const path of [`/still-here?${query}`, `/api/roll-call/answer?${query}`]) await two.visitor(site).get(path)
  two.faults.expect((await ownAnswer(two, two.second, member)) === null, 'a GET answered')
  await tap(two, token, 'here', 6)
  await two.soon('an answer', async () => (await ownAnswer(two, two.second, member)) === 'here')
  const stored = await countAudit(two, member, 'roll_call.answered')
  two.faults.expect(stored === 1, 'one answer in the audit log', String(stored))
}

/** The link says that the member moved; the address needs a log-in. */
async function checkMove(two: TwoInstances, member: Member, token: string): Promise<void> {
  await tap(two, token, 'moved', 2)
  const stranger = two.visitor(two.second)
  stranger.token = token
  const change = { version: '', values: {}, audiences: {} }
  const refused = await stranger.call('PUT', '/api/account/record', change)
  two.faults.expect(refused.status === 401, 'the link opened the record', String(refused.status))
  const there = two.at(two.first, member.visitor)
  await putRecord(there, { 'postal-address': HOME }, { 'postal-address': 'officers' })
  const { text } = await two.at(two.second, member.visitor).get('/api/account/record')
  two.faults.expect(text.includes('7 Dogwood Lane'), 'a new address is not at the other instance')
}

/** A death said by the link, several times at once: one report, one email, and nothing else changes. */
async function checkReport(two: TwoInstances, member: Member, token: string): Promise<void> {
  await tap(two, token, 'died', 6)
  await two.world.quiet()
  const reports = await countAudit(two, member, 'person.death_reported')
  two.faults.expect(reports === 1, 'reports by one link', String(reports))
  const emails = await two.world.mailbox.emailsTo(member.email)
  const asked = emails.filter(({ subject }) => subject === 'Please tell us that you are still here').length
  two.faults.expect(asked === 1, 'emails about a report', String(asked))
  for (const site of two.world.sites) {
    const { status } = await two.at(site, member.visitor).get('/api/account/profile')
    two.faults.expect(status === 200, 'a report closed an account', String(status))
  }
}
