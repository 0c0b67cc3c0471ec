import { describe, expect, test } from 'vitest'
import type { MemberAudience } from '#contract/console/emails/member-emails.ts'
import { joinForDirectory } from '#tests/support/content/directory.ts'
import { HOME, PATH, useMemberEmails } from '#tests/support/emails/member-emails.ts'
import { publishTopics } from '#tests/support/emails/publish-topics.ts'
import { secretIn } from '#tests/support/emails/secret-in.ts'
import { recordSecondFactor } from '#tests/support/officers.ts'
import { deactivate } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { claimDeliveries } from '#server/features/newsletter/sending/delivery.repository.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { secretary, join, idsOf, compose, send, sendWhole, read, copies, setTopic, bounce } = useMemberEmails(app)

describe('whom it reaches', () => {
  test('the four ways add up to the list of members with the same filter', async () => {
    const members = await join(4)
    const [, silent, disabled, elsewhere] = members
    if (!silent || !disabled || !elsewhere) throw new Error('Four members joined.')
    await setTopic(silent, 'news', false)
    await deactivate(app(), disabled.email, 'officer')
    for (const audience of [
      { filter: {} },
      { filter: { status: 'ACTIVE' } },
      idsOf(members),
    ] satisfies MemberAudience[]) {
      for (const topic of ['notice', 'news', 'events', 'offers']) {
        const { reach } = await compose(topic, audience)
        const { total, email, post, barred, leftOut } = reach
        expect(email + post + barred + leftOut).toBe(total)
        if (!('filter' in audience)) continue
        const query = new URLSearchParams(audience.filter)
        expect(total).toBe((await secretary().get(`/api/console/members?${query}`)).body.total)
      }
    }
    const { reach } = await compose('news', idsOf(members))
    expect(reach).toMatchObject({ total: 4, email: 2, post: 0, barred: 1, leftOut: 1 })
    expect(reach.reasons).toContainEqual({ way: 'barred', reason: 'not-wanted', count: 1 })
    expect((await compose('notice', idsOf(members))).reach).toMatchObject({ email: 3, barred: 0, leftOut: 1 })
    expect((await compose('offers', idsOf(members))).reach).toMatchObject({ email: 0, barred: 3 })
  })

  test('a search finds someone who joined a moment ago, as the list of members does', async () => {
    const lastName = 'Quillfeather'
    await joinForDirectory(app(), { lastName })
    expect((await compose('notice', { filter: { q: lastName } })).reach).toMatchObject({ total: 1, email: 1 })
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
    // What was counted before is what was done for each.
    expect(sent.reach).toEqual(notice.reach)
    for (const member of [home, homeless, hidden]) expect(copies(member, notice)).toEqual([])
  })
})

describe('sending', () => {
  test('reaches as many in each way as was counted before', async () => {
    const members = await join(6)
    const [silent, disabled, bounced, complained] = members
    if (!silent || !disabled || !bounced || !complained) throw new Error('Six members joined.')
    for (const topic of ['news', 'events']) await setTopic(silent, topic, false)
    await setTopic(bounced, 'offers', true)
    const first = await sendWhole(await compose('notice', idsOf(members)))
    await bounce(first, bounced, 'hard')
    await bounce(first, complained, 'complaint')
    await complained.put({ home: HOME }, { home: 'officers' })
    await deactivate(app(), disabled.email, 'officer')
    for (const topic of ['notice', 'news', 'events']) {
      const email = await compose(topic, idsOf(members))
      const sent = await sendWhole(email)
      expect([topic, sent.reach]).toEqual([topic, email.reach])
    }
  })

  test('the officers read at its end that it went to members, not to subscribers', async () => {
    const email = await sendWhole(await compose('notice', idsOf(await join(1))))
    const report = app()
      .standins.mails('office@example.org')
      .find(({ subject }) => subject.includes(email.subject))
    expect(report?.subject).toBe(`Email to members sent: ${email.subject}`)
    expect(report?.text).not.toMatch(/subscribed|newsletter/i)
  })

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
    for (let time = 0; time < 2; time++)
      expect((await leave(token)).body).toEqual({ topic: 'news', name: 'News for members' })
    expect(await topics()).toEqual([])
  })

  test('topics of the association are chosen one by one; a retired one reaches no one, and its links still work', async () => {
    const [wants, refuses] = await join(2)
    if (!wants || !refuses) throw new Error('Two members joined.')
    const volunteers = { key: 'volunteers', name: 'Volunteers', about: 'Days on which we need you.' }
    const partners = { key: 'partners', name: 'Partners', about: 'What partners offer.', isOffer: true }
    await publishTopics(app(), [volunteers, partners])
    const everyone = idsOf([wants, refuses])
    await setTopic(refuses, 'volunteers', false)
    await setTopic(wants, 'partners', true)
    for (const topic of ['volunteers', 'partners'])
      expect((await compose(topic, everyone)).reach).toMatchObject({ total: 2, email: 1, barred: 1 })
    const sent = await sendWhole(await compose('volunteers', everyone))
    expect([copies(wants, sent).length, copies(refuses, sent).length]).toEqual([1, 0])
    expect(copies(wants, sent)[0]?.text).toContain('Its topic is “Volunteers”.')
    const offered = (await secretary().get('/api/console/member-email-topics')).body.topics as { key: string }[]
    expect(offered.map(({ key }) => key)).toEqual(['notice', 'news', 'events', 'offers', 'volunteers', 'partners'])

    const draft = await compose('volunteers', everyone)
    await publishTopics(app(), [{ ...volunteers, isRetired: true }])
    expect(await read(draft)).toMatchObject({ topicName: 'Volunteers', reach: { email: 0, barred: 2 } })
    const link = new URL(String(copies(wants, sent)[0]?.headers['list-unsubscribe']).slice(1, -1))
    const click = await app().app.http.inject({
      method: 'POST',
      url: link.pathname + link.search,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(click.statusCode).toBe(200)
    const choice = (topic: string) => wants.browser.call('PUT', '/api/account/emails/topics', { topic, isWanted: true })
    expect([(await choice('volunteers')).status, (await choice('unknown')).status]).toEqual([404, 404])
    const body = { name: 'Gone', topic: 'volunteers', audience: everyone }
    expect((await secretary().post(PATH, body)).body.errors).toEqual({ topic: 'Please choose a kind of email' })
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
    await recordSecondFactor(app(), secretary())
    await secretary().call('PUT', `${PATH}/${email.id}/mailing`, { wish: 'again' })
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
    expect((await secretary().get(`/api/console/newsletters/${email.id}`)).status).toBe(404)
    expect(JSON.stringify((await secretary().get('/api/console/newsletters')).body)).not.toContain(email.subject)
    const listed = (await secretary().get(`${PATH}?tab=sent`)).body.emails as { id: string; sentAt: string }[]
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
    expect((await secretary().call('PUT', `${PATH}/${offer.id}/mailing`, { wish: 'unschedule' })).body.code).toBe(
      'CHANGED_MEANWHILE',
    )
  })
})
