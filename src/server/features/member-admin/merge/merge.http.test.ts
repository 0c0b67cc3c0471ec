import { describe, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console/member.ts'
import { openEvent, rsvpToken, sayComing } from '#tests/support/events.ts'
import { openMailbox } from '#tests/support/emails/mailbox.ts'
import { KEEP, useMerging, type Person } from '#tests/support/merging.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { MINUTE_MS, PRICE } from '#tests/support/paid-seats.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const desk = useMerging(app)

/** Tables that undoing a merge does not restore: sessions and links stay ended, emails stay sent. */
const ENDED_WITH_IT = new Set(['known_browser', 'session', 'one_time_token', 'outbox'])
const asCompared = (row: string) => row.replace(/\["(token_version|updated_at)",\d+\],?/g, '')

describe('two accounts of one person', () => {
  test.each([
    ['the name that stays', KEEP],
    ['the name of the other', { name: 'merged' }],
  ])('are merged with %s, and undoing restores every row', async (_name, choices) => {
    const kept = await desk.join()
    const merged = await desk.fullMember()
    expect(await desk.breaches()).toEqual([])
    const plan = await desk.planOf(kept, merged)
    expect(plan.obstacles).toEqual([])
    expect(plan.merged.membership).toMatch(/^Annual Member until/)
    const before = await desk.everything()

    const answer = await desk.merge(kept, merged, choices)
    expect(answer.status).toBe(200)
    const [winner, loser] = [kept, merged]
    const held = answer.body as ConsoleMember
    expect(held).toMatchObject({
      email: winner.email,
      username: winner.username,
      subscription: { membershipLevel: { key: 'annual_member' }, status: 'ACTIVE' },
      payments: [{ amount: 10_000 }],
      credentials: [{ npi: '1234567893' }],
      merges: [{ isKept: true, undoRefused: null, undoneAt: null, other: { id: merged.id } }],
    })
    expect(held.merges[0]?.moved).toEqual(expect.arrayContaining(['1 payment, with its receipt', '2 memberships']))
    expect(await desk.breaches()).toEqual([])
    const rsvp = await desk
      .db()
      .selectFrom('rsvp')
      .select('emailKey')
      .where('id', '=', `r-${merged.id}`)
      .executeTakeFirst()
    expect(rsvp?.emailKey).toBe(winner.email)
    // Both are signed out; logging in to the merged account reports which address to use.
    expect((await merged.browser.get('/api/account/profile')).status).toBe(403)
    expect((await kept.browser.get('/api/account/profile')).status).toBe(401)
    const refused = await app().browser().logIn(loser.email)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      `This account was merged with another one of yours. Please log in with ${winner.email}.`,
    ])
    expect((await app().browser().logIn(winner.email)).status).toBe(200)
    const history = (await desk.look(kept.id)).history[0]
    const names = {
      before: { email: kept.email },
      after: { email: winner.email },
      mergedAccount: { email: merged.email },
    }
    expect(history).toMatchObject({ action: 'account.merged', details: { reason: 'Joined twice', ...names } })
    expect((await desk.officers.secretary.post(`/api/console/members/${merged.id}/enable`, {})).body.code).toBe(
      'IS_MERGED',
    )

    const undone = await desk.undo(kept.id, held.merges[0]?.id ?? '')
    expect(undone.body.merges).toMatchObject([{ undoUntil: null, undoneAt: expect.any(String) as string }])
    const after = await desk.everything()
    for (const table of Object.keys(before)) {
      if (ENDED_WITH_IT.has(table)) continue
      expect([table, (after[table] ?? []).map(asCompared)]).toEqual([table, (before[table] ?? []).map(asCompared)])
    }
    expect(await desk.breaches()).toEqual([])
    // Access is not restored: each owner logs in again.
    expect((await merged.browser.get('/api/account/profile')).status).toBe(401)
    for (const { email } of [kept, merged]) expect((await app().browser().logIn(email)).status).toBe(200)
    expect((await desk.undo(kept.id, held.merges[0]?.id ?? '')).body.code).toBe('UNDO_REFUSED')
  })

  test('of two concurrent requests one succeeds', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const { version } = await desk.planOf(kept, merged)
    const send = () =>
      desk.officers.secretary.post(`/api/console/members/${kept.id}/merge/${merged.id}`, {
        choices: KEEP,
        version,
        reason: 'Twice',
      })
    const both = await Promise.all([send(), send()])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await desk.look(kept.id)).merges).toHaveLength(1)
  })

  test('both addresses are emailed immediately, after the merge and after the undo', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
    await app().drain()
    const mailbox = openMailbox(app().standins.url)
    for (const { email } of [kept, merged]) {
      const message = (await mailbox.emailsTo(email)).at(-1)
      expect(message?.subject).toBe('Your two accounts were merged')
      expect(message?.text).toContain(kept.email)
      expect(message?.text).toContain(merged.email)
    }
    await desk.undo(kept.id, merges[0]?.id ?? '')
    await app().drain()
    for (const { email } of [kept, merged]) {
      const message = (await mailbox.emailsTo(email)).at(-1)
      expect([message?.subject, message?.text.includes(email)]).toEqual(['Your account is separate again', true])
    }
  })

  test('links in emails to both addresses and pending changes of address end', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    for (const { browser, email } of [kept, merged]) {
      const wanted = { email: `new.${email}`, password: 'monsoon-in-macon' }
      expect((await browser.call('POST', '/api/account/email', wanted)).status).toBe(200)
      await desk.officers.secretary.post(
        `/api/console/members/${email === kept.email ? kept.id : merged.id}/reset-letter`,
        {},
      )
    }
    await app().drain()
    const open = () =>
      desk
        .db()
        .selectFrom('oneTimeToken')
        .select(['subjectId', 'purpose'])
        .where('subjectId', 'in', [kept.id, merged.id])
        .where('usedAt', 'is', null)
        .execute()
    // For each account: the links for registration, change of address and password reset.
    expect(await open()).toHaveLength(6)
    expect((await desk.merge(kept, merged)).status).toBe(200)
    expect(await open()).toEqual([])
    const wishes = await desk.db().selectFrom('emailChange').select('email').execute()
    expect(wishes.map(({ email }) => email)).not.toContain(`new.${kept.email}`)
  })

  test('a password reset for the merged address names the address to log in with', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    await desk.merge(kept, merged)
    const visitor = app().browser()
    await visitor.post('/api/email/forgot-password', {
      email: merged.email,
      recaptchaToken: await visitor.botToken('password_reset'),
    })
    await app().drain()
    const emails = await openMailbox(app().standins.url).emailsTo(merged.email)
    expect(emails.map(({ text }) => text).join(' ')).toContain(kept.email)
  })

  test('with two subscriptions and two RSVPs for an event, one subscription remains and both RSVPs are mentioned', async () => {
    const [kept, merged] = [await desk.fullMember(), await desk.fullMember()]
    const plan = await desk.planOf(kept, merged)
    expect(plan.moves).not.toContain('1 RSVP')
    expect(plan.notes.join(' ')).toMatch(/Both addresses have an RSVP for the same event/)
    expect(plan.notes.join(' ')).toMatch(/Both addresses receive the newsletter/)
    await desk.merge(kept, merged)
    const row = await desk
      .db()
      .selectFrom('subscriber')
      .select('state')
      .where('id', '=', `n-${merged.email}`)
      .executeTakeFirst()
    expect(row?.state).toBe('left')
    expect(await desk.breaches()).toEqual([])
  })
})

