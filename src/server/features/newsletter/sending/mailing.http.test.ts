import { describe, expect, test } from 'vitest'
import type { TestApp } from '#tests/support/test-app.ts'
import { mailingsFor, createCampaign, createSubscriber, setSubscribers } from '#tests/support/newsletter.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { saveCampaign } from '../campaign.commands.ts'
import { claimDeliveries, countDeliveries, listDeliveries } from './delivery.repository.ts'
import { insertSubscribers } from '../subscribers/subscriber.commands.ts'

const app = useTestApp()
const MINUTE_MS = 60_000

let site: TestApp
let ID = ''
let SUBJECT = ''
let turn = 0

/** Runs with exactly this many subscribers and a new campaign. */
async function withSite(count: number, run: () => Promise<void>): Promise<void> {
  site = app()
  ID = `campaign-${++turn}`
  SUBJECT = `News of day ${turn}`
  await site.standins.control({ mail: 'ok' })
  await site.database.db.deleteFrom('suppression').execute()
  await setSubscribers(site.database.db, count)
  await saveCampaign(site.database.db, createCampaign({ id: ID, subject: SUBJECT }))
  await run()
}

const mailings = () => mailingsFor(site.database.db, site.now)
const counts = () => countDeliveries(site.database.db, ID)
const copies = (email: string) => site.standins.mails(email).filter(({ subject }) => subject === SUBJECT)
const state = async () => (await mailings().status(ID))?.mailing.state

describe('sending', () => {
  test('each subscriber gets one copy with their own unsubscribe link', () =>
    withSite(20, async () => {
      expect(await mailings().start(ID)).toEqual({ recipients: 20 })
      await site.drain()
      expect(await counts()).toMatchObject({ accepted: 20, waiting: 0, sending: 0 })
      for (let index = 0; index < 20; index++) expect(copies(`reader${index}@example.com`)).toHaveLength(1)
      expect(await state()).toBe('finished')
      const [report] = site.standins.mails('office@example.org')
      expect(report?.subject).toBe(`Newsletter sent: ${SUBJECT}`)
    }))

  test('is idempotent', () =>
    withSite(3, async () => {
      const begun = await Promise.all([mailings().start(ID), mailings().start(ID), mailings().start(ID)])
      expect(begun.filter((answer) => 'recipients' in answer)).toHaveLength(1)
      await site.drain()
      expect(await mailings().start(ID)).toEqual({ refused: 'sent-before' })
      await site.drain()
      expect(copies('reader0@example.com')).toHaveLength(1)
      expect(await mailings().start('nothing')).toEqual({ refused: 'unknown' })
    }))

  test('is refused without subscribers, and the campaign can be sent later', () =>
    withSite(0, async () => {
      expect(await mailings().start(ID)).toEqual({ refused: 'no-recipients' })
      await insertSubscribers(site.database.db, [createSubscriber('late@example.com')])
      expect(await mailings().start(ID)).toEqual({ recipients: 1 })
    }))

  test('skips people who subscribe later or unsubscribe in between', () =>
    withSite(4, async () => {
      await insertSubscribers(site.database.db, [
        createSubscriber('pending@example.com', 'pending'),
        createSubscriber('left@example.com', 'left'),
      ])
      await mailings().start(ID)
      await insertSubscribers(site.database.db, [createSubscriber('later@example.com')])
      await site.browser().post('/api/newsletter/unsubscribe', { email: 'reader2@example.com' })
      await site.drain()
      expect(await counts()).toMatchObject({ accepted: 3, skipped: 1 })
      for (const email of ['pending', 'left', 'later', 'reader2']) expect(copies(`${email}@example.com`)).toEqual([])
    }))

  test('skips suppressed addresses, even if their row says subscribed (docs/product-rules.md#suppression)', () =>
    withSite(1, async () => {
      await site.browser().post('/api/newsletter/unsubscribe', { email: 'Again@example.com' })
      await insertSubscribers(site.database.db, [createSubscriber('again@example.com')])
      await mailings().start(ID)
      await site.drain()
      expect(copies('again@example.com')).toEqual([])
      expect(await counts()).toMatchObject({ accepted: 1, skipped: 1 })
    }))

  test('the copy has the headers that email clients expect, and a text version', () =>
    withSite(1, async () => {
      await mailings().start(ID)
      await site.drain()
      const [copy] = copies('reader0@example.com')
      const headers = copy?.headers ?? {}
      const url = /^<(http:\/\/localhost:3000\/newsletter\/one-click\?token=[\w.@%-]+)>$/.exec(
        String(headers['list-unsubscribe']),
      )?.[1]
      expect(url).toBeDefined()
      expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
      expect(headers['list-id']).toBe('Georgia Physicians of Indian Origin <newsletter.localhost>')
      expect(headers['message-id']).toBe(`<${ID}.s-reader0@example.org>`)
      expect(copy?.html).toContain('<strong>Saturday</strong>')
      expect(copy?.html).toContain('100 Sample Parkway')
      expect(copy?.text).toContain('The clinic opens on Saturday: the days (http://localhost:3000/clinic).')
      expect(copy?.text).toMatch(/Unsubscribe:\nhttp:\/\/localhost:3000\/newsletter\/unsubscribe#token=/)
      expect(`${copy?.html}${copy?.text}`).not.toContain('leave.invalid')
    }))

  test('adds the campaign to the archive as soon as it is sent', () =>
    withSite(1, async () => {
      const archive = async () => (await site.browser().call('GET', '/api/newsletter/campaigns')).body.data.total
      await site.app.refreshContent()
      const before = await archive()
      await mailings().start(ID)
      await site.app.refreshContent()
      expect(await archive()).toBe(before + 1)
    }))
})

describe('one-click unsubscribe', () => {
  test('needs a single POST without cookies; a GET changes nothing', () =>
    withSite(2, async () => {
      await mailings().start(ID)
      await site.drain()
      const header = String(copies('reader0@example.com')[0]?.headers['list-unsubscribe'])
      const { pathname, search } = new URL(header.slice(1, -1))
      const press = () =>
        fetch(site.url + pathname + search, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'List-Unsubscribe=One-Click',
          redirect: 'manual',
        })
      const subscribed = async () =>
        (
          await site.database.db.selectFrom('subscriber').select('email').where('state', '=', 'subscribed').execute()
        ).map(({ email }) => email)
      for (const method of ['GET', 'HEAD', 'GET']) {
        const look = await fetch(site.url + pathname + search, { method, redirect: 'manual' })
        expect(look.status).toBe(303)
        expect(look.headers.get('location')).toBe(`/newsletter/unsubscribe${search.replace('?', '#')}`)
      }
      expect(await subscribed()).toHaveLength(2)
      expect((await press()).status).toBe(200)
      expect(await subscribed()).toEqual(['reader1@example.com'])
      expect((await press()).status).toBe(200)
      for (const token of ['', 'x.y', search.slice(7, -3)]) {
        const wrong = await fetch(`${site.url}${pathname}?token=${token}`, { method: 'POST' })
        expect(wrong.status).toBe(410)
      }
      const token = new URLSearchParams(search).get('token')
      expect((await site.browser().post('/api/newsletter/leave', { token })).status).toBe(200)
      expect((await site.browser().post('/api/newsletter/leave', { token: 'x.y' })).status).toBe(410)
    }))
})

