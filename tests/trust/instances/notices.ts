import { createHash } from 'node:crypto'
import type { MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { bounceKey } from '#server/features/newsletter/subscribers/bounces.service.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { readPdf } from '#tests/support/files/pdf-text.ts'
import { request } from '#tests/trust/http.ts'
import { expectStatus } from '#tests/trust/people.ts'
import { SESSION_SECRET } from '#tests/trust/site.ts'
import { putRecord } from './member-actions.ts'
import { compose, copiesTo, EMAILS, finished, idsOf, read, save, send, sendWhole } from './member-emails.ts'
import type { Officers } from './officer-actions.ts'
import { download, type Member, type TwoInstances } from './two-instances.ts'

const TIME_ZONE = 'America/New_York'
const HOME = { lines: ['12 Azalea Way'], city: 'Macon', region: 'GA', postalCode: '31201', country: 'United States' }

/** What members of the lists chose or did. */
interface Recipients {
  plain: Member
  /** Switched news off and left the newsletter; later marks an email as spam, and has no postal address. */
  quiet: Member
  /** Unsubscribes from events with one click. */
  leaving: Member
  /** Marks an email as spam, and has a postal address. */
  complaining: Member
  /** Deletes the account afterward. */
  departing: Member
}

/** Emails to members composed at one instance and sent at the other. Returns a notice whose post pile waits. */
export async function checkNotices(two: TwoInstances, officers: Officers): Promise<MemberEmailDetail> {
  const recipients = {
    plain: await two.join(),
    quiet: await two.join(),
    leaving: await two.join({}, two.second),
    complaining: await two.join(),
    departing: await two.join({}, two.second),
  }
  await checkReach(two, officers)
  await checkEditor(two, officers)
  await checkTopics(two, officers, recipients)
  await checkWindow(two, officers, recipients)
  const notice = await checkSendsAtOnce(two, officers, recipients)
  await checkProof(two, { officers, notice, departing: recipients.departing })
  return checkPost(two, officers, { notice, recipients })
}

/** The four ways add up to the list of members, and are the same at both. */
async function checkReach(two: TwoInstances, { president, secretary }: Officers): Promise<void> {
  for (const topic of ['notice', 'news', 'offers']) {
    const email = await compose(two.at(two.first, president.visitor), topic, { filter: { status: 'ACTIVE' } })
    const reaches: string[] = []
    for (const site of two.world.sites) {
      const officer = two.at(site, secretary.visitor)
      const { reach } = await read(officer, email)
      const { total } = expectStatus(await officer.get('/api/console/members?status=ACTIVE'), 200, 'members').body
      const sum = reach.email + reach.post + reach.barred + reach.leftOut
      two.faults.expect(sum === reach.total && sum === total, 'reach', `${sum} of ${reach.total} of ${total}`)
      reaches.push(JSON.stringify(reach))
    }
    two.faults.expect(reaches[0] === reaches[1], 'another reach at the other instance', reaches.join(' '))
  }
}

/** An editor writes news, and no notice; the refusal ends no session. */
async function checkEditor(two: TwoInstances, { president, editor }: Officers): Promise<void> {
  const audience = { filter: { status: 'ACTIVE' } }
  const notice = await compose(two.at(two.first, president.visitor), 'notice', audience)
  for (const site of two.world.sites) {
    const session = two.at(site, editor.visitor)
    const attempts = [
      await session.post(EMAILS, { name: 'Notice', topic: 'notice', audience }),
      await send(session, notice),
      await session.post(`${EMAILS}/${notice.id}/proof`, {}),
    ]
    for (const { status, body } of attempts)
      two.faults.expect(status === 403 && body.code === 'NOT_ALLOWED', 'an editor and a notice', `${status}`)
    two.faults.expect((await session.get('/api/console/me')).status === 200, 'an editor was signed out')
    two.faults.expect(!(await compose(session, 'news', audience)).mayNotify, 'an editor may notify')
  }
}

/** A topic switched off, or left with one click at one instance, is not written about from the other. */
async function checkTopics(
  two: TwoInstances,
  officers: Officers,
  { plain, quiet, leaving }: Recipients,
): Promise<void> {
  const { faults, world } = two
  const [first, second] = [
    two.at(two.first, officers.president.visitor),
    two.at(two.second, officers.secretary.visitor),
  ]
  const off = { topic: 'news', isWanted: false }
  expectStatus(await two.at(two.second, quiet.visitor).call('PUT', '/api/account/emails/topics', off), 200, 'topic')
  await two.visitor(two.second).post('/api/newsletter/unsubscribe', { email: quiet.email })
  const events = await sendWhole(first, await compose(first, 'events', idsOf([plain, leaving])))
  const [copy] = await copiesTo(world, leaving, events)
  faults.expect(copy?.headers['list-unsubscribe-post'] === 'List-Unsubscribe=One-Click', 'no one-click header')
  const link = new URL(String(copy?.headers['list-unsubscribe']).slice(1, -1))
  const path = link.pathname + link.search
  await request(two.second.origin, { path })
  const topicsOf = async () =>
    (expectStatus(await two.at(two.first, leaving.visitor).get('/api/account/emails'), 200, 'emails').body.topics ??
      []) as { topic: string; isWanted: boolean }[]
  const wants = async (topic: string) => (await topicsOf()).some((one) => one.topic === topic && one.isWanted)
  faults.expect(await wants('events'), 'a GET unsubscribed')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await request(two.second.origin, { method: 'POST', path, headers, body: 'List-Unsubscribe=One-Click' })
  await two.soon('one click', async () => !(await wants('events')))
  const later = await sendWhole(first, await compose(first, 'events', idsOf([plain, leaving])))
  const news = await sendWhole(second, await compose(second, 'news', idsOf([plain, quiet, leaving])))
  const counts = await Promise.all([
    copiesTo(world, plain, later),
    copiesTo(world, leaving, later),
    copiesTo(world, leaving, news),
    copiesTo(world, quiet, news),
  ])
  const got = counts.map(({ length }) => length).join(', ')
  faults.expect(got === '1, 0, 1, 0', 'topics that members left', got)
}

/** One notice, sent by two officers at the same moment at both instances: one copy each, and no way to unsubscribe. */
async function checkSendsAtOnce(
  two: TwoInstances,
  { president, secretary }: Officers,
  recipients: Recipients,
): Promise<MemberEmailDetail> {
  const members: Member[] = Object.values(recipients)
  const notice = await compose(two.at(two.first, president.visitor), 'notice', idsOf(members))
  const responses = await two.atOnce([president.visitor, secretary.visitor], 6, (session) => send(session, notice))
  two.expectOne('sending a notice', responses, [200, 409])
  await finished(two.at(two.second, secretary.visitor), notice)
  for (const member of members) {
    const copies = await copiesTo(two.world, member, notice)
    two.faults.expect(copies.length === 1, 'copies of a notice', `${member.email}: ${copies.length}`)
    two.faults.expect(copies[0]?.headers['list-unsubscribe'] === undefined, 'a notice can be unsubscribed from')
  }
  return notice
}

/** Sealed by two officers at once: one proof, the same bytes at both, also after members change or leave. */
async function checkProof(
  two: TwoInstances,
  { officers, notice, departing }: { officers: Officers; notice: MemberEmailDetail; departing: Member },
): Promise<void> {
  const { president, secretary } = officers
  const path = `${EMAILS}/${notice.id}`
  const sealed = await two.atOnce([president.visitor, secretary.visitor], 4, (session) =>
    session.post(`${path}/proof`, {}),
  )
  const instants = new Set(sealed.map(({ status, body }) => `${status} ${body.sealedAt}`))
  two.faults.expect(instants.size === 1, 'seals at once', [...instants].join(', '))
  const filesAt = async (site: typeof two.first) => ({
    pdf: (await download(two.at(site, secretary.visitor), `${path}/proof.pdf`)).bytes,
    list: (await download(two.at(site, secretary.visitor), `${path}/recipients.csv`)).bytes,
  })
  const { pdf, list } = await filesAt(two.first)
  const digest = createHash('sha256').update(list).digest('hex')
  two.faults.expect((await readPdf(pdf)).text.includes(digest.slice(0, 40)), 'a proof without the digest of its list')
  const { password } = departing
  expectStatus(await two.at(two.first, departing.visitor).call('DELETE', '/api/account', { password }), 200, 'deletion')
  for (const site of two.world.sites) {
    const again = await filesAt(site)
    two.faults.expect(again.pdf.equals(pdf) && again.list.equals(list), 'a sealed proof has other bytes')
  }
}

/** Too late for its meeting, a notice is refused until a reason is written down; written at one instance, it is in the proof of the other. */
async function checkWindow(
  two: TwoInstances,
  { president, secretary }: Officers,
  { plain }: Recipients,
): Promise<void> {
  const [first, second] = [two.at(two.first, president.visitor), two.at(two.second, secretary.visitor)]
  const meetingOn = addDays(dayOf(two.now(), TIME_ZONE), 9)
  const late = await compose(first, 'notice', idsOf([plain]), meetingOn)
  for (const officer of [first, second]) {
    const { body } = await send(officer, late)
    two.faults.expect(body.code === 'NOTICE_OUTSIDE_WINDOW', 'a notice that is too late', String(body.code))
  }
  const explained = await save(first, { ...late, windowReason: 'The hall burned down.' })
  two.faults.expect((await send(second, late)).status === 409, 'a draft from before its change was sent')
  const { id } = await sendWhole(second, explained)
  expectStatus(await second.post(`${EMAILS}/${id}/proof`, {}), 200, 'seal')
  const { text } = await readPdf((await download(second, `${EMAILS}/${id}/proof.pdf`)).bytes)
  two.faults.expect(text.includes('The hall burned down.'), 'the reason is not in the proof')
}

/** An address that complained at one instance is written to by post from the other. Returns the email whose post pile waits. */
async function checkPost(
  two: TwoInstances,
  { president, secretary }: Officers,
  { notice, recipients }: { notice: MemberEmailDetail; recipients: Recipients },
): Promise<MemberEmailDetail> {
  const { plain, quiet, complaining } = recipients
  await putRecord(two.at(two.second, complaining.visitor), { 'postal-address': HOME }, { 'postal-address': 'officers' })
  for (const member of [complaining, quiet]) await complain(two, notice, member)
  const [first, second] = [two.at(two.first, president.visitor), two.at(two.second, secretary.visitor)]
  const next = await compose(first, 'notice', idsOf([plain, complaining, quiet]))
  const { email, post, leftOut } = next.reach
  const ways = [email, post, leftOut].join(', ')
  two.faults.expect(ways === '1, 1, 1', 'by email, by post and left out after complaints', ways)
  const sent = await sendWhole(second, next)
  for (const member of [complaining, quiet])
    two.faults.expect((await copiesTo(two.world, member, sent)).length === 0, 'who complained was written to')
  const page = JSON.stringify(await read(first, sent))
  two.faults.expect(!page.includes(plain.email) && !page.includes('Azalea'), 'the page of an email has an address')
  const path = `${EMAILS}/${sent.id}`
  const { text } = await readPdf((await download(first, `${path}/post.pdf`)).bytes)
  two.faults.expect(text.includes('12 Azalea Way'), 'not in the post pile')
  const labels = (await download(second, `${path}/labels.csv`)).bytes.toString()
  two.faults.expect(labels.includes('12 Azalea Way'), 'no label')
  return sent
}

/** The mail provider's report, at the second instance. */
async function complain(two: TwoInstances, { id }: MemberEmailDetail, member: Member): Promise<void> {
  const event = { type: 'complaint', email: member.email, messageId: `<${id}.${member.id}@example.org>` }
  const response = await request(two.second.origin, {
    method: 'POST',
    path: '/api/newsletter/bounces',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${bounceKey(createSecrets(SESSION_SECRET))}`,
    },
    body: JSON.stringify({ events: [event] }),
  })
  expectStatus(response, 200, 'complaint')
  two.faults.expect(response.body.taken === 1, 'a complaint was not recorded')
}

/** Names and addresses need a fresh code; one entered at one instance counts at the other. Then two officers mark the pile as posted at once. */
export async function checkPostPile(
  two: TwoInstances,
  { president, secretary }: Officers,
  { id }: MemberEmailDetail,
): Promise<void> {
  const path = `${EMAILS}/${id}`
  const labels = () => download(two.at(two.second, secretary.visitor), `${path}/labels.csv`)
  const refused = await labels()
  two.faults.expect(refused.bytes.includes('SECOND_FACTOR_AGAIN'), 'labels without a fresh code')
  for (const { visitor, codeAt } of [secretary, president])
    expectStatus(
      await two.at(two.first, visitor).post('/api/console/second-factor/prove', { code: codeAt(two.now()) }),
      200,
      'code',
    )
  await two.soon('a fresh code', async () => (await labels()).status === 200)
  const posted = { postedOn: dayOf(two.now(), TIME_ZONE), count: 1 }
  const marks = await two.atOnce([president.visitor, secretary.visitor], 2, (session) =>
    session.post(`${path}/posted`, posted),
  )
  two.expectOne('marking as posted', marks, [200, 409])
  const { text } = await two.at(two.second, president.visitor).get(`/api/console/audit?subject=${id}`)
  two.faults.expect(text.includes('exported names and postal addresses'), 'labels are not in the audit log')
}
