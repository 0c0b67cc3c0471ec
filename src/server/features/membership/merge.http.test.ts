import { describe, expect, test } from 'vitest'
import type { ConsoleMember } from '#contract/console-member.ts'
import { openEvent, rsvpToken, sayComing } from '#tests/support/events.ts'
import { openMailbox } from '#tests/support/mailbox.ts'
import { KEEP, useMerging, type Person } from '#tests/support/merging.ts'
import { newOfficer, prove } from '#tests/support/officers.ts'
import { MINUTE_MS, PRICE } from '#tests/support/paid-seats.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const desk = useMerging(app)

describe('two accounts of one person', () => {
  test.each([
    ['names that stay', KEEP],
    ['names of the other', { name: 'merged', username: 'merged', email: 'merged' }],
  ])('with %s become one, and every row is as it was when that is undone', async (_name, choices) => {
    const kept = await desk.join()
    const merged = await desk.fullMember()
    expect(await desk.breaches()).toEqual([])
    const plan = await desk.planOf(kept, merged, choices.email)
    expect(plan.obstacles).toEqual([])
    expect(plan.merged.membership).toMatch(/^Annual Member until/)
    const before = await desk.everything()

    const answer = await desk.merge(kept, merged, choices)
    expect(answer.status).toBe(200)
    const winner = choices.email === 'kept' ? kept : merged
    const loser = choices.email === 'kept' ? merged : kept
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
      .select('email_key')
      .where('id', '=', `r-${merged.id}`)
      .executeTakeFirst()
    expect(rsvp?.email_key).toBe(winner.email)
    // Signed out, and shown the way.
    expect((await merged.browser.get('/api/account/profile')).status).toBe(403)
    const refused = await app().browser().logIn(loser.email)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      `This account was merged with another one of yours. Please log in with ${winner.email}.`,
    ])
    expect((await app().browser().logIn(winner.email)).status).toBe(200)
    await desk
      .db()
      .deleteFrom('session')
      .where('account_id', '=', kept.id)
      .where('created_at', '>', app().now() - 2_000)
      .execute()
    const history = (await desk.look(kept.id)).history[0]
    expect(history).toMatchObject({ action: 'account.merged', details: { reason: 'Joined twice' } })
    expect((await desk.officers.secretary.post(`/api/console/members/${merged.id}/enable`, {})).body.code).toBe(
      'IS_MERGED',
    )

    const undone = await desk.undo(kept.id, held.merges[0]?.id ?? '')
    expect(undone.body.merges).toMatchObject([{ undoUntil: null, undoneAt: expect.any(String) as string }])
    const after = await desk.everything()
    for (const table of Object.keys(before)) {
      if (table === 'known_browser' || table === 'session') continue
      expect([table, after[table]]).toEqual([table, before[table]])
    }
    const ofMerged = (rows: string[] | undefined) => rows?.filter((row) => row.includes(merged.id))
    expect(ofMerged(after['session'])).toEqual(ofMerged(before['session']))
    expect(await desk.breaches()).toEqual([])
    expect((await merged.browser.get('/api/account/profile')).status).toBe(200)
    expect((await desk.undo(kept.id, held.merges[0]?.id ?? '')).body.code).toBe('UNDO_REFUSED')
  })

  test('asked for twice at once, it happens once', async () => {
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

  test('the address that went is told where to log in', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    await desk.merge(kept, merged)
    const visitor = app().browser()
    await visitor.post('/api/email/forgot-password', {
      email: merged.email,
      recaptchaToken: await visitor.botToken('password_reset'),
    })
    await app().settle()
    const letters = await openMailbox(app().standins.url).lettersTo(merged.email)
    expect(letters.map(({ text }) => text).join(' ')).toContain(kept.email)
  })

  test('both addresses get the newsletter and have answered the same event: one copy, and both answers are told of', async () => {
    const [kept, merged] = [await desk.fullMember(), await desk.fullMember()]
    const plan = await desk.planOf(kept, merged)
    expect(plan.moves).not.toContain('1 RSVP')
    expect(plan.notes.join(' ')).toMatch(/Both addresses have answered the same event/)
    expect(plan.notes.join(' ')).toMatch(/Both addresses get the newsletter/)
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

describe('what is not merged', () => {
  async function refusal(kept: Person, merged: Person): Promise<string> {
    const { obstacles } = await desk.planOf(kept, merged)
    const answer = await desk.merge(kept, merged)
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([409, 'MERGE_REFUSED', obstacles[0]])
    return String(obstacles[0])
  }

  test('subscriptions at the provider, officers, closed accounts, and oneself', async () => {
    const [one, two, plain] = [await desk.payingMember(), await desk.payingMember(), await desk.join()]
    expect(await refusal(one, two)).toMatch(/Both accounts have a subscription/)
    expect(await refusal(plain, two)).toMatch(/Keep that one/)
    expect((await desk.merge(two, plain)).status).toBe(200)
    expect((await desk.look(two.id)).subscription?.renewal).toBe('automatic')
    expect(await desk.breaches()).toEqual([])
    expect(await refusal(one, plain)).toMatch(/merged already/)
    const officer = await newOfficer(app(), ['editor'])
    const holder = { id: officer.accountId, email: officer.email, username: '', browser: officer.browser }
    expect(await refusal(one, holder)).toMatch(/holds a role/)
    expect((await desk.officers.secretary.get(`/api/console/members/${one.id}/merge/${one.id}`)).status).toBe(404)
  })

  test('seats that are being paid, until they are', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const id = await openEvent(app(), { ...PRICE, memberPrice: PRICE.price, capacity: 1 })
    const [first, mine] = [await sayComing(app(), id, 'first.merge@example.com'), merged.email]
    expect((await sayComing(app(), id, mine)).body.place).toBe('waiting')
    expect(first.body.place).toBe('paying')
    await app().advance(32 * MINUTE_MS)
    await app().settle()
    await prove(app(), desk.officers.secretary)
    const token = await rsvpToken(app(), mine)
    const { payAt } = (await app().browser().post('/api/rsvp/pay', { token })).body
    expect(await refusal(kept, merged)).toMatch(/has begun a payment/)
    expect(await refusal(merged, kept)).toMatch(/has begun a payment/)
    await app()
      .browser()
      .pay(payAt as string)
    await app().settle()
    expect((await desk.merge(kept, merged)).status).toBe(200)
    expect(await desk.breaches()).toEqual([])
    const rsvp = await desk.db().selectFrom('rsvp').selectAll().where('event_id', '=', id).execute()
    expect(rsvp.map(({ email_key, place }) => [email_key, place])).toEqual([[kept.email, 'coming']])
  })

  test('what changed since it was looked at, and whoever may not', async () => {
    const [kept, merged] = [await desk.join(), await desk.join()]
    const { version } = await desk.planOf(kept, merged)
    await desk.db().updateTable('account').set({ last_name: 'Iyer' }).where('id', '=', merged.id).execute()
    const path = `/api/console/members/${kept.id}/merge/${merged.id}`
    const body = { choices: KEEP, version, reason: 'Twice' }
    expect((await desk.officers.secretary.post(path, body)).body.code).toBe('CHANGED_MEANWHILE')
    expect((await desk.officers.viewer.post(path, body)).body.code).toBe('NOT_ALLOWED')
    expect((await desk.officers.secretary.post(path, { ...body, reason: ' ' })).body.errors).toHaveProperty('reason')
  })
})

test('who may be the same person is suggested with why, and found by name, address and NPI', async () => {
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

test('whoever deletes the account deletes the one that went into it too; nothing of that can be undone', async () => {
  const [kept, merged] = [await desk.join(), await desk.fullMember()]
  const { merges } = (await desk.merge(kept, merged)).body as ConsoleMember
  expect((await kept.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })).status).toBe(200)
  const rows = await desk
    .db()
    .selectFrom('account')
    .select(['deactivated_by', 'password_hash'])
    .where('id', 'in', [kept.id, merged.id])
    .execute()
  expect(rows).toEqual([0, 1].map(() => ({ deactivated_by: 'self', password_hash: '' })))
  expect((await desk.undo(kept.id, merges[0]?.id ?? '')).body.code).toBe('UNDO_REFUSED')
  expect(await desk.breaches()).toEqual([])
})
