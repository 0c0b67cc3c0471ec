import { tally } from '#tests/trust/load.ts'
import { expectStatus, type Visitor } from '#tests/trust/people.ts'
import { listOneself, openCard, putRecord } from './member-actions.ts'
import { endByRefund, publish, scanCard, type Officers } from './officer-actions.ts'
import type { Member, TwoInstances } from './two-instances.ts'

const PAGE = '/find-a-member'
const SECOND_ADDRESS = 'find-a-physician'
const CITY = 'Azalea Springs'
const PHONE = '478 555 0142'
const VALUES = { specialty: 'Cardiology', city: CITY, phone: PHONE }
const AUDIENCES = { specialty: 'everyone', city: 'everyone', phone: 'members' }
/** As many messages as one member may send, and how many are tried. */
const MESSAGES = { allowed: 10, tried: 24 }

/** The directory for members and its public page: a change at one instance is seen at the other. */
export async function checkDirectory(two: TwoInstances, officers: Officers): Promise<string> {
  await openPublicPage(two, officers)
  const reader = await two.join({ lastName: 'Quorn' })
  const unlisted = await two.join({ lastName: 'Zzilent' })
  const physician = await two.join({ levelKey: 'annual_member', lastName: 'Quillfeather' }, two.second)
  await checkUnlisted(two, reader, unlisted)
  await checkPublicPage(two, officers, physician)
  await checkAudiences(two, { officers, reader, physician })
  const sent = await checkMessages(two, reader, physician)
  await checkWithdrawal(two, officers, physician)
  await checkLapse(two, officers, reader)
  await checkDeletion(two, officers, reader)
  return `messages of one member from both together ${sent}`
}

/** The officers switch the page on; no sample member is on it. */
async function openPublicPage(two: TwoInstances, { president }: Officers): Promise<void> {
  await two.world.database.db.updateTable('directoryListing').set({ inPublic: 0 }).execute()
  const settings = { isOn: true, title: 'Find a physician', schemaType: 'Physician', slug: SECOND_ADDRESS }
  await publish(president.visitor, 'settings-publicDirectory', (value) => ({ ...value, ...settings }))
  const other = two.visitor(two.second)
  await two.soon('the public page', async () => (await other.get(PAGE)).status === 200)
  await two.soon('its second address', async () => {
    const { status, headers } = await other.get(`/${SECOND_ADDRESS}`)
    return status > 300 && status < 400 && String(headers.location).endsWith(PAGE)
  })
}

async function find(session: Visitor, lastName: string): Promise<boolean> {
  const { people } = expectStatus(await session.get(`/api/directory?q=${lastName}`), 200, 'search').body
  return (people as { lastName: string }[]).some((person) => person.lastName === lastName)
}

/** Whether the public page has a text, in its HTML with the data for search engines. */
async function pageHas(session: Visitor, text: string): Promise<boolean> {
  return expectStatus(await session.get(PAGE), 200, PAGE).text.includes(text)
}

async function structuredData(session: Visitor): Promise<string> {
  const { text } = expectStatus(await session.get(PAGE), 200, PAGE)
  return /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(text)?.[1] ?? ''
}

async function sitemapHasPage(session: Visitor): Promise<boolean> {
  return expectStatus(await session.get('/sitemap.xml'), 200, 'sitemap').text.includes(PAGE)
}

async function checkUnlisted(two: TwoInstances, reader: Member, unlisted: Member): Promise<void> {
  const { faults, world } = two
  for (const site of world.sites) {
    const stranger = two.visitor(site)
    const { status, text } = await stranger.get('/api/directory')
    faults.expect(status === 401, `the directory answered a stranger with ${status}`)
    faults.expect(!/lastName|Quorn|Zzilent/.test(text), 'a stranger got a name', text)
    faults.expect(!(await find(two.at(site, reader.visitor), unlisted.lastName)), 'listed without a choice')
    faults.expect(!(await pageHas(stranger, unlisted.lastName)), 'on the public page without a choice')
  }
}

/** Submits credentials at the second instance, and has them approved at the first. */
async function getApproved(two: TwoInstances, { president }: Officers, { id, visitor }: Member): Promise<void> {
  const given = { npi: '1234567893', licenceState: 'GA' }
  const submitted = await two.at(two.second, visitor).call('PUT', '/api/account/credentials', given)
  expectStatus(submitted, 200, 'credentials')
  const desk = two.at(two.first, president.visitor)
  const { waiting } = expectStatus(await desk.get('/api/console/credentials'), 200, 'credentials').body
  const credential = (waiting as { id: string; accountId: string }[]).find(({ accountId }) => accountId === id)
  const decision = { decision: 'approved', evidence: 'NPPES' }
  expectStatus(await desk.post(`/api/console/credentials/${credential?.id}`, decision), 200, 'approval')
}

