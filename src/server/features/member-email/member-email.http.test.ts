import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { MemberAudience, MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import type { PersonalData } from '#contract/public/account-data.ts'
import { addDays } from '#contract/dates/days.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { joinForDirectory, type DirectoryMember } from '#tests/support/content/directory.ts'
import { secretIn } from '#tests/support/emails/secret-in.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { readPdf } from '#tests/support/pdf-text.ts'
import { deactivate } from '#tests/support/people.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { claimDeliveries } from '#server/features/newsletter/sending/delivery.repository.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const PATH = '/api/console/member-emails'
const HOME = {
  lines: ['12 Azalea Way'],
  city: 'Macon',
  region: 'GA',
  postalCode: '31201',
  country: 'United States',
}
let secretary: TestBrowser
let editor: TestBrowser
let turn = 0

beforeEach(async () => {
  await app().standins.control({ mail: 'ok' })
  await publishFields(app(), [lineField('home', { kind: 'address', widest: 'officers' })])
  secretary = await officerWith(app(), ['secretary'])
  editor = await officerWith(app(), ['editor'])
  for (const officer of [secretary, editor]) await recordSecondFactor(app(), officer)
})

const join = (count: number) => Promise.all(Array.from({ length: count }, () => joinForDirectory(app())))
const idsOf = (members: readonly DirectoryMember[]): MemberAudience => ({ ids: members.map(({ id }) => id) })
const today = () => dayOf(app().now(), app().config.timeZone)

async function compose(
  topic: string,
  audience: MemberAudience,
  {
    by = secretary,
    ...more
  }: { by?: TestBrowser; meetingOn?: string; meetingKind?: string; windowReason?: string } = {},
): Promise<MemberEmailDetail> {
  const name = `Annual meeting ${++turn}`
  const created = await by.post(PATH, { name, topic, audience })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const saved = await by.call('PUT', `${PATH}/${created.body.id}`, {
    name,
    subject: name,
    snippet: 'Please come.',
    blocks: [{ kind: 'text', markdown: `The **meeting** is at noon.\n\nBring a friend.` }],
    version: created.body.version,
    topic,
    audience,
    meetingOn: null,
    meetingKind: 'annual',
    windowReason: null,
    ...more,
  })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  return saved.body as MemberEmailDetail
}

const send = (email: MemberEmailDetail, by = secretary) =>
  by.post(`${PATH}/${email.id}/send`, { version: email.version, at: null })

async function sendWhole(email: MemberEmailDetail): Promise<MemberEmailDetail> {
  const sent = await send(email)
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  await app().drain()
  return read(email)
}

const read = async ({ id }: Pick<MemberEmailDetail, 'id'>, by = secretary) =>
  (await by.get(`${PATH}/${id}`)).body as MemberEmailDetail
const copies = (member: DirectoryMember, { subject }: MemberEmailDetail) =>
  app()
    .standins.mails(member.email)
    .filter((mail) => mail.subject === subject)
const setTopic = (member: DirectoryMember, topic: string, isWanted: boolean) =>
  member.browser.call('PUT', '/api/account/emails/topics', { topic, isWanted })
const bounce = (email: MemberEmailDetail, member: DirectoryMember, kind: 'hard' | 'complaint' = 'hard') =>
  app().app.services.bounces.recordAll([
    { deliveryId: `${email.id}.${member.id}`, email: member.email, kind, reason: '550 no such user' },
  ])
const file = async (path: string) => {
  const response = await fetch(app().url + path, { headers: { authorization: `Bearer ${secretary.token}` } })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    bytes,
    text: Buffer.from(bytes).toString(),
  }
}