describe('what cannot be merged', () => {
  async function refusal(kept: Person, merged: Person): Promise<string> {
    const { obstacles } = await desk.planOf(kept, merged)
    const answer = await desk.merge(kept, merged)
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([409, 'MERGE_REFUSED', obstacles[0]])
    return String(obstacles[0])
  }

  test('live subscriptions, officers, closed accounts, and an account with itself', async () => {
    const [one, two, plain] = [await desk.payingMember(), await desk.payingMember(), await desk.join()]
    expect(await refusal(one, two)).toMatch(/Both accounts have a subscription/)
    expect(await refusal(plain, two)).toMatch(/Keep that one/)
    expect((await desk.merge(two, plain)).status).toBe(200)
    expect((await desk.look(two.id)).subscription?.renewal).toBe('automatic')
    expect(await desk.breaches()).toEqual([])
    expect(await refusal(one, plain)).toMatch(/already merged/)
    const officer = await newOfficer(app(), ['editor'])
    const holder = { id: officer.accountId, email: officer.email, username: '', browser: officer.browser }
    expect((await desk.merge(one, holder)).body.code).toBe('OFFICER_ACCOUNT')
    const president = (await newOfficer(app(), ['president'])).browser
    await recordSecondFactor(app(), president)
    const path = `/api/console/members/${one.id}/merge/${holder.id}`
    const { obstacles, version } = (await president.get(path)).body
    expect(obstacles).toEqual([expect.stringMatching(/end the role/)])
    const answer = await president.post(path, { choices: KEEP, version, reason: 'Twice' })
    expect(answer.body.code).toBe('MERGE_REFUSED')
    expect((await desk.officers.secretary.get(`/api/console/members/${one.id}/merge/${one.id}`)).status).toBe(404)
  })

  test('accounts with a seat payment in progress', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const id = await openEvent(app(), { ...PRICE, memberPrice: PRICE.price, capacity: 1 })
    const [first, mine] = [await sayComing(app(), id, 'first.merge@example.com'), merged.email]
    expect((await sayComing(app(), id, mine)).body.place).toBe('waiting')
    expect(first.body.place).toBe('paying')
    await app().advance(32 * MINUTE_MS)
    await app().drain()
    await recordSecondFactor(app(), desk.officers.secretary)
    const token = await rsvpToken(app(), mine)
    const { payAt } = (await app().browser().post('/api/rsvp/pay', { token })).body
    expect(await refusal(kept, merged)).toMatch(/has started a payment/)
    expect(await refusal(merged, kept)).toMatch(/has started a payment/)
    await app()
      .browser()
      .pay(payAt as string)
    await app().drain()
    expect((await desk.merge(kept, merged)).status).toBe(200)
    expect(await desk.breaches()).toEqual([])
    const rsvp = await desk.db().selectFrom('rsvp').selectAll().where('eventId', '=', id).execute()
    expect(rsvp.map(({ emailKey, status }) => [emailKey, status])).toEqual([[kept.email, 'coming']])
  })

  test('accounts that changed since the preview, and officers without permission', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const { version } = await desk.planOf(kept, merged)
    await desk.db().updateTable('account').set({ lastName: 'Iyer' }).where('id', '=', merged.id).execute()
    const path = `/api/console/members/${kept.id}/merge/${merged.id}`
    const body = { choices: KEEP, version, reason: 'Twice' }
    expect((await desk.officers.secretary.post(path, body)).body.code).toBe('CHANGED_MEANWHILE')
    expect((await desk.officers.viewer.post(path, body)).body.code).toBe('NOT_ALLOWED')
    expect((await desk.officers.secretary.post(path, { ...body, reason: ' ' })).body.errors).toHaveProperty('reason')
  })
})

