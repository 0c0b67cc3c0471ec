import type { PersonRecord, PersonState } from '#contract/console/people/person-state.ts'
import { expectStatus, type Visitor } from '#tests/trust/people.ts'
import { listOneself, openCard } from './member-actions.ts'
import { scanCard, type Officers } from './officer-actions.ts'
import type { Member, TwoInstances } from './two-instances.ts'

const SOURCES = ['Obituary in the Telegraph', 'The family called']
const ASKED = 'Please tell us that you are still here'

/** A member whose death was reported, and what others saw of them before. */
export interface Reported {
  member: Member
  reader: Member
  entryId: string
  card: string
  subscriptionId: string
}

const stateOf = ({ id }: Member) => `/api/console/members/${id}/state`
const setState = (session: Visitor, member: Member, state: PersonState, seen: PersonState) =>
  session.post(stateOf(member), { state, seen, reason: 'As discussed' })

/** Two officers report a death at the same moment: both reports count, the account gets one email, and nothing changes. */
export async function reportDeath(two: TwoInstances, { president, secretary }: Officers): Promise<Reported> {
  const member = await two.join({ levelKey: 'annual_member', lastName: 'Vanamala' })
  const reader = await two.join()
  const entryId = await listOneself(member.visitor)
  const card = await openCard(member.visitor)
  const responses = await two.atOnce([president.visitor, secretary.visitor], 2, (session, turn) =>
    session.post(`/api/console/members/${member.id}/death-reports`, { source: SOURCES[turn] }),
  )
  for (const response of responses) expectStatus(response, 200, 'report')
  await two.world.quiet()
  const emails = (await two.world.mailbox.emailsTo(member.email)).filter(({ subject }) => subject === ASKED)
  two.faults.expect(emails.length === 1, 'emails about two reports', String(emails.length))
  for (const site of two.world.sites) {
    const record = expectStatus(await two.at(site, secretary.visitor).get(stateOf(member)), 200, 'state')
      .body as PersonRecord
    two.faults.expect(record.state === 'living' && record.reports.length === 2, 'after two reports', record.state)
    const early = await setState(two.at(site, president.visitor), member, 'deceased', 'living')
    two.faults.expect(early.body.code === 'TIME_TO_OBJECT', 'decided before the time to object', early.text)
    two.faults.expect((await entryStatus(two, { reader, entryId }, site)) === 200, 'a report took out of the directory')
  }
  const { stripeSubscriptionId } = await two.world.database.db
    .selectFrom('membership')
    .select('stripeSubscriptionId')
    .where('accountId', '=', member.id)
    .executeTakeFirstOrThrow()
  return { member, reader, entryId, card, subscriptionId: stripeSubscriptionId ?? '' }
}

async function entryStatus(
  two: TwoInstances,
  { reader, entryId }: Pick<Reported, 'reader' | 'entryId'>,
  site: typeof two.first,
): Promise<number> {
  return (await two.at(site, reader.visitor).get(`/api/directory/${entryId}`)).status
}

/** After the time to object: two officers decide at once, and one of them undoes it at the other instance. */
export async function checkDeath(two: TwoInstances, officers: Officers, reported: Reported): Promise<void> {
  const { faults, world } = two
  const { member, reader, card } = reported
  const { president, secretary } = officers
  await two.logIn(reader)
  const decided = await two.atOnce([president.visitor, secretary.visitor], 2, (session) =>
    setState(session, member, 'deceased', 'living'),
  )
  two.expectOne('recording a death', decided, [200, 409])
  const scan = () => scanCard(two.at(two.second, secretary.visitor), card)
  await two.soon('a death, everywhere', async () => {
    const gone = [
      (await entryStatus(two, reported, two.second)) === 404,
      (await scan()) === 'disabled',
      (await two.visitor(two.second).logIn(member.email, member.password)).body.code === 'ACCOUNT_INACTIVE',
    ]
    return gone.every(Boolean)
  })
  const { text } = await two.at(two.first, president.visitor).get(`/api/console/audit?person=${member.id}`)
  for (const source of SOURCES) faults.expect(text.includes(source), 'the audit log does not name a source', source)
  await checkNoEmails(two, member)
  faults.expect((await timesEnded(two, reported)) === 1, 'the payment was not ended once')

  const undone = await two.atOnce([secretary.visitor, president.visitor], 2, (session) =>
    setState(session, member, 'living', 'deceased'),
  )
  two.expectOne('undoing a death', undone, [200, 409])
  await two.soon('an undone death', async () => {
    const [isIn, isListed] = [await two.visitor(two.second).logIn(member.email, member.password), await scan()]
    return isIn.status === 200 && isListed === 'active' && (await entryStatus(two, reported, two.second)) === 200
  })
  await world.quiet()
  const opened = (await world.mailbox.emailsTo(member.email)).filter(({ subject }) => /open again/.test(subject))
  faults.expect(opened.length === 1, 'emails about an undone death', String(opened.length))
  faults.expect(/no longer renews automatically/.test(opened[0]?.text ?? ''), 'what an undo does not restore')
  faults.expect((await timesEnded(two, reported)) === 1, 'an undo changed the payment')
}

/** Nothing is sent to the address, whatever is asked for at either instance. */
async function checkNoEmails(two: TwoInstances, { email }: Member): Promise<void> {
  await two.world.quiet()
  const before = (await two.world.mailbox.emailsTo(email)).length
  for (const site of two.world.sites) {
    await two.visitor(site).forgotPassword(email)
    await two.visitor(site).post('/api/newsletter/subscribe', { email })
  }
  await two.world.quiet()
  const after = (await two.world.mailbox.emailsTo(email)).length
  two.faults.expect(after === before, 'an email after a death', String(after - before))
}

/** How often the renewal was ended at the provider, by its events. */
async function timesEnded({ world }: TwoInstances, { subscriptionId }: Reported): Promise<number> {
  const events = await world.provider.events()
  return events.filter(({ type, data: { object, previous_attributes: before } }) => {
    const wasRenewing = (before as { cancel_at_period_end?: boolean } | undefined)?.cancel_at_period_end === false
    const isIts = (object as { id?: string }).id === subscriptionId
    return type === 'customer.subscription.updated' && isIts && wasRenewing
  }).length
}