describe('whom it reaches', () => {
  test('the four ways add up to the list of members with the same filter', async () => {
    const members = await join(4)
    const [, silent, disabled, elsewhere] = members
    if (!silent || !disabled || !elsewhere) throw new Error('Four members joined.')
    await setTopic(silent, 'news', false)
    await deactivate(app(), disabled.email, 'officer')
    for (const audience of [{ filter: {} }, { filter: { status: 'ACTIVE' } }, idsOf(members)] as MemberAudience[]) {
      for (const topic of ['notice', 'news', 'events', 'offers']) {
        const { reach } = await compose(topic, audience)
        const { total, email, post, barred, leftOut } = reach
        expect(email + post + barred + leftOut).toBe(total)
        if (!('filter' in audience)) continue
        const query = new URLSearchParams(audience.filter as Record<string, string>)
        expect(total).toBe((await secretary.get(`/api/console/members?${query}`)).body.total)
      }
    }
    const { reach } = await compose('news', idsOf(members))
    expect(reach).toMatchObject({ total: 4, email: 2, post: 0, barred: 1, leftOut: 1 })
    expect(reach.reasons).toContainEqual({ way: 'barred', reason: 'not-wanted', count: 1 })
    expect((await compose('notice', idsOf(members))).reach).toMatchObject({ email: 3, barred: 0, leftOut: 1 })
    expect((await compose('offers', idsOf(members))).reach).toMatchObject({ email: 0, barred: 3 })
  })

  test('an address that complained or bounced: a notice goes by post to those with an address, news not at all', async () => {
    const [home, homeless, hidden] = await join(3)
    if (!home || !homeless || !hidden) throw new Error('Three members joined.')
    await home.put({ home: HOME }, { home: 'officers' })
    await hidden.put({ home: HOME }, { home: 'owner' })
    const everyone = idsOf([home, homeless, hidden])
    const first = await sendWhole(await compose('notice', everyone))
    for (const member of [home, homeless, hidden]) await bounce(first, member, 'complaint')

    const notice = await compose('notice', everyone)
    expect(notice.reach).toMatchObject({ total: 3, email: 0, post: 1, leftOut: 2 })
    expect(notice.reach.reasons).toContainEqual({ way: 'post', reason: 'complained', count: 1 })
    expect((await compose('news', everyone)).reach).toMatchObject({ email: 0, barred: 3, leftOut: 0 })
    const sent = await sendWhole(notice)
    expect(sent.post).toEqual({ waiting: 1, posted: 0, unreached: 0 })
    for (const member of [home, homeless, hidden]) expect(copies(member, notice)).toEqual([])
  })
})