describe('failures', () => {
  type Trouble = NonNullable<Parameters<TestApp['standins']['control']>[0]['mail']>
  const trouble = (kind: Trouble, times?: number) => site.standins.control({ mail: kind, ...(times && { times }) })

  test.each(['refuse', 'reset', 'error', 'temporary', 'limited'] as const)(
    'mail server in mode %s: all copies wait, then each is sent once',
    (kind) =>
      withSite(10, async () => {
        await trouble(kind)
        await mailings().start(ID)
        await site.drain()
        expect(await counts()).toMatchObject({ accepted: 0, waiting: 10 })
        expect(await state()).toBe('sending')
        await trouble('ok')
        await site.drain()
        expect(await counts(), 'not before the backoff ends').toMatchObject({ waiting: 10 })
        await site.advance(MINUTE_MS)
        await site.drain()
        expect(await counts()).toMatchObject({ accepted: 10, waiting: 0, uncertain: 0 })
        for (let index = 0; index < 10; index++) expect(copies(`reader${index}@example.com`)).toHaveLength(1)
      }),
  )

  test('a lost reply leaves the copy uncertain; it is resent only on request', () =>
    withSite(12, async () => {
      await trouble('lostReply', 1)
      await mailings().start(ID)
      await site.drain()
      expect(await counts()).toMatchObject({ accepted: 11, uncertain: 1 })
      const [lost] = await listDeliveries(site.database.db, ID, ['uncertain'])
      await site.advance(HOUR_MS)
      await site.drain()
      expect(copies(lost?.email ?? '')).toHaveLength(1)
      expect(await state()).toBe('finished')
      expect(await mailings().requeueUncertain(ID)).toBe(1)
      await site.drain()
      expect(copies(lost?.email ?? '')).toHaveLength(2)
      expect(await counts()).toMatchObject({ accepted: 12, uncertain: 0 })
    }))

  test('a crashed process leaves only its claimed copies uncertain', () =>
    withSite(20, async () => {
      await mailings().start(ID)
      const now = site.now()
      const taken = await claimDeliveries(site.database.db, { campaignId: ID, limit: 8, leaseMs: 5 * MINUTE_MS, now })
      await site.drain()
      expect(await counts()).toMatchObject({ accepted: 12, sending: 8 })
      expect(await state(), 'the other process may still be sending').toBe('sending')
      await site.advance(6 * MINUTE_MS)
      await site.drain()
      expect(await counts()).toMatchObject({ accepted: 12, uncertain: 8 })
      expect(await state()).toBe('finished')
      for (const { email } of taken) expect(copies(email)).toEqual([])
    }))

  test('a hard bounce is recorded, and the second one suppresses the address', () =>
    withSite(3, async () => {
      await trouble('permanent', 1)
      await mailings().start(ID)
      await site.drain()
      expect(await counts()).toMatchObject({ accepted: 2, bounced: 1 })
      const [gone] = await listDeliveries(site.database.db, ID, ['bounced'])
      expect(gone?.reason).toMatch(/^550 /)
      expect(gone?.reason).not.toContain('@')
      expect(await stateOf(gone?.email ?? '')).toBe('subscribed')
      const answer = await reportBounces([{ type: 'bounce', email: gone?.email, permanent: true }])
      expect(answer).toEqual({ status: 200, body: { taken: 1 } })
      expect(await stateOf(gone?.email ?? '')).toBe('bounced')
    }))

  test('a server that rejects everything pauses the mailing, unsubscribes no one and alerts the officers', () =>
    withSite(10, async () => {
      await trouble('permanent')
      await mailings().start(ID)
      await site.drain()
      expect(await state()).toBe('paused')
      expect(await counts()).toMatchObject({ bounced: 0, waiting: 10 })
      expect(site.logLines.some((line) => line.includes('"alarm":"mailing-refused"'))).toBe(true)
      await trouble('ok')
      await site.advance(HOUR_MS)
      await site.drain()
      expect(await counts()).toMatchObject({ waiting: 10 })
      expect(await mailings().resume(ID)).toBe(true)
      await site.drain()
      expect(await counts()).toMatchObject({ accepted: 10 })
    }))

  test('an officer can pause and resume', () =>
    withSite(5, async () => {
      await mailings().start(ID)
      expect(await mailings().pause(ID)).toBe(true)
      await site.drain()
      expect(await counts()).toMatchObject({ waiting: 5 })
      expect(await mailings().resume(ID)).toBe(true)
      expect(await mailings().resume(ID)).toBe(false)
      await site.drain()
      expect(await counts()).toMatchObject({ accepted: 5 })
    }))
})

