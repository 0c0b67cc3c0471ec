import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import type { PersonalData } from '#contract/public/account-data.ts'
import { addDays } from '#contract/dates/days.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { HOME, PATH, useMemberEmails } from '#tests/support/emails/member-emails.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { readPdf } from '#tests/support/files/pdf-text.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { secretary, editor, join, idsOf, compose, send, sendWhole, read, copies, setTopic, bounce, file } =
  useMemberEmails(app)
const today = () => dayOf(app().now(), app().config.timeZone)

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
    await secretary().post(`${PATH}/${sent.id}/proof`, {})
    const { bytes } = await file(`${PATH}/${sent.id}/proof.pdf`)
    expect((await readPdf(bytes)).text).toContain('The hall burned down.')

    const inTime = { meetingOn: addDays(today(), 45), windowReason: 'It was not needed.' }
    const regular = await sendWhole(await compose('notice', idsOf([member]), inTime))
    await secretary().post(`${PATH}/${regular.id}/proof`, {})
    expect((await readPdf((await file(`${PATH}/${regular.id}/proof.pdf`)).bytes)).text).not.toContain('not needed')
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

    const mark = (body: object) => secretary().post(`${PATH}/${email.id}/posted`, body)
    expect((await mark({ postedOn: addDays(today(), 1), count: 1 })).status).toBe(400)
    expect((await mark({ postedOn: today(), count: 2 })).body.code).toBe('CHANGED_MEANWHILE')
    expect((await mark({ postedOn: today(), count: 1 })).body.post).toEqual({ waiting: 0, posted: 1, unreached: 1 })
    expect((await mark({ postedOn: today(), count: 1 })).body.code).toBe('CHANGED_MEANWHILE')
    const { body } = await secretary().get(`/api/console/audit?subject=${email.id}`)
    expect(JSON.stringify(body)).toContain('exported names and postal addresses')
  })

  test('two officers who mark it at once: one does, and the audit log counts it once', async () => {
    const [returned] = await join(1)
    if (!returned) throw new Error('A member joined.')
    await returned.put({ home: HOME }, { home: 'officers' })
    const email = await sendWhole(await compose('notice', idsOf([returned])))
    await bounce(email, returned)
    const other = await officerWith(app(), ['membership'])
    await recordSecondFactor(app(), other)
    const body = { postedOn: today(), count: 1 }
    const officers = [secretary(), other, secretary(), other, secretary(), other]
    const marks = await Promise.all(officers.map((by) => by.post(`${PATH}/${email.id}/posted`, body)))
    expect(marks.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    const posted = app().database.db.selectFrom('audit').select('id').where('action', '=', 'member_email.posted')
    expect(await posted.where('subjectId', '=', email.id).execute()).toHaveLength(1)
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
    await recordSecondFactor(app(), secretary())
  })
})

describe('proof', () => {
  test('names digests, counts and minutes; later changes and a second seal do not change it', async () => {
    const members = await join(3)
    const [bounced] = members
    if (!bounced) throw new Error('Three members joined.')
    const email = await compose('notice', idsOf(members))
    expect((await secretary().post(`${PATH}/${email.id}/proof`, {})).status).toBe(404)
    await send(email)
    await app().drain()
    await bounce(email, bounced)
    const sealed = (await secretary().post(`${PATH}/${email.id}/proof`, {})).body as MemberEmailDetail
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
    await recordSecondFactor(app(), secretary())
    await secretary().post(`${PATH}/${email.id}/proof`, {})
    expect((await file(`${PATH}/${email.id}/proof.pdf`)).bytes).toEqual(pdf.bytes)
    expect((await file(`${PATH}/${email.id}/recipients.csv`)).text).toBe(list.text)
  })
})

describe('who may', () => {
  test('an editor writes news to lists that tell no one’s data, not notices; the session lives', async () => {
    const filter = { filter: { status: 'ACTIVE' } }
    const refused = await editor().post(PATH, { name: 'Notice', topic: 'notice', audience: filter })
    expect([refused.status, refused.body.code]).toEqual([403, 'NOT_ALLOWED'])
    const [member] = await join(1)
    if (!member) throw new Error('A member joined.')
    for (const audience of [idsOf([member]), { filter: { q: 'rao' } }, { filter: { credentials: 'none' } }]) {
      const { body } = await editor().post(PATH, { name: 'News', topic: 'news', audience })
      expect(body.code).toBe('NOT_ALLOWED')
    }
    const news = await compose('news', filter, { by: editor() })
    expect(news.mayNotify).toBe(false)
    const change = await editor().call('PUT', `${PATH}/${news.id}`, {
      ...news,
      topic: 'notice',
      blocks: news.blocks,
      version: news.version,
    })
    expect(change.body.code).toBe('NOT_ALLOWED')
    const notice = await compose('notice', filter)
    for (const attempt of [
      send(notice, editor()),
      editor().call('PUT', `${PATH}/${notice.id}/mailing`, { wish: 'pause' }),
      editor().post(`${PATH}/${notice.id}/proof`, {}),
    ])
      expect((await attempt).body.code).toBe('NOT_ALLOWED')
    expect((await editor().get('/api/console/me')).status).toBe(200)
    const treasurer = await officerWith(app(), ['treasurer'])
    expect((await treasurer.get(PATH)).body.code).toBe('NOT_ALLOWED')
  })

  test('the member finds it in the account, the personal data and the timeline; deletion erases the address', async () => {
    const [member] = await join(1)
    if (!member) throw new Error('A member joined.')
    const email = await sendWhole(await compose('notice', idsOf([member])))
    const unsent = await compose('notice', idsOf([member]))
    await setTopic(member, 'events', false)
    const { recent } = (await member.browser.get('/api/account/emails')).body
    expect(recent).toContainEqual(expect.objectContaining({ what: email.subject, isNewsletter: false, state: 'sent' }))
    const data = (await member.browser.get('/api/account/data')).body as PersonalData
    expect(data.emailsToMembers).toEqual([
      { subject: email.subject, way: 'email', postedOn: null, sentTo: member.email, state: 'accepted' },
    ])
    expect(data.emailTopics).toMatchObject([{ topic: 'events', isWanted: false }])
    const timeline = (await secretary().get(`/api/console/members/${member.id}/timeline`)).body
    expect(JSON.stringify(timeline)).toContain(`/console/member-emails/${email.id}`)

    await send(unsent)
    await member.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
    await app().drain()
    const rows = await app()
      .database.db.selectFrom('delivery')
      .selectAll()
      .where('recipientId', '=', member.id)
      .execute()
    expect(rows.map(({ email: address }) => address)).toEqual(['', ''])
    expect(copies(member, unsent)).toEqual([])
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
    const scheduled = await secretary().post(`${PATH}/${notice.id}/send`, {
      version: notice.version,
      at: local.replace(' ', 'T'),
    })
    expect(scheduled.body.state).toBe('scheduled')
    await app().database.db.updateTable('mailingSchedule').set({ askedBy: 'a-former-officer' }).execute()
    await app().advance(3_700_000)
    await app().drain()
    expect(copies(member, notice)).toEqual([])
    await recordSecondFactor(app(), secretary())
    expect((await read(notice)).refused).toMatch(/held because the role for it had ended/)
  })
})
