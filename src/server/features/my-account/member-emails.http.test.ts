import { expect, test } from 'vitest'
import type { SentEmail } from '#contract/public/my-account/member-emails.ts'
import { mailingsFor, createCampaign } from '#tests/support/newsletter.ts'
import { linkIn } from '#tests/support/emails/mailbox.ts'
import { secretIn } from '#tests/support/emails/secret-in.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { saveCampaign } from '#server/features/newsletter/campaign.commands.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const EMAILS = '/api/account/emails'

const read = async (browser: TestBrowser) => (await browser.get(EMAILS)).body
const set = async (browser: TestBrowser, isWanted: boolean) => {
  const { status, body } = await browser.call('PUT', `${EMAILS}/newsletter`, { isWanted })
  expect(status, JSON.stringify(body)).toBe(200)
  await app().drain()
  return body.newsletter as string
}
const subjects = (email: string) =>
  app()
    .standins.mails(email)
    .map(({ subject }) => subject)

test('subscribing is confirmed by email, and unsubscribing takes effect immediately', async () => {
  const browser = app().browser()
  const { email } = await browser.join({ levelKey: 'medical_student' })
  expect((await read(browser)).newsletter).toBe('off')
  expect(await set(browser, true)).toBe('pending')
  expect((await read(browser)).newsletter).toBe('pending')

  const confirmation = app()
    .standins.mails(email)
    .find(({ subject }) => /newsletter/i.test(subject))
  const token = confirmation ? secretIn(new URL(linkIn(confirmation))) : ''
  expect((await app().browser().post('/api/newsletter/confirm', { token })).status).toBe(200)
  expect((await read(browser)).newsletter).toBe('subscribed')
  expect(await set(browser, true)).toBe('subscribed')
  const sent = subjects(email).length

  expect(await set(browser, false)).toBe('off')
  expect((await read(browser)).newsletter).toBe('off')
  expect(subjects(email)).toHaveLength(sent + 1)
  expect(await set(browser, false)).toBe('off')
  expect(subjects(email)).toHaveLength(sent + 1)
  expect((await browser.call('PUT', `${EMAILS}/newsletter`, {})).status).toBe(400)
})

test('lists recent emails and newsletters with their state, and none of another person', async () => {
  const browser = app().browser()
  const other = app().browser()
  const { email } = await browser.join({ levelKey: 'annual_member' })
  await other.join({ levelKey: 'medical_student' })
  await app().drain()
  const { db } = app().database
  await db
    .insertInto('subscriber')
    .values({
      id: 'reader',
      email,
      emailKey: email,
      state: 'subscribed',
      source: 'test',
      askedAt: 1,
      confirmedAt: 1,
      leftAt: null,
      importedAt: null,
      consentOn: null,
      consentSource: null,
      hardBounces: 0,
      softBounces: 0,
    })
    .execute()
  await saveCampaign(db, createCampaign({ id: 'kite', subject: 'Kites over Macon' }))
  await mailingsFor(db, app().now).start('kite')
  await app().drain()

  const { recent } = (await read(browser)) as { recent: SentEmail[] }
  expect(recent).toContainEqual({
    what: 'Kites over Macon',
    isNewsletter: true,
    at: expect.any(String) as string,
    state: 'sent',
  })
  expect(recent).toContainEqual(expect.objectContaining({ what: 'Receipt', isNewsletter: false, state: 'sent' }))
  expect(recent.map(({ at }) => at)).toEqual(
    recent
      .map(({ at }) => at)
      .sort()
      .reverse(),
  )
  expect((await read(other)).recent.map(({ what }: SentEmail) => what)).not.toContain('Receipt')
})