async function stateOf(email: string): Promise<string | undefined> {
  const row = await site.database.db
    .selectFrom('subscriber')
    .select('state')
    .where('email', '=', email)
    .executeTakeFirst()
  return row?.state
}

async function reportBounces(events: unknown[], key?: string): Promise<{ status: number; body: unknown }> {
  const { bounceKey } = await import('../subscribers/bounces.service.ts')
  const { createSecrets } = await import('#server/lib/secrets.ts')
  const secret = 'a secret for tests, and for tests only, of fair length'
  const response = await fetch(`${site.url}/api/newsletter/bounces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key ?? bounceKey(createSecrets(secret))}` },
    body: JSON.stringify({ events }),
  })
  return { status: response.status, body: await response.json() }
}

describe('bounce webhooks', () => {
  test('one complaint suppresses, a full mailbox does so after six bounces, an unknown address is ignored', () =>
    withSite(3, async () => {
      expect(await reportBounces([{ type: 'complaint', email: 'READER0@example.com' }])).toMatchObject({
        body: { taken: 1 },
      })
      expect(await stateOf('reader0@example.com')).toBe('complained')
      for (let turn = 0; turn < 5; turn++) await reportBounces([{ type: 'bounce', email: 'reader1@example.com' }])
      expect(await stateOf('reader1@example.com')).toBe('subscribed')
      await reportBounces([{ type: 'bounce', email: 'reader1@example.com' }])
      expect(await stateOf('reader1@example.com')).toBe('bounced')
      expect(await reportBounces([{ type: 'bounce', email: 'stranger@example.com' }])).toMatchObject({
        body: { taken: 0 },
      })
    }))

  test('are rejected without the key or with an unknown type', () =>
    withSite(1, async () => {
      expect((await reportBounces([], 'guess')).status).toBe(400)
      expect((await reportBounces([{ type: 'gossip', email: 'reader0@example.com' }])).status).toBe(400)
      expect(await stateOf('reader0@example.com')).toBe('subscribed')
    }))
})