test('duplicates are suggested with reasons, and found by name, address and NPI', async () => {
  const [kept, merged] = [await desk.join(), await desk.fullMember()]
  const suggested = (await desk.officers.secretary.get(`/api/console/members/${merged.id}/duplicates`)).body.duplicates
  expect(suggested.find(({ id }: { id: string }) => id === kept.id)).toMatchObject({ reasons: ['the same name'] })
  const find = async (q: string) =>
    (await desk.officers.secretary.get(`/api/console/members/${kept.id}/duplicates?q=${encodeURIComponent(q)}`)).body
      .duplicates as {
      id: string
    }[]
  expect((await find('1234567893')).map(({ id }) => id)).toContain(merged.id)
  expect((await find(merged.email)).map(({ id }) => id)).toEqual([merged.id])
  expect(await find(kept.email)).toEqual([])
})

test('deleting the account also deletes the one merged into it, and cannot be undone', async () => {
  const [kept, merged] = [await desk.join(), await desk.fullMember()]
  const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
  const owner = app().browser()
  await owner.logIn(kept.email)
  expect((await owner.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })).status).toBe(200)
  const rows = await desk
    .db()
    .selectFrom('account')
    .select(['deactivatedBy', 'passwordHash'])
    .where('id', 'in', [kept.id, merged.id])
    .execute()
  expect(rows).toEqual([0, 1].map(() => ({ deactivatedBy: 'self', passwordHash: '' })))
  expect((await desk.undo(kept.id, merges[0]?.id ?? '')).body.code).toBe('UNDO_REFUSED')
  expect(await desk.breaches()).toEqual([])
})
