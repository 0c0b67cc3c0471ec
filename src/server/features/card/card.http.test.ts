import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ScannedCard } from '#contract/console/people/member-card.ts'
import type { ConsoleMember } from '#contract/console/member.ts'
import type { MembershipCard } from '#contract/public/my-account/membership-card.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { joinForDirectory, type DirectoryMember } from '#tests/support/content/directory.ts'
import { openEvent, sayComing } from '#tests/support/events.ts'
import { useMerging } from '#tests/support/merging.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { DAY_MS, deactivate } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })

const CARD = '/api/account/card'
const SCAN = '/api/console/cards/scan'
const join = (given: Record<string, unknown> = {}) => joinForDirectory(app(), given)
const scanner = () => officerWith(app(), ['secretary'])
const open = async ({ browser }: Pick<DirectoryMember, 'browser'>) => (await browser.get(CARD)).body as MembershipCard
const urlOf = async (member: Pick<DirectoryMember, 'browser'>) => String((await open(member)).code?.url)

async function scan(code: string): Promise<ScannedCard | null> {
  const { status, body } = await (await scanner()).post(SCAN, { code })
  expect(status).toBe(200)
  return body.card as ScannedCard | null
}

const setMembership = ({ id }: DirectoryMember, set: Record<string, unknown>) =>
  app().database.db.updateTable('membership').set(set).where('accountId', '=', id).execute()