/** Not on the public page before credentials are approved; then within a second, and in the sitemap. */
async function checkPublicPage(two: TwoInstances, officers: Officers, physician: Member): Promise<void> {
  const { faults, world } = two
  await putRecord(physician.visitor, VALUES, AUDIENCES)
  await listOneself(physician.visitor, { inPublic: true })
  for (const site of world.sites) {
    const stranger = two.visitor(site)
    faults.expect(!(await pageHas(stranger, physician.lastName)), 'public before approval')
    faults.expect(!(await sitemapHasPage(stranger)), 'an empty page is in the sitemap')
  }
  await getApproved(two, officers, physician)
  const other = two.visitor(two.second)
  await two.soon('an approval, on the public page', () => pageHas(other, physician.lastName))
  await two.soon('an approval, in the sitemap', () => sitemapHasPage(other))
  const data = await structuredData(other)
  faults.expect(data.includes(CITY) && data.includes('Cardiology'), 'no data for search engines', data)
}

/** Each value has its own audience; a change of it, or of the field, is seen at the other instance. */
async function checkAudiences(
  two: TwoInstances,
  { officers, reader, physician }: { officers: Officers; reader: Member; physician: Member },
): Promise<void> {
  const [first, second] = [two.first, two.second]
  const entryId = await listOneself(two.at(first, physician.visitor), { inPublic: true })
  const entryAt = async (site = second) =>
    expectStatus(await two.at(site, reader.visitor).get(`/api/directory/${entryId}`), 200, 'entry')
  const seenAs = await two.at(first, physician.visitor).get('/api/account/record/seen-as/member')
  const values = seenAs.text.slice(1, -1)
  two.faults.expect(values.includes(PHONE), 'the phone number is not shown to members', values)
  two.faults.expect((await entryAt()).text.includes(values), 'an entry is not what its owner sees', values)
  const [pageA, pageB] = [two.visitor(first), two.visitor(second)]
  for (const page of [pageA, pageB]) {
    two.faults.expect(!(await pageHas(page, '0142')), 'a phone number for members is public')
    two.faults.expect(!(await structuredData(page)).includes('telephone'), 'a phone number for search engines')
  }

  const show = (site: typeof first, audience: string) =>
    putRecord(two.at(site, physician.visitor), {}, { city: audience })
  await show(first, 'members')
  await two.soon('a value for members, off the public page', async () => !(await pageHas(pageB, CITY)))
  two.faults.expect((await entryAt()).text.includes(CITY), 'a value for members is hidden from them')
  await show(second, 'owner')
  await two.soon('a value for its owner, out of the entry', async () => !(await entryAt(first)).text.includes('"city"'))
  await show(first, 'everyone')
  await two.soon('a value for everyone, on the public page', () => pageHas(pageB, CITY))

  const limitCity = (widest: string) =>
    publish(two.at(first, officers.president.visitor), 'record-fields', (value) => ({
      ...value,
      fields: (value['fields'] as { key: string }[]).map((field) =>
        field.key === 'city' ? { ...field, widest } : field,
      ),
    }))
  await limitCity('officers')
  await two.soon('a field that officers narrowed, off the page', async () => !(await pageHas(pageB, CITY)))
  await two.soon('a field that officers narrowed, out of the entry', async () => !(await entryAt()).text.includes(CITY))
  await limitCity('everyone')
  await two.soon('a field that officers widened again', () => pageHas(pageB, CITY))
}

/** Messages are counted over both instances, and no response names the recipient's address. */
async function checkMessages(two: TwoInstances, sender: Member, recipient: Member): Promise<string> {
  const entryId = await listOneself(two.at(two.first, recipient.visitor), { inPublic: true })
  const text = { subject: 'Echo course', text: 'Shall we go together?', showsAddress: true }
  const responses = await two.atOnce([sender.visitor], MESSAGES.tried, (session) =>
    session.post(`/api/directory/${entryId}/message`, text),
  )
  const sent = responses.filter(({ status }) => status === 204).length
  two.faults.expect(sent === MESSAGES.allowed, 'messages sent', String(sent))
  two.faults.expect(
    responses.every((response) => [204, 429].includes(response.status) && !response.text.includes('@')),
    'a response to a message',
  )
  await two.world.quiet()
  const emails = (await two.world.mailbox.emailsTo(recipient.email)).filter(({ subject }) =>
    subject.includes(text.subject),
  )
  two.faults.expect(emails.length === sent, 'emails of messages', String(emails.length))
  two.faults.expect(
    emails.every(({ headers }) => String(headers['reply-to']).includes(sender.email)),
    'a message without an address to reply to',
  )
  return `${sent} of ${MESSAGES.tried} (${tally(responses.map(({ status }) => status))})`
}