describe('sending', () => {
  test('a notice reaches those who left the newsletter and every topic, without a way out; news has both headers', async () => {
    const [member, reader] = await join(2)
    if (!member || !reader) throw new Error('Two members joined.')
    await member.browser.post('/api/newsletter/unsubscribe', { email: member.email })
    for (const topic of ['news', 'events', 'offers']) await setTopic(member, topic, false)
    const notice = await compose('notice', idsOf([member, reader]))
    expect(await sendWhole(notice)).toMatchObject({ state: 'finished', mailing: { accepted: 2 } })
    const [copy] = copies(member, notice)
    expect(copy?.headers['list-unsubscribe']).toBeUndefined()
    expect(copy?.headers['precedence']).toBeUndefined()
    expect(copy?.headers['message-id']).toMatch(new RegExp(`^<${notice.id}\\.${member.id}@`))
    expect(copy?.text).not.toMatch(/unsubscribe/i)
    expect(copy?.html).not.toMatch(/unsubscribe|leave\.invalid/i)

    const news = await compose('news', idsOf([member, reader]))
    await sendWhole(news)
    expect(copies(member, news)).toEqual([])
    const [letter] = copies(reader, news)
    expect(letter?.headers['list-unsubscribe']).toMatch(/^<https?:\/\/[^>]+\/member-emails\/one-click\?token=/)
    expect(letter?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(letter?.text).toContain('Norcross')
  })

  test('one click stops this topic alone; a link in a browser changes nothing until its button is pressed', async () => {
    const [member] = await join(1)
    if (!member) throw new Error('A member joined.')
    const [events, news] = [await compose('events', idsOf([member])), await compose('news', idsOf([member]))]
    await sendWhole(events)
    const header = String(copies(member, events)[0]?.headers['list-unsubscribe'])
    const url = new URL(header.slice(1, -1))
    const opened = await app().app.http.inject({ url: url.pathname + url.search })
    expect([opened.statusCode, String(opened.headers.location)]).toEqual([
      303,
      expect.stringMatching(/^\/member-emails\/unsubscribe#/),
    ])
    const topics = async () =>
      ((await member.browser.get('/api/account/emails')).body.topics as { topic: string; isWanted: boolean }[])
        .filter(({ isWanted }) => isWanted)
        .map(({ topic }) => topic)
    expect(await topics()).toEqual(['news', 'events'])
    const clicked = await app().app.http.inject({
      method: 'POST',
      url: url.pathname + url.search,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(clicked.statusCode).toBe(200)
    expect(await topics()).toEqual(['news'])
    expect((await compose('events', idsOf([member]))).reach).toMatchObject({ email: 0, barred: 1 })
    await sendWhole(news)
    expect(copies(member, news)).toHaveLength(1)

    const token = secretIn(
      new URL(String(/\S+\/member-emails\/unsubscribe\S+/.exec(copies(member, news)[0]?.text ?? '')?.[0])),
    )
    const leave = (given: string) => app().browser().post('/api/member-emails/unsubscribe', { token: given })
    expect((await leave(`${token}x`)).body.code).toBe('NEWSLETTER_LINK_INVALID')
    for (let time = 0; time < 2; time++) expect((await leave(token)).body).toEqual({ topic: 'news' })
    expect(await topics()).toEqual([])
  })

  test('who joins later gets nothing; who leaves, moves away or opts out meanwhile is skipped with a reason', async () => {
    const members = await join(4)
    const [stays, ended, moved, opted] = members
    if (!stays || !ended || !moved || !opted) throw new Error('Four members joined.')
    const email = await compose('news', idsOf(members))
    await send(email)
    await deactivate(app(), ended.email, 'officer')
    const { db } = app().database
    await db.updateTable('account').set({ email: 'moved@example.com' }).where('id', '=', moved.id).execute()
    await setTopic(opted, 'news', false)
    const [late] = await join(1)
    await app().drain()
    expect((await read(email)).mailing).toMatchObject({ recipients: 4, accepted: 1, skipped: 3 })
    expect(copies(stays, email)).toHaveLength(1)
    if (late) expect(copies(late, email)).toEqual([])
  })

  test('a process that dies in the middle: no one has two copies, and uncertain ones are sent again on request only', async () => {
    const members = await join(6)
    const email = await compose('notice', idsOf(members))
    await send(email)
    const { db } = app().database
    const now = app().now()
    // As another process does just before it dies.
    const claimed = await claimDeliveries(db, { campaignId: email.id, limit: 2, leaseMs: 60_000, now })
    await app().drain()
    expect((await read(email)).mailing).toMatchObject({ accepted: 4, waiting: 2 })
    await app().advance(61_000)
    await app().drain()
    expect((await read(email)).mailing).toMatchObject({ recipients: 6, accepted: 4, uncertain: 2 })
    const received = async () => members.map((member) => copies(member, email).length).toSorted()
    expect(await received()).toEqual([0, 0, 1, 1, 1, 1])
    await recordSecondFactor(app(), secretary)
    await secretary.call('PUT', `${PATH}/${email.id}/mailing`, { wish: 'again' })
    await app().drain()
    expect(claimed).toHaveLength(2)
    expect(await received()).toEqual([1, 1, 1, 1, 1, 1])
  })

  test('appears neither in the archive nor on a page nor in a feed, and not among newsletters', async () => {
    const [member] = await join(1)
    if (!member) throw new Error('A member joined.')
    const email = await sendWhole(await compose('notice', idsOf([member])))
    const { http } = app().app
    expect((await http.inject({ url: `/newsletter/view/${email.id}` })).statusCode).toBe(404)
    for (const url of ['/api/newsletter/campaigns', '/newsletter', '/newsletter/feed.xml', '/sitemap.xml'])
      expect((await http.inject({ url })).body).not.toContain(email.subject)
    expect((await secretary.get(`/api/console/newsletters/${email.id}`)).status).toBe(404)
    expect(JSON.stringify((await secretary.get('/api/console/newsletters')).body)).not.toContain(email.subject)
    const listed = (await secretary.get(`${PATH}?tab=sent`)).body.emails as { id: string; sentAt: string }[]
    expect(listed.find(({ id }) => id === email.id)?.sentAt).toBeTruthy()
  })

  test('is refused when it would reach no one, and once it was sent', async () => {
    const [member] = await join(1)
    if (!member) throw new Error('A member joined.')
    const offer = await compose('offers', idsOf([member]))
    expect((await send(offer)).body.code).toBe('NO_RECIPIENTS')
    await setTopic(member, 'offers', true)
    const sent = await Promise.all([send(offer), send(offer), send(offer)])
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(1)
    await app().drain()
    expect(copies(member, offer)).toHaveLength(1)
    expect(copies(member, offer)[0]?.text).toContain('This is an advertisement.')
    expect((await secretary.call('PUT', `${PATH}/${offer.id}/mailing`, { wish: 'unschedule' })).body.code).toBe(
      'CHANGED_MEANWHILE',
    )
  })
})

describe('notice of a meeting', () => {
  test('too late or too early is refused, unless a reason is written down; the proof repeats it', async () => {
    const [member] = await join(1)
    if (!member) throw new Error('A member joined.')
    const late = await compose('notice', idsOf([member]), { meetingOn: addDays(today(), 9) })
    expect(late.window).toMatchObject({ closesOn: addDays(today(), -21), minDays: 30, maxDays: 60 })
    expect((await send(late)).body.code).toBe('NOTICE_OUTSIDE_WINDOW')
    const early = await compose('notice', idsOf([member]), { meetingOn: addDays(today(), 61) })
    expect((await send(early)).body.code).toBe('NOTICE_OUTSIDE_WINDOW')
    const special = await compose('notice', idsOf([member]), {
      meetingOn: addDays(today(), 14),
      meetingKind: 'special',
    })
    expect((await send(special)).status).toBe(200)

    const meeting = { meetingOn: addDays(today(), 9), windowReason: 'The hall burned down.' }
    const sent = await sendWhole(await compose('notice', idsOf([member]), meeting))
    await secretary.post(`${PATH}/${sent.id}/proof`, {})
    const { bytes } = await file(`${PATH}/${sent.id}/proof.pdf`)
    expect((await readPdf(bytes)).text).toContain('The hall burned down.')
  })
})

describe('post', () => {
  test('bounced copies move to the pile; it is printed, labeled and marked as posted once', async () => {
    const [reached, returned, homeless] = await join(3)
    if (!reached || !returned || !homeless) throw new Error('Three members joined.')
    await returned.put({ home: HOME }, { home: 'officers' })
    const email = await sendWhole(await compose('notice', idsOf([reached, returned, homeless])))
    expect(email.post).toEqual({ waiting: 0, posted: 0, unreached: 0 })
    expect((await file(`${PATH}/${email.id}/post.pdf`)).status).toBe(409)
    for (const member of [returned, homeless]) await bounce(email, member)
    expect((await read(email)).post).toEqual({ waiting: 1, posted: 0, unreached: 1 })

    const letters = await file(`${PATH}/${email.id}/post.pdf`)
    expect([letters.status, letters.type]).toEqual([200, 'application/pdf'])
    const { text } = await readPdf(letters.bytes)
    for (const part of ['12 Azalea Way', 'Macon, GA 31201', 'The meeting is at noon.', 'Bring a friend.'])
      expect(text).toContain(part)
    const labels = await file(`${PATH}/${email.id}/labels.csv`)
    expect(labels.text).toContain('"12 Azalea Way","","Macon","GA","31201","United States"')

    const mark = (body: object) => secretary.post(`${PATH}/${email.id}/posted`, body)
    expect((await mark({ postedOn: addDays(today(), 1), count: 1 })).status).toBe(400)
    expect((await mark({ postedOn: today(), count: 2 })).body.code).toBe('CHANGED_MEANWHILE')
    expect((await mark({ postedOn: today(), count: 1 })).body.post).toEqual({ waiting: 0, posted: 1, unreached: 1 })
    expect((await mark({ postedOn: today(), count: 1 })).body.code).toBe('CHANGED_MEANWHILE')
    const { body } = await secretary.get(`/api/console/audit?subject=${email.id}`)
    expect(JSON.stringify(body)).toContain('exported names and postal addresses')
  })

  test('names and addresses need a fresh code, and no page of the email holds an address', async () => {
    const [member] = await join(1)
    if (!member) throw new Error('A member joined.')
    const email = await sendWhole(await compose('notice', idsOf([member])))
    await bounce(email, member)
    expect(JSON.stringify(await read(email))).not.toContain(member.email)
    await app().advance(11 * 60_000)
    for (const name of ['post.pdf', 'labels.csv', 'proof.pdf', 'recipients.csv'])
      expect((await file(`${PATH}/${email.id}/${name}`)).text).toContain('SECOND_FACTOR_AGAIN')
    await recordSecondFactor(app(), secretary)
  })
})

describe('proof', () => {
  test('names digests, counts and minutes; later changes and a second seal do not change it', async () => {
    const members = await join(3)
    const [bounced] = members
    if (!bounced) throw new Error('Three members joined.')
    const email = await compose('notice', idsOf(members))
    expect((await secretary.post(`${PATH}/${email.id}/proof`, {})).status).toBe(404)
    await send(email)
    await app().drain()
    await bounce(email, bounced)
    const sealed = (await secretary.post(`${PATH}/${email.id}/proof`, {})).body as MemberEmailDetail
    expect(sealed.sealedAt).toBeTruthy()
    const [pdf, list] = [await file(`${PATH}/${email.id}/proof.pdf`), await file(`${PATH}/${email.id}/recipients.csv`)]
    const { text } = await readPdf(pdf.bytes)
    expect(text).toContain(createHash('sha256').update(Buffer.from(list.bytes)).digest('hex').slice(0, 40))
    for (const part of ['Proof of sending', email.subject, 'First email accepted', 'Returned or rejected'])
      expect(text).toContain(part)
    expect(list.text.trim().split('\r\n')).toHaveLength(4)
    for (const member of members) expect(list.text).toContain(`<${email.id}.${member.id}@example.org>`)

    await app().database.db.updateTable('account').set({ lastName: 'Renamed' }).where('id', '=', bounced.id).execute()
    await bounced.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
    await app().advance(60_000)
    await recordSecondFactor(app(), secretary)
    await secretary.post(`${PATH}/${email.id}/proof`, {})
    expect((await file(`${PATH}/${email.id}/proof.pdf`)).bytes).toEqual(pdf.bytes)
    expect((await file(`${PATH}/${email.id}/recipients.csv`)).text).toBe(list.text)
  })
})

describe('who may', () => {
  test('an editor writes news to lists that tell no one’s data, not notices; the session lives', async () => {
    const filter = { filter: { status: 'ACTIVE' } }
    const refused = await editor.post(PATH, { name: 'Notice', topic: 'notice', audience: filter })
    expect([refused.status, refused.body.code]).toEqual([403, 'NOT_ALLOWED'])
    const [member] = await join(1)
    if (!member) throw new Error('A member joined.')
    for (const audience of [idsOf([member]), { filter: { q: 'rao' } }, { filter: { credentials: 'none' } }]) {
      const { body } = await editor.post(PATH, { name: 'News', topic: 'news', audience })
      expect(body.code).toBe('NOT_ALLOWED')
    }
    const news = await compose('news', filter, { by: editor })
    expect(news.mayNotify).toBe(false)
    const change = await editor.call('PUT', `${PATH}/${news.id}`, {
      ...news,
      topic: 'notice',
      blocks: news.blocks,
      version: news.version,
    })
    expect(change.body.code).toBe('NOT_ALLOWED')
    const notice = await compose('notice', filter)
    for (const attempt of [
      send(notice, editor),
      editor.call('PUT', `${PATH}/${notice.id}/mailing`, { wish: 'pause' }),
      editor.post(`${PATH}/${notice.id}/proof`, {}),
    ])
      expect((await attempt).body.code).toBe('NOT_ALLOWED')
    expect((await editor.get('/api/console/me')).status).toBe(200)
    const treasurer = await officerWith(app(), ['treasurer'])
    expect((await treasurer.get(PATH)).body.code).toBe('NOT_ALLOWED')
  })

  test('the member finds it in the account, the personal data and the timeline; deletion erases the address', async () => {
    const [member] = await join(1)
    if (!member) throw new Error('A member joined.')
    const email = await sendWhole(await compose('notice', idsOf([member])))
    await setTopic(member, 'events', false)
    const { recent } = (await member.browser.get('/api/account/emails')).body
    expect(recent).toContainEqual(expect.objectContaining({ what: email.subject, isNewsletter: false, state: 'sent' }))
    const data = (await member.browser.get('/api/account/data')).body as PersonalData
    expect(data.emailsToMembers).toEqual([
      { subject: email.subject, way: 'email', postedOn: null, sentTo: member.email, state: 'accepted' },
    ])
    expect(data.emailTopics).toMatchObject([{ topic: 'events', isWanted: false }])
    const timeline = (await secretary.get(`/api/console/members/${member.id}/timeline`)).body
    expect(JSON.stringify(timeline)).toContain(`/console/member-emails/${email.id}`)

    await member.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
    await app().drain()
    const rows = await app()
      .database.db.selectFrom('delivery')
      .selectAll()
      .where('recipientId', '=', member.id)
      .execute()
    expect(rows.map(({ email: address }) => address)).toEqual([''])
    const choices = app().database.db.selectFrom('emailTopicChoice').selectAll().where('accountId', '=', member.id)
    expect(await choices.execute()).toEqual([])
  })

  test('a scheduled notice is held once its officer may not send notices', async () => {
    const [member] = await join(1)
    if (!member) throw new Error('A member joined.')
    const notice = await compose('notice', idsOf([member]))
    const at = new Date(app().now() + 3_600_000)
    const local = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'short',
      timeZone: app().config.timeZone,
    }).format(at)
    const scheduled = await secretary.post(`${PATH}/${notice.id}/send`, {
      version: notice.version,
      at: local.replace(' ', 'T'),
    })
    expect(scheduled.body.state).toBe('scheduled')
    await app().database.db.updateTable('mailingSchedule').set({ askedBy: 'a-former-officer' }).execute()
    await app().advance(3_700_000)
    await app().drain()
    expect(copies(member, notice)).toEqual([])
    await recordSecondFactor(app(), secretary)
    expect((await read(notice)).refused).toMatch(/held because the role for it had ended/)
  })
})