describe('the card of a member', () => {
  test('shows the membership, a number, and a code that stays the same and holds nothing personal', async () => {
    const member = await join({ firstName: 'Tulika', lastName: 'Raghunathan' })
    const card = await open(member)
    expect(card).toMatchObject({ name: 'Tulika Raghunathan', status: 'active', revokedAt: null })
    expect(card.code?.url).toMatch(/^http:\/\/localhost:3000\/card#[\w-]{43}$/)
    expect(card.code?.path).toMatch(/^M3 3h7v1h-7z/)
    expect(await open(member)).toEqual({ ...card, checkedAt: expect.any(String) as string })
    for (const personal of [member.id, member.email, 'Tulika', 'Raghunathan'])
      expect(card.code?.url).not.toContain(personal)
    expect((await open(await join())).number).not.toBe(card.number)
  })

  test('the database has only the hash of the code', async () => {
    const member = await join()
    const code = (await urlOf(member)).split('#')[1] ?? ''
    const rows = await app().database.db.selectFrom('memberCard').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(rows.find(({ accountId }) => accountId === member.id)?.codeHash).toBe(
      createHash('sha256').update(code).digest('hex'),
    )
  })

  test('without a token: 401; kept in no cache', async () => {
    expect((await app().browser().get(CARD)).status).toBe(401)
    const { browser } = await join()
    expect((await browser.get(CARD)).headers.get('cache-control')).toBe('no-store')
  })

  test('two first openings at once make one card each', async () => {
    const members = await Promise.all([join(), join(), join()])
    const cards = await Promise.all(members.flatMap((member) => [open(member), open(member)]))
    expect(new Set(cards.map(({ number }) => number)).size).toBe(3)
    expect(new Set(cards.map(({ code }) => code?.url)).size).toBe(3)
  })

  test('a lapsed membership has a card without a code', async () => {
    const member = await join()
    await setMembership(member, { endsAt: app().now() - 1 })
    expect(await open(member)).toMatchObject({ status: 'lapsed', code: null })
  })

  test('a code of another secret of the site is replaced when the card is opened', async () => {
    const member = await join()
    const { number } = await open(member)
    await app()
      .database.db.updateTable('memberCard')
      .set({ codeHash: hashToken('of another secret') })
      .where('accountId', '=', member.id)
      .execute()
    const card = await open(member)
    expect(card.number).toBe(number)
    expect(await scan(String(card.code?.url))).toMatchObject({ status: 'active' })
  })

  test('is hidden from an officer who views the site as the member', async () => {
    const member = await join()
    const begun = await (
      await scanner()
    ).post(`/api/console/members/${member.id}/view-as`, { reason: 'Asked by phone' })
    expect(begun.status).toBe(201)
    const viewer = app().browser()
    viewer.token = begun.body.token as string
    const { status, body } = await viewer.get(CARD)
    expect([status, body.code]).toEqual([409, 'VIEW_HIDES'])
  })
})

describe('a scan', () => {
  test.each<[string, (member: DirectoryMember) => Promise<unknown>, ScannedCard['status']]>([
    ['active', async () => {}, 'active'],
    [
      'past due',
      (member) => setMembership(member, { stripeStatus: 'past_due', pastDueSince: app().now() - DAY_MS }),
      'past_due',
    ],
    ['lapsed', (member) => setMembership(member, { endsAt: app().now() - 1 }), 'lapsed'],
    ['disabled', (member) => deactivate(app(), member.email, 'officer'), 'disabled'],
  ])('answers live: %s', async (_name, change, status) => {
    const member = await join({ firstName: 'Kumudini', lastName: 'Agarwal' })
    const url = await urlOf(member)
    await change(member)
    const card = await scan(url)
    expect(card).toMatchObject({ status, name: 'Kumudini Agarwal', memberId: member.id })
    expect(card?.level).not.toBeNull()
  })

  test('answers the same for codes that were replaced, revoked, deleted with the account, or never existed', async () => {
    const [replaced, revoked, deleted] = [await join(), await join(), await join()]
    const urls = [await urlOf(replaced), await urlOf(revoked), await urlOf(deleted)]
    for (const url of urls) expect(await scan(url)).not.toBeNull()
    expect((await replaced.browser.post(CARD)).status).toBe(200)
    expect((await (await scanner()).post(`/api/console/members/${revoked.id}/card/revoke`, {})).status).toBe(200)
    await deleted.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
    const bodies = await Promise.all(
      [...urls, `http://localhost:3000/card#${'x'.repeat(43)}`, 'anything else'].map(async (code) => {
        const { status, body } = await (await scanner()).post(SCAN, { code })
        return { status, body }
      }),
    )
    for (const one of bodies) expect(one).toEqual({ status: 200, body: { card: null } })
  })

  test('an officer who runs events but may not see members gets no link to the person', async () => {
    const member = await join()
    const editor = await officerWith(app(), ['editor'])
    const { body } = await editor.post(SCAN, { code: await urlOf(member) })
    expect(body.card).toMatchObject({ status: 'active', memberId: null })
  })

  test('is refused to members, and to officers who do not run events', async () => {
    const member = await join()
    const code = await urlOf(member)
    expect((await app().browser().post(SCAN, { code })).status).toBe(401)
    const [asMember, asTreasurer] = [
      await (await join()).browser.post(SCAN, { code }),
      await (await officerWith(app(), ['treasurer'])).post(SCAN, { code }),
    ]
    expect([asMember.body.code, asTreasurer.body.code]).toEqual(['NOT_AN_OFFICER', 'NOT_ALLOWED'])
    expect(JSON.stringify([asMember.body, asTreasurer.body])).not.toContain(member.email)
  })
})

describe('a new code', () => {
  test('replaces the old one at once, keeps the number, and is in the audit log', async () => {
    const member = await join()
    const [before, old] = [await open(member), await urlOf(member)]
    const after = (await member.browser.post(CARD)).body as MembershipCard
    expect(after.number).toBe(before.number)
    expect(after.code?.url).not.toBe(old)
    expect(await scan(old)).toBeNull()
    expect(await scan(String(after.code?.url))).toMatchObject({ memberId: member.id })
    const { entries } = (await (await scanner()).get(`/api/console/audit?person=${member.id}`)).body
    expect(entries.map(({ action }: { action: string }) => action)).toContain('card.replaced')
  })
})

describe('officers', () => {
  const pathOf = ({ id }: Pick<DirectoryMember, 'id'>) => `/api/console/members/${id}/card`

  test('see whether there is a code, revoke it, and cannot make one; the member can', async () => {
    const member = await join()
    const officer = await scanner()
    expect((await officer.get(pathOf(member))).body).toEqual({ card: null, mayRevoke: false })
    const { number } = await open(member)
    expect((await officer.get(pathOf(member))).body).toMatchObject({
      card: { number, revokedAt: null },
      mayRevoke: true,
    })
    const revoked = await officer.post(`${pathOf(member)}/revoke`, {})
    expect(revoked.body).toMatchObject({ card: { revokedAt: expect.any(String) as string }, mayRevoke: false })
    expect((await officer.post(`${pathOf(member)}/revoke`, {})).body).toEqual(revoked.body)
    expect(await open(member)).toMatchObject({ code: null, revokedAt: revoked.body.card.revokedAt as string })
    const renewed = (await member.browser.post(CARD)).body as MembershipCard
    expect(await scan(String(renewed.code?.url))).toMatchObject({ status: 'active' })
  })

  test('need the permission and a fresh second factor, and do not revoke their own', async () => {
    const member = await join()
    await open(member)
    const viewer = await officerWith(app(), ['viewer'])
    expect((await viewer.get(pathOf(member))).body.mayRevoke).toBe(false)
    expect((await viewer.post(`${pathOf(member)}/revoke`, {})).body.code).toBe('NOT_ALLOWED')

    const { browser, accountId } = await newOfficer(app(), ['membership'])
    await recordSecondFactor(app(), browser)
    await browser.get(CARD)
    expect((await browser.post(`${pathOf({ id: accountId })}/revoke`, {})).body.code).toBe('OWN_ACCOUNT')
    expect((await browser.post(`${pathOf({ id: 'no-such-account' })}/revoke`, {})).status).toBe(404)
    await app()
      .database.db.updateTable('sessionProof')
      .set({ provedAt: app().now() - 3_600_000 })
      .where('accountId', '=', accountId)
      .execute()
    expect((await browser.post(`${pathOf(member)}/revoke`, {})).body.code).toBe('SECOND_FACTOR_AGAIN')
  })
})

describe('the account', () => {
  test('the personal data name the card, without its code', async () => {
    const member = await join()
    const data = () => member.browser.get('/api/account/data')
    expect((await data()).body.card).toBeNull()
    const { number, code } = await open(member)
    const { body } = await data()
    expect(body.card).toEqual({ number, codeMadeAt: expect.any(String) as string, revokedAt: null })
    expect(JSON.stringify(body)).not.toContain(code?.url.split('#')[1])
  })

  test('a deletion leaves no card', async () => {
    const member = await join()
    await open(member)
    await member.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
    const { db } = app().database
    expect(await db.selectFrom('memberCard').select('number').where('accountId', '=', member.id).execute()).toEqual([])
  })

  const desk = useMerging(app)

  test('the card of a merged account stands for the account that remains, until the merge is undone', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const code = await urlOf(merged)
    expect((await scan(code))?.memberId).toBe(merged.id)
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    expect(await scan(code)).toMatchObject({ status: 'active', memberId: kept.id })
    expect((await desk.undo(merged.id, merges[0]?.id ?? '')).status).toBe(200)
    expect(await scan(code)).toMatchObject({ status: 'active', memberId: merged.id })
  })
})