/** An approval that officers withdraw takes the person off the page and the page out of the sitemap. */
async function checkWithdrawal(two: TwoInstances, { secretary }: Officers, physician: Member): Promise<void> {
  const { id, decidedAt, countedFrom } = await two.world.database.db
    .selectFrom('credential')
    .select(['id', 'decidedAt', 'countedFrom'])
    .where('accountId', '=', physician.id)
    .executeTakeFirstOrThrow()
  const lookedAt = new Date(Number(countedFrom ?? decidedAt)).toISOString()
  const body = { lookedAt, reason: 'The license ended.' }
  const desk = two.at(two.second, secretary.visitor)
  expectStatus(await desk.post(`/api/console/credentials/${id}/withdraw`, body), 200, 'withdrawal')
  const other = two.visitor(two.first)
  await two.soon('a withdrawn approval, off the page', async () => !(await pageHas(other, physician.lastName)))
  await two.soon('a withdrawn approval, out of the sitemap', async () => !(await sitemapHasPage(other)))
}

/** Who is no longer a member is refused and not found at the other instance, and stays logged in. */
async function checkLapse(two: TwoInstances, { president }: Officers, reader: Member): Promise<void> {
  const member = await two.join({ levelKey: 'annual_member', lastName: 'Fernandesque' })
  await listOneself(member.visitor)
  two.faults.expect(await find(two.at(two.second, reader.visitor), member.lastName), 'a member is not found')
  const card = await openCard(member.visitor)
  await endByRefund(two.at(two.first, president.visitor), member.id)
  const there = two.at(two.second, member.visitor)
  await two.soon('an ended membership', async () => {
    const { status, body } = await there.get('/api/directory')
    return status === 403 && body.code === 'ACTIVE_MEMBERSHIP_REQUIRED'
  })
  two.faults.expect((await there.get('/api/account/profile')).status === 200, 'who lapsed was signed out')
  two.faults.expect(!(await find(two.at(two.second, reader.visitor), member.lastName)), 'who lapsed is found')
  const scanned = await scanCard(two.at(two.second, president.visitor), card)
  two.faults.expect(scanned === 'lapsed', 'the card of who lapsed', String(scanned))
}

/** A deleted account is gone from search, entry, public page, sitemap, card and personal data. */
async function checkDeletion(two: TwoInstances, officers: Officers, reader: Member): Promise<void> {
  const member = await two.join({ levelKey: 'annual_member', lastName: 'Departington' })
  await putRecord(member.visitor, VALUES, AUDIENCES)
  const entryId = await listOneself(member.visitor, { inPublic: true })
  await getApproved(two, officers, member)
  const [asReader, stranger, owner] = [
    two.at(two.second, reader.visitor),
    two.visitor(two.second),
    two.at(two.second, member.visitor),
  ]
  await two.soon(
    'a second approval',
    async () => (await sitemapHasPage(stranger)) && pageHas(stranger, member.lastName),
  )
  const card = await openCard(owner)
  const scan = () => scanCard(two.at(two.second, officers.secretary.visitor), card)
  two.faults.expect((await scan()) === 'active', 'a card before the deletion')
  const { password } = member
  expectStatus(await two.at(two.first, member.visitor).call('DELETE', '/api/account', { password }), 200, 'deletion')
  await two.soon('a deletion, everywhere', async () => {
    const gone = await Promise.all([
      find(asReader, member.lastName).then((isFound) => !isFound),
      asReader.get(`/api/directory/${entryId}`).then(({ status }) => status === 404),
      pageHas(stranger, member.lastName).then((isShown) => !isShown),
      sitemapHasPage(stranger).then((isNamed) => !isNamed),
      scan().then((status) => status === null),
      owner.get('/api/account/data').then(({ status }) => status === 403),
    ])
    return gone.every(Boolean)
  })
}