describe('at the check-in of an event', () => {
  const entriesOf = async (event: string) =>
    (await (await scanner()).get(`/api/console/rsvp/${event}/door`)).body.entries as {
      email: string
      cardHash: string | null
    }[]

  test('an RSVP of the member has the hash of the card’s code; one without a card, or a revoked one, has none', async () => {
    const event = await openEvent(app())
    const [holder, other] = [await join(), await join()]
    for (const { email } of [holder, other]) await sayComing(app(), event, email)
    await open(holder)
    const hash = hashToken((await urlOf(holder)).split('#')[1] ?? '')
    const found = async () => new Map((await entriesOf(event)).map(({ email, cardHash }) => [email, cardHash]))
    expect([(await found()).get(holder.email), (await found()).get(other.email)]).toEqual([hash, null])
    await (await scanner()).post(`/api/console/members/${holder.id}/card/revoke`, {})
    expect((await found()).get(holder.email)).toBeNull()
  })
})

describe('limits', () => {
  const strict = useTestApp({})

  test('an officer’s unknown codes are limited; a card’s code is not counted', async () => {
    const member = await joinForDirectory(strict(), {})
    const code = await urlOf(member)
    const officer = await officerWith(strict(), ['membership'])
    for (let turn = 0; turn < 60; turn++) {
      expect((await officer.post(SCAN, { code: `guess-${turn}` })).status).toBe(200)
      if (turn < 5) expect((await officer.post(SCAN, { code })).body.card).not.toBeNull()
    }
    expect((await officer.post(SCAN, { code: 'guess-61' })).body.code).toBe('RATE_LIMITED')
    expect((await officer.post(SCAN, { code })).body.code).toBe('RATE_LIMITED')
  })
})
